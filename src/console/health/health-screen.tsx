/** Health: whether players are served, how fast, and at what cost, over the last ten minutes. */
import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Switch, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Page } from '../parts/page.js';
import { ChartCard } from './charts/chart-card.js';
import { chartsOf, type RequestsBy } from './charts/chart-lines.js';
import { EndedStreams } from './ended-streams.js';
import { NodesSection } from './nodes-section.js';
import { ProcessesTable } from './processes-table.js';
import { RejectedSection } from './rejected-section.js';
import { rejectedShare } from './rejected-share.js';
import { ServerSummary } from './server-summary.js';
import { useServerWatch } from './server-watch.js';
import { streamTotals } from './stream-totals.js';

export function HealthScreen() {
  const watched = useServerWatch();
  const { history } = watched;
  const { moments } = history;
  const [requestsBy, setRequestsBy] = useState<RequestsBy>('endpoint');
  const [asTables, setAsTables] = useState(false);
  const charts = useMemo(() => chartsOf(moments, requestsBy), [moments, requestsBy]);
  const rejected = useMemo(() => rejectedShare(moments), [moments]);
  const isFirst = history.latest === null && moments.length === 0;
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
    <Page
      title="Health"
      description="Live server metrics, every two seconds while this tab is visible. Prometheus reads the same numbers at /metrics."
    >
      <section aria-label="This server">
        {isFirst ? (
          <Skeleton height={94} />
        ) : (
          <ServerSummary watched={watched} rejected={rejected} />
        )}
      </section>
      <RejectedSection rejected={rejected} />
      {history.latest !== null && (
        <EndedStreams ended={streamTotals(history.latest.deliveryProcesses).ended} />
      )}
      <NodesSection />
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          The last ten minutes
        </Title>
        <Switch
          label="Tables instead of charts"
          checked={asTables}
          onChange={(event) => setAsTables(event.currentTarget.checked)}
        />
      </Group>
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
      <Stack gap="xs" mih={200}>
        <Title order={2} size="h4">
          Processes
        </Title>
        {isFirst ? <Skeleton height={120} /> : <ProcessesTable history={history} />}
      </Stack>
    </Page>
  );
}
