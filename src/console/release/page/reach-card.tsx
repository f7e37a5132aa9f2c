/** What players may receive differently: the changed items, and all that use them. */
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Release } from '../../../contract/schemas/release.js';
import { counted } from '../../parts/counted.js';
import { pathOf } from '../../parts/environments.js';

export interface ReachCardProps {
  readonly env: string;
  readonly reach: Release['reach'];
}

const shownMax = 40;

export function ReachCard({ env, reach: { contents, segments } }: ReachCardProps) {
  const links = [
    ...contents.map((id) => ({ key: `content ${id}`, label: id, href: pathOf.content(env, id) })),
    ...segments.map((name) => ({
      ...{ key: `segment ${name}`, label: `segment ${name}`, href: pathOf.segment(env, name) },
    })),
  ];
  return (
    <Stack gap="xs" component="section" aria-labelledby="reach-title">
      <Title order={2} size="h4" id="reach-title">
        Reach
      </Title>
      <Text size="sm" c="dimmed">
        {links.length === 0
          ? 'Nothing yet.'
          : `Players may receive ${counted(contents.length, 'content item')} differently. No one else can publish these while the release ramps.`}
      </Text>
      <Group gap="xs">
        {links.slice(0, shownMax).map(({ key, label, href }) => (
          <Anchor
            key={key}
            component={Link}
            href={href}
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
          >
            {label}
          </Anchor>
        ))}
        {links.length > shownMax && (
          <Text size="sm" c="dimmed">
            and {links.length - shownMax} more
          </Text>
        )}
      </Group>
    </Stack>
  );
}
