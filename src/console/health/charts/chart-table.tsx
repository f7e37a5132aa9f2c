/** The numbers of a chart, newest first, half a minute apart (of an hour: three minutes), with what was published between. */
import { ScrollArea, Table, Text } from '@mantine/core';
import type { Chart } from './chart-lines.js';
import { tableRows } from './chart-rows.js';
import { clockTime } from './line-chart.js';
import { describeMark } from './publish-marks.js';

export function ChartTable({ chart }: { readonly chart: Chart }) {
  const { times, lines, format, title, marks } = chart;
  const rows = tableRows(chart);
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
            {marks.length > 0 && <Table.Th>Published until then</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ at, published }) => (
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
              {marks.length > 0 && <Table.Td>{published.map(describeMark).join(', ')}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
