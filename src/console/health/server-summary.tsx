/** The state of the server in a few numbers. */
import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { HealthState, Rejections } from '../../contract/operations/health/rejections.js';
import type { HealthFigures } from '../../contract/operations/health.js';
import { IconAlertTriangle } from '../icons/icons.js';
import { useIsOwner } from '../session/session.js';
import { latestPoint } from './charts/metrics-history.js';
import { clockState } from './clock-state.js';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatRate,
  formatUptime,
} from './number-format.js';
import type { Watched } from './server-watch.js';
import { type StreamTotals, streamTotals } from './stream-totals.js';

export interface ServerSummaryProps {
  readonly watched: Watched;
  /** Of the list of what is wrong; undefined: not known yet. */
  readonly state: HealthState | undefined;
  readonly rejections: Rejections | undefined;
}

export function ServerSummary({ watched, state, rejections }: ServerSummaryProps) {
  const isOwner = useIsOwner();
  const { latest } = watched.history;
  const point = latestPoint(watched.history);
  const p99 = point?.latency.p99 ?? null;
  const streams = latest === null ? null : streamTotals(latest.deliveryProcesses);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" component="dl" m={0}>
      <Fact name="State" {...stateFact(watched, state)} />
      <Fact name="Rejected in the last hour" {...(rejections && rejectedFact(rejections))} />
      <Fact name="Delivery processes" {...(latest !== null && processesFact(latest))} />
      <Fact name="Published sequence" {...(latest !== null && sequenceFact(latest))} />
      <Fact
        name="Requests"
        value={point === null ? '–' : formatRate(point.requests / point.seconds)}
      >
        {point !== null && `${formatCount(point.connections)} connections`}
      </Fact>
      <Fact name="Response time p99" value={p99 === null ? '–' : formatDuration(p99)}>
        {point !== null && p99 === null && 'no requests just now'}
      </Fact>
      <Fact
        name="Uptime"
        value={
          latest === null
            ? '–'
            : formatUptime((latest.atMs - Date.parse(latest.control.startedAt)) / 1000)
        }
      />
      {isOwner && <Fact name="Webhooks" {...webhooksFact(latest?.webhooks ?? null)} />}
      <Fact name="Open streams" {...(streams !== null && openStreamsFact(streams))} />
      <Fact
        name="Streams waiting"
        {...(streams !== null && { value: formatCount(streams.waiting) })}
      >
        for the event of a change
      </Fact>
      <Fact name="Stream events" {...(streams !== null && { value: formatCount(streams.events) })}>
        sent since the processes started
      </Fact>
      <Fact name="Clock" {...(latest !== null && clockFact(latest))} />
    </SimpleGrid>
  );
}

function stateFact({ isReady, isStoreAway }: Watched, state: HealthState | undefined): FactProps {
  if (isReady === null) return {};
  if (!isReady) {
    return {
      value: 'Not ready',
      tone: 'bad',
      children: 'Players or edits are not served: see What is wrong',
    };
  }
  if (isStoreAway) {
    const children = 'Players are served; edits are rejected: the store is away';
    return { value: 'Failing', tone: 'bad', children };
  }
  switch (state) {
    case undefined:
      return {};
    case 'failing':
      return {
        value: 'Failing',
        tone: 'bad',
        children: 'Players or edits are affected: see What is wrong',
      };
    case 'attention':
      return { value: 'Needs attention', tone: 'warning', children: 'See What is wrong' };
    case 'healthy':
      return { value: 'Ready', tone: 'good', children: 'Players are served, edits reach them' };
  }
}

const reasonsNamedMax = 3;

function rejectedFact({ requests, rejected, codes, state }: Rejections): FactProps {
  if (requests === 0) return { children: 'no requests yet' };
  const value = formatPercent(rejected / requests);
  if (rejected === 0) return { value, children: `none of ${formatCount(requests)}` };
  const named = codes
    .slice(0, reasonsNamedMax)
    .map(({ code, count }) => `${code} ${formatCount(count)}`);
  const children = `${formatCount(rejected)} of ${formatCount(requests)}: ${named.join(', ')}`;
  return { value, children, tone: toneOf[state] };
}

const toneOf = { healthy: 'plain', attention: 'warning', failing: 'bad' } as const;

function processesFact({ deliveryProcesses, deliveryProcessesWanted }: HealthFigures): FactProps {
  const serving = deliveryProcesses.length;
  const value = `${serving} of ${deliveryProcessesWanted}`;
  return serving < deliveryProcessesWanted
    ? { value, tone: 'bad', children: 'The others are starting' }
    : { value, children: 'serving' };
}

function sequenceFact({ sequence, deliveryProcesses }: HealthFigures): FactProps {
  const value = formatCount(sequence);
  const behind = deliveryProcesses.filter((process) => process.sequence < sequence).length;
  return behind > 0
    ? { value, tone: 'bad', children: `${behind} behind` }
    : { value, children: 'on every delivery process' };
}

function webhooksFact(webhooks: HealthFigures['webhooks']): FactProps {
  if (webhooks === null) return {};
  const { pending, failing, disabled } = webhooks;
  const children = pending > 0 && `${formatCount(pending)} messages wait`;
  if (failing > 0) {
    return {
      value: `${failing} failing`,
      tone: 'warning',
      children: (
        <>
          {children}{' '}
          <Anchor component={Link} href="/webhooks" size="xs" underline="always">
            see Webhooks
          </Anchor>
        </>
      ),
    };
  }
  return { value: disabled > 0 ? `${disabled} off` : 'None failing', children };
}

function openStreamsFact({ open, openMax, isNearlyFull }: StreamTotals): FactProps {
  const children = `of ${formatCount(openMax)} at most`;
  return isNearlyFull
    ? { value: formatCount(open), tone: 'warning', children: `${children}: more are soon rejected` }
    : { value: formatCount(open), children };
}

function clockFact({ clockAheadSeconds, clockSkewed }: HealthFigures): FactProps {
  const { value, hint, isSkewed } = clockState(clockAheadSeconds, clockSkewed);
  return { value, children: hint, tone: isSkewed ? 'warning' : 'plain' };
}

interface FactProps {
  readonly value?: string;
  readonly tone?: 'good' | 'warning' | 'bad' | 'plain';
  readonly children?: ReactNode;
}

const toneColor = {
  good: 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))',
  warning: 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))',
  bad: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))',
  plain: undefined,
};

function Fact({
  name,
  value = '–',
  tone = 'plain',
  children,
}: FactProps & { readonly name: string }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed" component="dt">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600} size="xl" c={toneColor[tone]} lh={1.4}>
        {(tone === 'warning' || tone === 'bad') && (
          <IconAlertTriangle
            size={18}
            style={{ marginInlineEnd: 6, verticalAlign: -2 }}
            aria-hidden
          />
        )}
        {value}
        <Text span display="block" size="xs" c="dimmed" fw={400} mih={19}>
          {children}
        </Text>
      </Text>
    </Paper>
  );
}
