/** The metrics of an environment: which events of the game count, and how. Experiments choose among them. */
import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useParams } from 'wouter';
import type { Metric } from '../../../contract/schemas/metric.js';
import { request } from '../../api/call.js';
import { IconPencil, IconPlus, IconRuler2, IconTrash } from '../../icons/icons.js';
import { ActionMenu } from '../../parts/data/action-menu.js';
import { type Column, DataTable } from '../../parts/data/data-table.js';
import { Loaded } from '../../parts/data/loaded.js';
import { EmptyState } from '../../parts/empty-state.js';
import { askToConfirm } from '../../parts/form/ask-to-confirm.js';
import { notifyFailed } from '../../parts/notify.js';
import { Page } from '../../parts/page.js';
import { useExperimentAct, useMetrics } from '../experiment-queries.js';
import { useExperimentReadOnlyReason } from '../experiment-rights.js';
import { ExperimentTabs } from '../experiment-tabs.js';
import { describeMetric } from '../words/metric-words.js';
import { MetricDialog } from './metric-dialog.js';

export function MetricsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <MetricsOf key={env} env={env} />;
}

function MetricsOf({ env }: { readonly env: string }) {
  const metrics = useMetrics(env);
  const readOnlyReason = useExperimentReadOnlyReason(env);
  /** 'new': one that is being defined. */
  const [edited, setEdited] = useState<Metric | 'new' | null>(null);
  const mayEdit = readOnlyReason === null;
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      New metric
    </Button>
  );
  return (
    <Page
      title="Metrics"
      description="Which events of the game count, and how. Each is defined once and serves all experiments."
      actions={create}
    >
      <ExperimentTabs env={env} />
      <Loaded query={metrics} label="Loading the metrics" rows={4} rowHeight={56}>
        {({ metrics: rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconRuler2 aria-hidden />} title="No metrics yet" action={create}>
              The game sends events such as <span className="mono">purchase</span> with a value. A
              metric says what to make of them: the share of players who buy, revenue per player,
              who comes back on day 7. Games send events once the first metric is defined.
            </EmptyState>
          ) : (
            <MetricRows env={env} rows={rows} mayEdit={mayEdit} onEdit={setEdited} />
          )
        }
      </Loaded>
      {edited !== null && (
        <MetricDialog
          env={env}
          metric={edited === 'new' ? null : edited}
          known={metrics.data?.metrics ?? []}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}

interface MetricRowsProps {
  readonly env: string;
  readonly rows: readonly Metric[];
  readonly mayEdit: boolean;
  readonly onEdit: (metric: Metric) => void;
}

function MetricRows({ env, rows, mayEdit, onEdit }: MetricRowsProps) {
  const removing = useExperimentAct(env, () => {});
  const { mutate } = removing;
  const columns = useMemo(() => {
    const remove = ({ name }: Metric): void =>
      askToConfirm({
        title: `Delete ${name}?`,
        text: 'Events that have come are kept; with the same definition it can be made again.',
        confirm: 'Delete',
        color: 'red',
        onConfirm: () =>
          mutate(
            () => request('DELETE /environments/:env/metrics/:name', { params: { env, name } }),
            { onError: notifyFailed },
          ),
      });
    return columnsOf(mayEdit ? { onEdit, onRemove: remove } : null);
  }, [env, mayEdit, mutate, onEdit]);
  return (
    <DataTable aria-label="Metrics" columns={columns} rows={rows} keyOf={({ name }) => name} />
  );
}

interface RowActs {
  readonly onEdit: (metric: Metric) => void;
  readonly onRemove: (metric: Metric) => void;
}

/** @param acts null: the user may change nothing */
function columnsOf(acts: RowActs | null): Column<Metric>[] {
  const columns: Column<Metric>[] = [
    {
      title: 'Metric',
      isHeader: true,
      cell: (metric) => (
        <Box style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            {metric.name}
          </Text>
          {metric.description !== '' && (
            <Text size="xs" c="dimmed" fw={400}>
              {metric.description}
            </Text>
          )}
          <Text size="xs" c="dimmed" fw={400} hiddenFrom="sm">
            {describeMetric(metric)}
          </Text>
        </Box>
      ),
    },
    {
      title: 'What counts',
      visibleFrom: 'sm',
      cell: (metric) => <Text size="sm">{describeMetric(metric)}</Text>,
    },
    {
      title: 'Better',
      cell: ({ direction }) => <Text size="sm">{direction === 'up' ? 'more' : 'less'}</Text>,
    },
    {
      title: 'Reported by',
      visibleFrom: 'sm',
      cell: ({ trusted }) => (
        <Badge variant="outline" miw="max-content" color={trusted ? 'teal' : 'orange'}>
          {trusted ? 'Trusted server' : 'Client-reported'}
        </Badge>
      ),
    },
  ];
  if (acts === null) return columns;
  return [
    ...columns,
    {
      title: 'Actions',
      isTitleHidden: true,
      ta: 'right',
      w: 60,
      cell: (metric) => (
        <Group justify="flex-end">
          <ActionMenu
            label={`Actions for ${metric.name}`}
            groups={[
              {
                actions: [{ label: 'Edit…', icon: IconPencil, onClick: () => acts.onEdit(metric) }],
              },
              {
                actions: [
                  {
                    ...{ label: 'Delete…', icon: IconTrash, color: 'red' },
                    onClick: () => acts.onRemove(metric),
                  },
                ],
              },
            ]}
          />
        </Group>
      ),
    },
  ];
}
