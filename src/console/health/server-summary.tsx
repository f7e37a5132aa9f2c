/** The state of the server in a few numbers. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { latestPoint } from './charts/metrics-history.js';
import { countWords, durationWords, percentWords, rateWords, uptimeWords } from './number-words.js';
import type { RefusedShare } from './refused-share.js';
import classes from './server-summary.module.css';
import type { Watched } from './server-watch.js';

export interface ServerSummaryProps {
  readonly watched: Watched;
  readonly refused: RefusedShare;
}

export function ServerSummary({ watched, refused }: ServerSummaryProps) {
  const { history, isReady, isStoreAway } = watched;
  const { latest } = history;
  const point = latestPoint(history);
  const serving = latest?.listeners.length ?? 0;
  const behind = latest?.listeners.filter(({ sequence }) => sequence < latest.sequence).length ?? 0;
  const p99 = point?.latency.p99 ?? null;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" component="dl" m={0}>
      <Fact name="State" {...stateOf(isReady, isStoreAway, refused)} />
      <RefusedFact refused={refused} />
      <Fact
        name="Listeners"
        value={latest === null ? '–' : `${serving} of ${latest.listenersWanted}`}
        tone={latest !== null && serving < latest.listenersWanted ? 'bad' : 'plain'}
      >
        {latest !== null &&
          (serving < latest.listenersWanted ? 'The others are being started' : 'serving')}
      </Fact>
      <Fact
        name="Published sequence"
        value={latest === null ? '–' : countWords(latest.sequence)}
        tone={behind > 0 ? 'bad' : 'plain'}
      >
        {latest !== null && (behind > 0 ? `${behind} behind` : 'on every listener')}
      </Fact>
      <Fact name="Requests" value={point === null ? '–' : rateWords(point.requestsPerSecond)}>
        {point !== null && `${countWords(point.connections)} connections`}
      </Fact>
      <Fact name="Time to answer, p99" value={p99 === null ? '–' : durationWords(p99)}>
        {point !== null && p99 === null && 'nothing was asked just now'}
      </Fact>
      <Fact
        name="Running for"
        value={
          latest === null ? '–' : uptimeWords(latest.atMs / 1000 - latest.control.startedAtSeconds)
        }
      />
      <Fact
        name="Webhooks"
        value={latest === null ? '–' : webhookWords(latest.webhooks)}
        tone={(latest?.webhooks.failing ?? 0) > 0 ? 'warning' : 'plain'}
      >
        {(latest?.webhooks.pending ?? 0) > 0 && `${latest?.webhooks.pending} messages wait`}
      </Fact>
    </SimpleGrid>
  );
}

type Tone = 'good' | 'warning' | 'bad' | 'plain';

function stateOf(
  isReady: boolean | null,
  isStoreAway: boolean,
  { isAlarming, share, reasons }: RefusedShare,
): FactProps {
  if (isReady === null) return { value: '–' };
  if (!isReady) {
    const children = 'No listener serves, or a saved edit is not published. The log says why.';
    return { value: 'Not ready', tone: 'bad', children };
  }
  if (isStoreAway) {
    const children = 'Players are served; edits are refused: the store is away';
    return { value: 'Ready', tone: 'bad', children };
  }
  if (isAlarming) {
    const [first] = reasons;
    const most = first === undefined ? '' : `, most of them with ${first.code}`;
    const children = `${percentWords(share ?? 0)} of the requests were refused${most}: see Refused requests`;
    return { value: 'Ready, but refusing', tone: 'warning', children };
  }
  return { value: 'Ready', tone: 'good', children: 'Players are served, edits reach them' };
}

const reasonsNamedMax = 3;

function RefusedFact({ refused }: { readonly refused: RefusedShare }) {
  const { requests, share, reasons, isAlarming } = refused;
  const named = reasons
    .slice(0, reasonsNamedMax)
    .map(({ code, count }) => `${code} ${countWords(count)}`);
  const words =
    share === null
      ? 'no requests yet'
      : refused.refused === 0
        ? `none of ${countWords(requests)}`
        : `${countWords(refused.refused)} of ${countWords(requests)}: ${named.join(', ')}`;
  return (
    <Fact
      name="Refused since this page was opened"
      value={share === null ? '–' : percentWords(share)}
      tone={isAlarming ? 'warning' : 'plain'}
    >
      {words}
    </Fact>
  );
}

interface FactProps {
  readonly value: string;
  readonly tone?: Tone;
  readonly children?: ReactNode;
}

const toneColor: Readonly<Record<Tone, string | undefined>> = {
  good: 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))',
  warning: 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))',
  bad: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))',
  plain: undefined,
};

function Fact({ name, value, tone = 'plain', children }: FactProps & { readonly name: string }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed" component="dt">
        {name}
      </Text>
      <Text component="dd" m={0} fw={650} size="xl" c={toneColor[tone]} lh={1.4}>
        {tone === 'warning' && (
          <IconAlertTriangle size={18} className={classes['warning']} aria-hidden />
        )}
        {value}
        <Text span display="block" size="xs" c="dimmed" fw={400} mih={19}>
          {children}
        </Text>
      </Text>
    </Paper>
  );
}

interface Webhooks {
  readonly failing: number;
  readonly disabled: number;
}

/** What of the webhooks somebody should look at, if anything. */
function webhookWords({ failing, disabled }: Webhooks): string {
  if (failing > 0) return `${failing} failing`;
  return disabled > 0 ? `${disabled} off` : 'None failing';
}
