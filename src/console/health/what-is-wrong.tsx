/** What the server knows to be wrong, the worst first, each with where to look. */
import { Anchor, Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Finding, FindingCode } from '../../contract/operations/health/findings.js';
import { IconAlertTriangle, IconCircleCheck } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { useFindings } from './health-queries.js';

/** @param isStoreAway known even so, while nothing else is: the list needs the store to know its reader */
export function WhatIsWrong({ isStoreAway }: { readonly isStoreAway: boolean }) {
  const findings = useFindings();
  return (
    <Stack gap="xs" component="section" aria-label="What is wrong">
      <Title order={2} size="h4">
        What is wrong
      </Title>
      <Loaded query={findings} label="Loading what is wrong" rowHeight={52}>
        {({ findings: all }) => (
          <Paper withBorder p="sm">
            {all.length === 0 && !isStoreAway ? (
              <NothingWrong />
            ) : (
              <Findings findings={isStoreAway ? withStoreAway(all) : all} />
            )}
          </Paper>
        )}
      </Loaded>
    </Stack>
  );
}

const storeAway: Finding = {
  code: 'store_unavailable',
  severity: 'failing',
  summary: 'The store is away: edits are rejected, and players are served what was published last.',
  look: 'The database, and the way to it. What else is listed is as it was before.',
};

function withStoreAway(findings: readonly Finding[]): readonly Finding[] {
  return [storeAway, ...findings.filter(({ code }) => code !== storeAway.code)];
}

function NothingWrong() {
  return (
    <Group gap="xs" wrap="nowrap">
      <IconCircleCheck size={18} aria-hidden />
      <Text size="sm">Nothing that this server knows of.</Text>
    </Group>
  );
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <List listStyleType="none" spacing="sm" aria-label="Findings">
      {findings.map(({ code, severity, summary, look }) => (
        <List.Item key={code}>
          <Group gap="xs" align="flex-start">
            <Severity severity={severity} />
            <div style={{ flex: '1 1 16rem' }}>
              <Text size="sm" fw={600}>
                {summary}
              </Text>
              <Text size="sm" c="dimmed">
                {look} <Place code={code} />
              </Text>
            </div>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

function Severity({ severity }: Pick<Finding, 'severity'>) {
  const isFailing = severity === 'failing';
  return (
    <Badge
      variant={isFailing ? 'filled' : 'default'}
      {...(isFailing && { color: 'red.9' })}
      leftSection={<IconAlertTriangle size={12} aria-hidden />}
      miw="max-content"
    >
      {isFailing ? 'Failing' : 'Attention'}
    </Badge>
  );
}

/** Screens, and parts of this one, that say more. */
const places: Readonly<Partial<Record<FindingCode, readonly [href: string, words: string]>>> = {
  requests_rejected: ['#rejected', 'Rejected requests'],
  nodes_away: ['#nodes', 'Nodes'],
  processes_missing: ['#processes', 'Processes'],
  processes_restarted: ['#processes', 'Processes'],
  webhooks_failing: ['/webhooks', 'Webhooks'],
};

function Place({ code }: Pick<Finding, 'code'>) {
  const place = places[code];
  if (place === undefined) return null;
  const [href, words] = place;
  return href.startsWith('#') ? (
    <Anchor href={href} underline="always">
      {words}
    </Anchor>
  ) : (
    <Anchor component={Link} href={href} underline="always">
      {words}
    </Anchor>
  );
}
