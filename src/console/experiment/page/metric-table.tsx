/** The metrics of an experiment: each variant beside the control, with its interval drawn and its verdict in words. */
import { Badge, Box, Group, Table, Text, Title } from '@mantine/core';
import { type EffectScale, scaleOf } from '../../../contract/results/effect-scale.js';
import {
  formatEffect,
  formatInterval,
  formatMean,
  formatWhole,
  meanWords,
} from '../../../contract/results/effect-words.js';
import type { Comparison, MetricResult } from '../../../contract/schemas/experiment-results.js';
import { IntervalBar, ScaleAxis } from './interval-bar.js';
import classes from './intervals.module.css';
import { VariantName } from './variant-name.js';

export interface MetricTableProps {
  readonly metrics: readonly MetricResult[];
  /** Names in the order of the rule, which gives each its colour. */
  readonly variants: readonly string[];
  readonly control: string;
  /** When a result is due: a sentence on how certain the intervals are. */
  readonly label: string;
}

const roleLabels = { primary: 'Primary', guard: 'Guard', other: 'Other' } as const;

export function MetricTable({ metrics, variants, control, label }: MetricTableProps) {
  return (
    <Box tabIndex={0} role="region" aria-label={label} style={{ overflowX: 'auto' }}>
      <Table verticalSpacing={6} horizontalSpacing={6} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Variant</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              Players
            </Table.Th>
            <Table.Th ta="right">Value</Table.Th>
            <Table.Th>Change against {control}</Table.Th>
            <Table.Th visibleFrom="sm">Verdict</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {metrics.map((metric) => (
          <MetricRows key={metric.name} metric={metric} variants={variants} control={control} />
        ))}
      </Table>
    </Box>
  );
}

interface MetricRowsProps extends Omit<MetricTableProps, 'metrics' | 'label'> {
  readonly metric: MetricResult;
}

function MetricRows({ metric, variants, control }: MetricRowsProps) {
  const scale = scaleOf(metric.comparisons);
  const comparisonOf = new Map(metric.comparisons.map((one) => [one.variant, one]));
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th colSpan={5} scope="colgroup" pt="md">
          <MetricHead metric={metric} />
        </Table.Th>
      </Table.Tr>
      <Table.Tr aria-hidden className={classes['scaleRow']}>
        <Table.Td colSpan={2} />
        <Table.Td visibleFrom="sm" />
        <Table.Td>
          <ScaleAxis scale={scale} />
        </Table.Td>
        <Table.Td visibleFrom="sm" />
      </Table.Tr>
      {metric.variants.map(({ name, users, mean }) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" fw={400}>
            <VariantName name={name} place={variants.indexOf(name)} />
          </Table.Th>
          <Table.Td ta="right" visibleFrom="sm">
            {formatWhole(users)}
          </Table.Td>
          <Table.Td ta="right" className={classes['number']} title={meanWords[metric.kind]}>
            {formatMean(metric.kind, mean)}
          </Table.Td>
          {name === control ? (
            <Table.Td colSpan={2} c="dimmed">
              the control
            </Table.Td>
          ) : (
            <ComparisonCells comparison={comparisonOf.get(name)} scale={scale} />
          )}
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
}

function MetricHead({ metric }: { readonly metric: MetricResult }) {
  const { name, role, kind, direction, clientReported } = metric;
  return (
    <Group gap={8}>
      <Title order={3} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <Badge size="sm" variant={role === 'primary' ? 'filled' : 'default'}>
        {roleLabels[role]}
      </Badge>
      {clientReported && (
        <Badge size="sm" variant="outline" color="orange">
          Client-reported
        </Badge>
      )}
      <Text span size="xs" c="dimmed" fw={400}>
        {meanWords[kind]}, {direction === 'up' ? 'more' : 'less'} is better
      </Text>
    </Group>
  );
}

interface ComparisonCellsProps {
  readonly comparison: Comparison | undefined;
  readonly scale: EffectScale;
}

function ComparisonCells({ comparison, scale }: ComparisonCellsProps) {
  if (comparison === undefined) return <Table.Td colSpan={2}>not compared yet</Table.Td>;
  const { effect, interval } = comparison;
  return (
    <>
      <Table.Td>
        <div className={classes['change']}>
          <Text size="sm">
            <strong>{formatEffect(effect)}</strong>{' '}
            <Text span size="xs" c="dimmed">
              {formatInterval(interval)}
            </Text>
          </Text>
          <IntervalBar comparison={comparison} scale={scale} />
          <Box hiddenFrom="sm">
            <Verdict of={comparison} />
          </Box>
        </div>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Verdict of={comparison} />
      </Table.Td>
    </>
  );
}

function Verdict({ of: { verdict } }: { readonly of: Comparison }) {
  if (verdict === 'no_decision') {
    return (
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        No decision yet
      </Text>
    );
  }
  return (
    <Badge variant="light" color={verdict === 'better' ? 'teal' : 'red'}>
      {verdict === 'better' ? 'Better' : 'Worse'}
    </Badge>
  );
}
