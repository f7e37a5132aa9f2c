/** What a sync did, with links to it. */
import { Anchor, Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { SyncReport } from '../../contract/operations/sync.js';
import { IconCircleCheck } from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import { countOf } from './sync-items.js';
import { useSyncSides } from './sync-sides.js';

export interface SyncResultProps {
  readonly report: SyncReport;
  readonly onMore: () => void;
}

const linksMax = 50;

export function SyncResult({ report, onMore }: SyncResultProps) {
  const { source, target } = useSyncSides();
  const title = useRef<HTMLHeadingElement>(null);
  // The dialog that led here is gone, and its button with it.
  useEffect(() => title.current?.focus(), []);
  const { added, changed, segments, sequence } = report;
  const links = [
    ...added.map(({ id }) => ({ name: id, href: pathOf.content(target.id, id), badge: 'added' })),
    ...changed.map(({ id }) => ({
      name: id,
      href: pathOf.content(target.id, id),
      badge: 'changed',
    })),
  ];
  const count = links.length;
  const segmentLinks = segments.map(({ name, change }) => ({
    name,
    href: pathOf.segment(target.id, name),
    badge: `segment ${change}`,
  }));
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
          <IconCircleCheck size={28} color="var(--mantine-color-teal-6)" aria-hidden />
          <div>
            <Title order={2} size="h4" ref={title} tabIndex={-1}>
              {countOf(count, 'item')} {count === 1 ? 'is' : 'are'} live in {target.name}
            </Title>
            <Text size="sm" c="dimmed">
              From {source.name}: {added.length} added, {changed.length} changed
              {segments.length > 0 && `, ${countOf(segments.length, 'segment')} included`}. Live for
              all players (sequence {sequence}).
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          <Button component={Link} href={pathOf.contents(target.id)}>
            Content of {target.name}
          </Button>
          <Button component={Link} href="/activity" variant="default">
            Activity
          </Button>
          <Button variant="default" onClick={onMore}>
            Compare again
          </Button>
        </Group>
        <List size="sm" spacing={4} listStyleType="none">
          {[...links.slice(0, linksMax), ...segmentLinks].map(({ name, href, badge }) => (
            <List.Item key={href}>
              <Group gap="xs">
                <Anchor component={Link} href={href} size="sm">
                  {name}
                </Anchor>
                <Badge variant="default" size="sm">
                  {badge}
                </Badge>
              </Group>
            </List.Item>
          ))}
        </List>
        {count > linksMax && (
          <Text size="sm" c="dimmed">
            And {count - linksMax} more: see the list of content.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
