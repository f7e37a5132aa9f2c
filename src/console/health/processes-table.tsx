/** The processes of the server, one row each, with their current figures. */

import { Table, Text } from '@mantine/core';
import type { HistoryPoint } from '../../contract/operations/health/history.js';
import type { HealthFigures } from '../../contract/operations/health.js';
import { formatBytes } from '../parts/format-bytes.js';
import { exactTime } from '../parts/time/formats.js';
import { type History, latestPoint } from './charts/metrics-history.js';
import { type Column, DataTable, NumberCells, StateBadge } from './data-table.js';
import type { State } from './node-state.js';
import {
  formatCount,
  formatDuration,
  formatNumber,
  formatRate,
  formatUptime,
} from './number-format.js';

const numbers = [
  ...['Sequence', 'Requests', 'Connections', 'Streams'],
  ...['Memory', 'Cores', 'Loop delay', 'Cache'],
];

const columns: readonly Column[] = [
  { name: 'Process' },
  { name: 'State' },
  ...[...numbers, 'Uptime'].map((name) => ({ name, isNumber: true })),
  { name: 'Restarts', isNumber: true, hint: 'Seen while this page was open' },
];

export function ProcessesTable({ history }: { readonly history: History }) {
  const { latest, restarts } = history;
  const point = latestPoint(history);
  if (latest === null) {
    return (
      <Text size="sm" c="dimmed" p="md">
        Not known while the server does not respond.
      </Text>
    );
  }
  const { control } = latest;
  return (
    <DataTable label="Processes" columns={columns} widthMin={960}>
      {latest.deliveryProcesses.map((figures) => {
        const { slot, sequence } = figures;
        const now = point?.deliveryProcesses.find((known) => known.slot === slot);
        return (
          <Row
            key={slot}
            name={`delivery ${slot}`}
            state={stateOf(latest.sequence - sequence)}
            values={[
              formatCount(sequence),
              now === undefined || point === null
                ? unknown
                : formatRate(now.requests / point.seconds),
              formatCount(figures.connections),
              formatCount(figures.streams.open),
              ...loadOf(figures, now),
            ]}
            cache={figures}
            startedAt={figures.startedAt}
            restarts={formatCount(restarts.get(slot) ?? 0)}
          />
        );
      })}
      <Row
        name="control"
        state={{ label: 'manages', tone: 'plain' }}
        values={[
          formatCount(latest.sequence),
          ...[unknown, unknown, unknown],
          ...loadOf(control, point?.control),
        ]}
        startedAt={control.startedAt}
        restarts={unknown}
      />
    </DataTable>
  );
}

const unknown = '–';

/** Memory, cores and loop delay. */
function loadOf(
  figures: HealthFigures['control'],
  now: HistoryPoint['control'] | undefined,
): string[] {
  return [
    formatBytes(figures.residentBytes),
    now === undefined ? unknown : formatNumber(now.cores),
    formatDuration(figures.eventLoopDelayP99Seconds),
  ];
}

function stateOf(behind: number): State {
  return behind > 0
    ? { label: `${behind} behind`, tone: 'bad' }
    : { label: 'up to date', tone: 'good' };
}

interface RowProps {
  readonly name: string;
  readonly state: State;
  readonly values: readonly string[];
  /** Absent: it has none. */
  readonly cache?: { readonly cacheBytes: number; readonly cacheEntries: number };
  readonly startedAt: string;
  readonly restarts: string;
}

function Row({ name, state, values, cache, startedAt, restarts }: RowProps) {
  return (
    <Table.Tr>
      <Table.Th fw={600}>{name}</Table.Th>
      <Table.Td>
        <StateBadge {...state} />
      </Table.Td>
      <NumberCells values={values} />
      <Table.Td ta="right" title={cache && `${formatCount(cache.cacheEntries)} bodies`}>
        {cache === undefined ? unknown : formatBytes(cache.cacheBytes)}
      </Table.Td>
      <Table.Td ta="right" title={`since ${exactTime(startedAt)}`}>
        {formatUptime((Date.now() - Date.parse(startedAt)) / 1000)}
      </Table.Td>
      <Table.Td ta="right">{restarts}</Table.Td>
    </Table.Tr>
  );
}
