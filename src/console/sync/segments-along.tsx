/** The segments that the selected content items use, and which other items a change of them reaches. */
import {
  Accordion,
  Anchor,
  Badge,
  Box,
  Code,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { SyncedSegment } from '../../contract/operations/sync.js';
import { request } from '../api/call.js';
import { formatJsonc } from '../parts/code/format-jsonc.js';
import { pathOf } from '../parts/environments.js';
import { ConflictBadge, SavedBy } from './sync-conflict.js';
import type { SyncItem } from './sync-items.js';
import { useSyncSides } from './sync-sides.js';

export interface SegmentsAlongProps {
  readonly segments: readonly SyncedSegment[];
  readonly items: readonly SyncItem[];
}

export function SegmentsAlong({ segments, items }: SegmentsAlongProps) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="segments-along">
      <Title order={2} size="h5" id="segments-along">
        Segments included ({segments.length})
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        The selected items use them, so the same step copies them.
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
                {segment.conflict && <ConflictBadge />}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <SegmentDifference segment={segment} usedBy={usersOf(segment.name, items)} />
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
  readonly segment: SyncedSegment;
  readonly usedBy: readonly string[];
}

function SegmentDifference({ segment, usedBy }: SegmentDifferenceProps) {
  const { source, target } = useSyncSides();
  const { name, change, before, after, conflict, edited } = segment;
  return (
    <Stack gap="xs">
      {conflict && (
        <Text size="sm" component="div">
          It was changed in {target.name}
          <SavedBy edited={edited} />. The sync replaces it with the one of {source.name}.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ConditionText label={`Now in ${target.name}`} condition={before} />
        <ConditionText label={`From ${source.name}`} condition={after} />
      </SimpleGrid>
      <Text size="sm">Used by {usedBy.join(', ')}.</Text>
      {change === 'changed' && <AlsoUsedHere name={name} usedBy={usedBy} />}
    </Stack>
  );
}

interface ConditionTextProps {
  readonly label: string;
  /** JSON text, perhaps cut; null: there is none. */
  readonly condition: string | null;
}

function ConditionText({ label, condition }: ConditionTextProps) {
  return (
    <Box miw={0}>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      {condition === null ? (
        <Text size="sm">None.</Text>
      ) : (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {condition.endsWith('…') ? condition : formatJsonc(condition)}
        </Code>
      )}
    </Box>
  );
}

interface AlsoUsedHereProps {
  readonly name: string;
  readonly usedBy: readonly string[];
}

/** A changed segment changes every content item of the target that uses it, also those that are not synced. */
function AlsoUsedHere({ name, usedBy }: AlsoUsedHereProps) {
  const env = useSyncSides().target.id;
  const { data } = useQuery({
    queryKey: ['environments', env, 'segments', name, 'uses'],
    queryFn: () => request('GET /environments/:env/segments/:name', { params: { env, name } }),
    select: (segment) => segment.usedBy.filter((id) => !usedBy.includes(id)),
  });
  if (data === undefined || data.length === 0) return null;
  return (
    <Text size="sm" component="div">
      It also changes{' '}
      {data.map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Anchor component={Link} href={pathOf.content(env, id)} size="sm">
            {id}
          </Anchor>
        </Fragment>
      ))}
      .
    </Text>
  );
}
