/** What a sync did, and where to look at it. */
import { Anchor, Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import type { SyncReport } from '../../contract/operations/sync.js';
import { pathOf } from '../parts/environments.js';

export interface SyncResultProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly report: SyncReport;
  readonly onMore: () => void;
}

const linksMax = 50;

export function SyncResult({ source, target, report, onMore }: SyncResultProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // The dialog that led here is gone, and its button with it.
  useEffect(() => title.current?.focus(), []);
  const { added, changed, segments, sequence } = report;
  const brought = [
    ...added.map(({ id }) => ({ id, word: 'added' })),
    ...changed.map(({ id }) => ({ id, word: 'changed' })),
  ];
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
          <IconCircleCheck size={28} color="var(--mantine-color-teal-6)" aria-hidden />
          <div>
            <Title order={2} size="h4" ref={title} tabIndex={-1}>
              {brought.length === 1
                ? `1 content is live in ${target.name}`
                : `${brought.length} contents are live in ${target.name}`}
            </Title>
            <Text size="sm" c="dimmed">
              Brought from {source.name}: {added.length} added, {changed.length} changed
              {segments.length === 1 && ', 1 saved segment along'}
              {segments.length > 1 && `, ${segments.length} saved segments along`}. Every listener
              serves it, as sequence {sequence}.
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          <Button component={Link} href={pathOf.contents(target.id)}>
            Contents of {target.name}
          </Button>
          <Button component={Link} href="/activity" variant="default">
            Activity
          </Button>
          <Button variant="default" onClick={onMore}>
            Compare again
          </Button>
        </Group>
        <List size="sm" spacing={4} listStyleType="none">
          {brought.slice(0, linksMax).map(({ id, word }) => (
            <List.Item key={id}>
              <Group gap="xs">
                <Anchor component={Link} href={pathOf.content(target.id, id)} size="sm">
                  {id}
                </Anchor>
                <Badge variant="default" size="sm">
                  {word}
                </Badge>
              </Group>
            </List.Item>
          ))}
          {segments.map(({ name, change }) => (
            <List.Item key={`segment ${name}`}>
              <Group gap="xs">
                <Anchor component={Link} href={pathOf.segment(target.id, name)} size="sm">
                  {name}
                </Anchor>
                <Badge variant="default" size="sm">
                  segment {change}
                </Badge>
              </Group>
            </List.Item>
          ))}
        </List>
        {brought.length > linksMax && (
          <Text size="sm" c="dimmed">
            And {brought.length - linksMax} more, which the contents list shows.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
