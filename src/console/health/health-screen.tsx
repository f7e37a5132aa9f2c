/** Health: whether players are served, how fast, and at what cost, over the last ten minutes. */
import {
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Title,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { Page } from '../parts/page.js';
import { ChartCard } from './charts/chart-card.js';
import { chartsOf, type RequestsBy } from './charts/chart-lines.js';
import { ListenersTable } from './listeners-table.js';
import { NodesSection } from './nodes-section.js';
import { RefusedSection } from './refused-section.js';
import { refusedShare } from './refused-share.js';
import { ServerSummary } from './server-summary.js';
import { useServerWatch } from './use-server-watch.js';

export function HealthScreen() {
  const watched = useServerWatch();
  const { history } = watched;
  const [requestsBy, setRequestsBy] = useState<RequestsBy>('endpoint');
  const [asTables, setAsTables] = useState(false);
  const charts = useMemo(
    () => chartsOf(history.moments, requestsBy),
    [history.moments, requestsBy],
  );
  const refused = useMemo(() => refusedShare(history.moments), [history.moments]);
  const isFirst = history.latest === null && history.moments.length === 0;
  return (
    <Page
      title="Health"
      description="What the server measures of itself, every two seconds, while this tab is seen. Prometheus reads the same numbers at /metrics."
    >
      <section aria-label="This server">
        {isFirst ? <Skeleton height={94} /> : <ServerSummary watched={watched} refused={refused} />}
      </section>
      <RefusedSection refused={refused} />
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
            control={
              at === 0 ? <RequestsControl value={requestsBy} onChange={setRequestsBy} /> : undefined
            }
          />
        ))}
      </SimpleGrid>
      <Stack gap="xs" mih={200}>
        <Title order={2} size="h4">
          Processes
        </Title>
        <Paper withBorder>
          {isFirst ? <Skeleton height={120} /> : <ListenersTable history={history} />}
        </Paper>
      </Stack>
    </Page>
  );
}

interface RequestsControlProps {
  readonly value: RequestsBy;
  readonly onChange: (value: RequestsBy) => void;
}

function RequestsControl({ value, onChange }: RequestsControlProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Requests by"
      value={value}
      onChange={(chosen) => onChange(chosen === 'status' ? 'status' : 'endpoint')}
      data={[
        { value: 'endpoint', label: 'By kind' },
        { value: 'status', label: 'By status' },
      ]}
    />
  );
}
