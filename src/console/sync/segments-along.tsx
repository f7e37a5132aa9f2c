/** The saved segments that the chosen contents bring along, and whom that concerns. */

import {
  Accordion,
  Anchor,
  Badge,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import type { SyncedSegment } from '../../contract/operations/sync.js';
import { request } from '../api/call.js';
import { pathOf } from '../parts/environments.js';
import { When } from '../parts/when.js';
import { ConditionText } from './condition-text.js';
import type { SyncItem } from './sync-items.js';

export interface SegmentsAlongProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly segments: readonly SyncedSegment[];
  readonly items: readonly SyncItem[];
}

export function SegmentsAlong({ source, target, segments, items }: SegmentsAlongProps) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="segments-along">
      <Title order={2} size="h5" id="segments-along">
        Saved segments that come along ({segments.length})
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        The chosen contents use them, so they are brought in the same step.
      </Text>
      <Accordion multiple chevronPosition="left" variant="default">
        {segments.map((segment) => (
          <Accordion.Item key={segment.name} value={segment.name}>
            <Accordion.Control>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {segment.name}
                </Text>
                <Badge variant="dot" size="sm" color={segment.change === 'added' ? 'teal' : 'ink'}>
                  {segment.change}
                </Badge>
                {segment.conflict && (
                  <Badge
                    variant="default"
                    size="sm"
                    leftSection={
                      <IconAlertTriangle
                        size={12}
                        color="var(--mantine-color-orange-6)"
                        aria-hidden
                      />
                    }
                  >
                    conflict
                  </Badge>
                )}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <SegmentDifference
                source={source}
                target={target}
                segment={segment}
                usedBy={usersOf(segment.name, items)}
              />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Paper>
  );
}

function usersOf(name: string, items: readonly SyncItem[]): readonly string[] {
  return items
    .filter(({ change }) => change?.segments.some((segment) => segment.name === name))
    .map(({ id }) => id);
}

interface SegmentDifferenceProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly segment: SyncedSegment;
  readonly usedBy: readonly string[];
}

function SegmentDifference({ source, target, segment, usedBy }: SegmentDifferenceProps) {
  const { name, change, before, after, conflict, edited } = segment;
  return (
    <Stack gap="xs">
      {conflict && (
        <Text size="sm" component="div">
          It is another in {target.name}
          {edited !== null && (
            <>
              : <strong>{edited.author}</strong> saved it there <When at={edited.at} span />
            </>
          )}
          . The sync puts the one of {source.name} in its place.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ConditionText label={`Now in ${target.name}`} condition={before} />
        <ConditionText label={`From ${source.name}`} condition={after} />
      </SimpleGrid>
      <Text size="sm">Comes with {usedBy.join(', ')}.</Text>
      {change === 'changed' && <AlsoUsedHere target={target} name={name} usedBy={usedBy} />}
    </Stack>
  );
}

/** A segment that changes does so for every content here that uses it, also for those that are not brought. */
function AlsoUsedHere({
  target,
  name,
  usedBy,
}: {
  readonly target: Environment;
  readonly name: string;
  readonly usedBy: readonly string[];
}) {
  const { data } = useQuery({
    queryKey: ['environments', target.id, 'segments', name, 'uses'],
    queryFn: async () =>
      (await request('GET /environments/:env/segments/:name', { params: { env: target.id, name } }))
        .usedBy,
  });
  const others = (data ?? []).filter((id) => !usedBy.includes(id));
  if (others.length === 0) return null;
  return (
    <Text size="sm" component="div">
      It changes for other contents of {target.name} too:{' '}
      {others.map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Anchor component={Link} href={pathOf.content(target.id, id)} size="sm">
            {id}
          </Anchor>
        </span>
      ))}
      .
    </Text>
  );
}
