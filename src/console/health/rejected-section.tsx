/** Why requests were rejected in the minutes that the charts show, and where to look. Absent if none was. */
import { Stack, Table, Text, Title } from '@mantine/core';
import { type Column, DataTable, NumberCells } from './data-table.js';
import { formatCount, formatPercent } from './number-format.js';
import type { RejectedShare } from './rejected-share.js';
import { rejectionHint } from './rejection-hints.js';

const reasonsShownMax = 8;

const columns: readonly Column[] = [
  { name: 'Code' },
  { name: 'Requests', isNumber: true },
  { name: 'Share of all', isNumber: true },
  { name: 'What it means, and where to look' },
];

export function RejectedSection({ rejected }: { readonly rejected: RejectedShare }) {
  const { reasons, requests } = rejected;
  if (reasons.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Rejected requests">
      <Title order={2} size="h4">
        Rejected requests
      </Title>
      <DataTable label="Reasons" columns={columns} widthMin={560} wraps>
        {reasons.slice(0, reasonsShownMax).map(({ code, count }) => {
          const { means, look } = rejectionHint(code);
          const share = requests === 0 ? '–' : formatPercent(count / requests);
          return (
            <Table.Tr key={code}>
              <Table.Td className="mono">{code}</Table.Td>
              <NumberCells values={[formatCount(count), share]} />
              <Table.Td>
                {means}
                <Text span size="sm" c="dimmed" display="block">
                  {look}
                </Text>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </DataTable>
    </Stack>
  );
}
