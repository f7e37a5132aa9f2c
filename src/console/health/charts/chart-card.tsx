/** One chart: its title, what its lines are now (or where the pointer is), and the lines, or a table of them. */
import { Group, Paper, Text, Title, useComputedColorScheme } from '@mantine/core';
import { memo, type ReactNode, useState } from 'react';
import { type Chart, type ChartLine, lineSummary } from './chart-lines.js';
import { ChartTable } from './chart-table.js';
import { clockTime, LineChart, lineColorName } from './line-chart.js';
import classes from './line-chart.module.css';
import { describeMark, marksNear, marksSummary } from './publish-marks.js';

export interface ChartCardProps {
  readonly chart: Chart;
  readonly asTable: boolean;
  /** A control at the right of the title. */
  readonly control?: ReactNode;
}

export const ChartCard = memo(function ChartCard({ chart, asTable, control }: ChartCardProps) {
  const [at, setAt] = useState<number | null>(null);
  const summary = chart.lines.map((line) => lineSummary(line, chart.format)).join(' ');
  const pointed = at === null ? undefined : chart.times[at];
  const near = pointed === undefined ? [] : marksNear(chart.marks, pointed, chart.span);
  return (
    <Paper
      withBorder
      p="md"
      pb="xs"
      component="section"
      aria-label={chart.title}
      className={classes['card']}
    >
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={3} size="h5">
          {chart.title}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {pointed === undefined
              ? chart.hint
              : [`at ${clockTime(pointed)}`, ...near.map(describeMark)].join(' · ')}
          </Text>
        </Title>
        {control}
      </Group>
      {asTable ? (
        <ChartTable chart={chart} />
      ) : (
        <>
          <Group component="ul" gap="2px 16px" className={classes['legend']}>
            {chart.lines.map((line) => (
              <li key={line.label}>
                <LegendEntry line={line} chart={chart} at={at} />
              </li>
            ))}
          </Group>
          <LineChart
            chart={chart}
            label={[`${chart.title}, ${chart.hint}.`, summary, marksSummary(chart.marks)]
              .join(' ')
              .trim()}
            onPoint={setAt}
          />
        </>
      )}
    </Paper>
  );
});

interface LegendEntryProps {
  readonly line: ChartLine;
  readonly chart: Chart;
  readonly at: number | null;
}

function LegendEntry({ line, chart, at }: LegendEntryProps) {
  // The shade depends on it.
  useComputedColorScheme('light');
  const value = (at === null ? line.values.at(-1) : line.values[at]) ?? null;
  return (
    <Group gap={6} wrap="nowrap">
      <svg width={26} height={8} aria-hidden="true">
        <line
          x1={1}
          x2={25}
          y1={4}
          y2={4}
          strokeWidth={2.5}
          strokeDasharray={line.dash.join(' ')}
          style={{ stroke: `var(${lineColorName(line.color)})` }}
        />
      </svg>
      <span>{line.label}</span>
      <Text span fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value === null ? '–' : chart.format(value)}
      </Text>
    </Group>
  );
}
