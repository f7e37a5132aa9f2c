/** The metric that decides an experiment, and the metrics that must not get worse. */
import { Alert, Anchor, MultiSelect, Select, Text } from '@mantine/core';
import { guardMetricsMax } from '../../../contract/limits.js';
import type { Metric } from '../../../contract/schemas/metric.js';
import { describeMetric } from '../../experiments/words/metric-words.js';
import type { PlanForm } from './plan-form.js';

export interface MetricFieldsProps {
  readonly form: PlanForm;
  readonly metrics: readonly Metric[];
  /** Defines a metric while the form stays as it is; left out where that is not offered. */
  readonly onDefine?: () => void;
}

export function MetricFields({ form, metrics, onDefine }: MetricFieldsProps) {
  const { primaryMetric, guardMetrics } = form.values;
  // A metric may have been deleted since: its name stays in the plan until someone removes it.
  const names = [
    ...new Set([
      ...metrics.map(({ name }) => name),
      ...guardMetrics,
      ...(primaryMetric === null ? [] : [primaryMetric]),
    ]),
  ];
  const primary = metrics.find(({ name }) => name === primaryMetric);
  return (
    <>
      {metrics.length === 0 && (
        <Alert color="blue" variant="light" p="xs">
          No metric is defined here yet. A metric says which events of the game count, such as the
          share of players who buy.
        </Alert>
      )}
      <Select
        label="Primary metric"
        description="The one that decides. Choose it before you see results."
        data={names}
        clearable
        searchable={names.length > 8}
        placeholder="None"
        {...form.getInputProps('primaryMetric')}
      />
      {primary !== undefined && (
        <Text size="xs" c="dimmed">
          {describeMetric(primary)}
        </Text>
      )}
      <MultiSelect
        label="Guard metrics"
        description="They must not get worse, whatever the primary metric does."
        data={names.filter((name) => name !== primaryMetric)}
        maxValues={guardMetricsMax}
        searchable
        clearable
        {...form.getInputProps('guardMetrics')}
      />
      {onDefine !== undefined && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={onDefine}>
          Define a metric…
        </Anchor>
      )}
    </>
  );
}
