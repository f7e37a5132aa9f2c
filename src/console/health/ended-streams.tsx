/** Why streams ended since the delivery processes started. Absent if none has. */
import { Stack, Table, Title } from '@mantine/core';
import { type Column, DataTable, NumberCells } from './data-table.js';
import { formatCount } from './number-format.js';
import { describeEnding, type StreamTotals } from './stream-totals.js';

const columns: readonly Column[] = [
  { name: 'Reason' },
  { name: 'Streams', isNumber: true },
  { name: 'What it means' },
];

export function EndedStreams({ ended }: Pick<StreamTotals, 'ended'>) {
  if (ended.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Ended streams">
      <Title order={2} size="h4">
        Ended streams
      </Title>
      <DataTable label="Ended streams" columns={columns} widthMin={560} wraps>
        {ended.map(({ reason, count }) => (
          <Table.Tr key={reason}>
            <Table.Td className="mono">{reason}</Table.Td>
            <NumberCells values={[formatCount(count)]} />
            <Table.Td>{describeEnding(reason)}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Stack>
  );
}
