/** The state of the server in a few numbers. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { latestPoint } from './metrics-history.js';
import { countWords, durationWords, rateWords, uptimeWords } from './number-words.js';
import type { Watched } from './server-watch.js';

export function ServerSummary({ watched }: { readonly watched: Watched }) {
  const { history, isReady, isStoreAway } = watched;
  const { latest } = history;
  const point = latestPoint(history);
  const serving = latest?.listeners.length ?? 0;
  const behind = latest?.listeners.filter(({ sequence }) => sequence < latest.sequence).length ?? 0;
  const p99 = point?.latency.p99 ?? null;
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="sm" component="dl" m={0}>
      <Fact
        name="State"
        value={isReady === null ? '–' : isReady ? 'Ready' : 'Not ready'}
        tone={isReady === null ? 'plain' : isReady && !isStoreAway ? 'good' : 'bad'}
      >
        {isReady === false
          ? 'No listener serves, or a saved edit is not published. The log says why.'
          : isReady === true &&
            (isStoreAway
              ? 'Players are served; edits are refused: the store is away'
              : 'Players are served, edits reach them')}
      </Fact>
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
      >
        {latest !== null && webhookWords(latest.webhooks)}
      </Fact>
    </SimpleGrid>
  );
}

type Tone = 'good' | 'bad' | 'plain';

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: Tone;
  readonly children?: ReactNode;
}

const toneColor: Readonly<Record<Tone, string | undefined>> = {
  good: 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))',
  bad: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))',
  plain: undefined,
};

function Fact({ name, value, tone = 'plain', children }: FactProps) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed" component="dt">
        {name}
      </Text>
      <Text component="dd" m={0} fw={650} size="xl" c={toneColor[tone]} lh={1.4}>
        {value}
        <Text span display="block" size="xs" c="dimmed" fw={400} mih={19}>
          {children}
        </Text>
      </Text>
    </Paper>
  );
}

interface Webhooks {
  readonly pending: number;
  readonly failing: number;
  readonly disabled: number;
}

/** What of the webhooks somebody should look at, if anything. */
function webhookWords({ pending, failing, disabled }: Webhooks): string {
  if (failing > 0) return `${failing} ${failing === 1 ? 'webhook fails' : 'webhooks fail'}`;
  if (disabled > 0) return `${disabled} ${disabled === 1 ? 'webhook is' : 'webhooks are'} off`;
  return pending > 0 ? `${pending} webhook messages wait` : '';
}
