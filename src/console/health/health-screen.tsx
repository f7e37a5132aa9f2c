/** Health: what is wrong, whether players are served, how fast and at what cost, over the last ten minutes or the last hour. */
import {
  Group,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Text,
  Title,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { Page } from '../parts/page.js';
import { ChangesSection } from './changes-section.js';
import { ChartCard } from './charts/chart-card.js';
import { chartsOf, type RequestsBy } from './charts/chart-lines.js';
import { type History, momentsIn, type Span, spans } from './charts/metrics-history.js';
import { marksOf } from './charts/publish-marks.js';
import { EndedStreams } from './ended-streams.js';
import { useFindings, usePublishedChanges, useRejections } from './health-queries.js';
import { NodesSection } from './nodes-section.js';
import { formatUptime } from './number-format.js';
import { ProcessesTable } from './processes-table.js';
import { RejectedSection } from './rejected-section.js';
import { ServerSummary } from './server-summary.js';
import { useServerWatch } from './server-watch.js';
import { streamTotals } from './stream-totals.js';
import { WhatIsWrong } from './what-is-wrong.js';

export function HealthScreen() {
  const watched = useServerWatch();
  const { history } = watched;
  const findings = useFindings();
  const rejections = useRejections();
  const isFirst = history.latest === null && history.moments.length === 0;
  return (
    <Page
      title="Health"
      description="Live server metrics, every two seconds while this tab is visible. Prometheus reads the same numbers at /metrics."
    >
      <WhatIsWrong isStoreAway={watched.isStoreAway} />
      <section aria-label="This server">
        {isFirst ? (
          <Skeleton height={94} />
        ) : (
          <ServerSummary
            watched={watched}
            state={findings.data?.state}
            rejections={rejections.data}
          />
        )}
      </section>
      <RejectedSection rejections={rejections.data} />
      {history.latest !== null && (
        <EndedStreams ended={streamTotals(history.latest.deliveryProcesses).ended} />
      )}
      <NodesSection />
      <Charts history={history} />
      <Stack gap="xs" mih={200} id="processes">
        <Title order={2} size="h4">
          Processes
        </Title>
        {isFirst ? <Skeleton height={120} /> : <ProcessesTable history={history} />}
      </Stack>
    </Page>
  );
}

const spanTitles: Readonly<Record<Span, string>> = {
  '10 min': 'The last ten minutes',
  '1 h': 'The last hour',
};

function Charts({ history }: { readonly history: History }) {
  const [requestsBy, setRequestsBy] = useState<RequestsBy>('endpoint');
  const [span, setSpan] = useState<Span>('10 min');
  const [asTables, setAsTables] = useState(false);
  const published = usePublishedChanges();
  const { charts, marks } = useMemo(() => {
    const nowMs = Date.now();
    const shown = marksOf(published.data?.changes ?? [], span, nowMs);
    const moments = momentsIn(history, span, nowMs);
    return { charts: chartsOf(moments, { requestsBy, span, marks: shown }), marks: shown };
  }, [history, span, requestsBy, published.data]);
  const requestsControl = (
    <SegmentedControl
      size="xs"
      aria-label="Requests by"
      value={requestsBy}
      onChange={setRequestsBy}
      data={[
        { value: 'endpoint', label: 'By kind' },
        { value: 'status', label: 'By status' },
      ]}
    />
  );
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {spanTitles[span]}
        </Title>
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label="Time that the charts show"
            value={span}
            onChange={setSpan}
            data={Object.keys(spans) as Span[]}
          />
          <Switch
            label="Tables instead of charts"
            checked={asTables}
            onChange={(event) => setAsTables(event.currentTarget.checked)}
          />
        </Group>
      </Group>
      <StartNotice history={history} span={span} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {charts.map((chart, at) => (
          <ChartCard
            key={chart.title}
            chart={chart}
            asTable={asTables}
            control={at === 0 && requestsControl}
          />
        ))}
      </SimpleGrid>
      <ChangesSection marks={marks} isCut={published.data?.leftOut === true} />
    </>
  );
}

/** The server keeps its history in memory: before its start there is none. */
function StartNotice({ history, span }: { readonly history: History; readonly span: Span }) {
  const { latest } = history;
  if (latest === null) return null;
  const seconds = (latest.atMs - Date.parse(latest.control.startedAt)) / 1_000;
  if (seconds >= spans[span]) return null;
  return (
    <Text size="sm" c="dimmed">
      This server started {formatUptime(seconds)} ago. It has no figures of the time before.
    </Text>
  );
}
