/** How the effect on the primary metric has settled from day to day: a chart of one variant, or a table of all. */
import { Group, ScrollArea, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { formatEffect, formatInterval } from '../../../contract/results/effect-words.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { dayLabel } from '../../experiments/words/days.js';
import { Waiting } from '../../parts/waiting.js';
import { daysOfVariant, describeCut, describeDays, type EffectDay } from '../words/cumulative.js';
import { TableSwitch } from './table-switch.js';

const CumulativeChart = lazy(async () => ({
  default: (await import('./cumulative-chart.js')).CumulativeChart,
}));

export interface CumulativeSectionProps {
  readonly cumulative: Results['cumulative'];
  /** Name of the primary metric. */
  readonly metric: string;
}

export function CumulativeSection({ cumulative, metric }: CumulativeSectionProps) {
  const variants = useMemo(
    () => [...new Set(cumulative.map(({ variant }) => variant))],
    [cumulative],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [asTable, setAsTable] = useState(false);
  const variant = variants.find((name) => name === chosen) ?? variants[0];
  const days = useMemo(
    () => (variant === undefined ? [] : daysOfVariant(cumulative, variant)),
    [cumulative, variant],
  );
  const cut = useMemo(() => describeCut(days), [days]);
  if (variant === undefined) return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="over-time-title">
      <Title order={2} size="h4" id="over-time-title">
        Over time
      </Title>
      <Text size="sm" c="dimmed">
        The effect on {metric} with all data up to each day. The band is where the effect may lie;
        it stays valid however often you look.
      </Text>
      <Group justify="space-between" gap="xs">
        {variants.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label="Variant"
            data={variants}
            value={variant}
            onChange={setChosen}
          />
        ) : (
          <Text size="sm" fw={600}>
            {variant}
          </Text>
        )}
        <TableSwitch asTable={asTable} onChange={setAsTable} />
      </Group>
      {asTable ? (
        <DayTable days={days} />
      ) : (
        <Suspense fallback={<Waiting label="Loading the chart" height={220} />}>
          <CumulativeChart days={days} label={describeDays(days, variant, metric)} />
          {cut !== null && (
            <Text size="xs" c="dimmed">
              {cut}
            </Text>
          )}
        </Suspense>
      )}
    </Stack>
  );
}

function DayTable({ days }: { readonly days: readonly EffectDay[] }) {
  return (
    <ScrollArea.Autosize
      mah={320}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Effect by day' }}
    >
      <Table stickyHeader verticalSpacing={4} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Up to</Table.Th>
            <Table.Th ta="right">Effect</Table.Th>
            <Table.Th ta="right">Interval</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, effect, interval }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {dayLabel(day)}
              </Table.Th>
              <Table.Td ta="right">{formatEffect(effect)}</Table.Td>
              <Table.Td ta="right">{formatInterval(interval)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
