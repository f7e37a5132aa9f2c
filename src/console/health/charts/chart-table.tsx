/** The numbers of a chart, newest first, half a minute apart. */
import { ScrollArea, Table, Text } from '@mantine/core';
import type { Chart } from './chart-lines.js';
import { clockTime } from './line-chart.js';

/** Points between two rows. */
const step = 15;

export function ChartTable({ chart }: { readonly chart: Chart }) {
  const { times, lines, format, title } = chart;
  const rows: number[] = [];
  for (let at = times.length - 1; at >= 0; at -= step) rows.push(at);
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed" py="md">
        The first numbers come in a few seconds.
      </Text>
    );
  }
  return (
    <ScrollArea.Autosize
      mah={230}
      mt="xs"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `${title}, as a table` }}
    >
      <Table stickyHeader striped verticalSpacing={4} fz="sm" tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            {lines.map(({ label }) => (
              <Table.Th key={label} ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((at) => (
            <Table.Tr key={times[at]}>
              <Table.Th fw={400}>{clockTime(times[at] ?? 0)}</Table.Th>
              {lines.map(({ label, values }) => {
                const value = values[at] ?? null;
                return (
                  <Table.Td key={label} ta="right">
                    {value === null ? '–' : format(value)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
