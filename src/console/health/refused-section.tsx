/** Why requests were rejected in the minutes that the charts show, and where to look; nothing while none was. */
import { Paper, ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { countWords, percentWords } from './number-words.js';
import { refusalWords } from './refusal-words.js';
import type { RefusedShare } from './refused-share.js';

const reasonsShownMax = 8;

export function RefusedSection({ refused }: { readonly refused: RefusedShare }) {
  const { reasons, requests } = refused;
  if (reasons.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Refused requests">
      <Title order={2} size="h4">
        Refused requests
      </Title>
      <Paper withBorder>
        <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Reasons' }}>
          <Table tabularNums verticalSpacing="xs" miw={560} aria-label="Reasons for refusal">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Code</Table.Th>
                <Table.Th ta="right">Requests</Table.Th>
                <Table.Th ta="right">Share of all</Table.Th>
                <Table.Th>What it means, and where to look</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reasons.slice(0, reasonsShownMax).map(({ code, count }) => {
                const { means, look } = refusalWords(code);
                return (
                  <Table.Tr key={code}>
                    <Table.Td className="mono">{code}</Table.Td>
                    <Table.Td ta="right">{countWords(count)}</Table.Td>
                    <Table.Td ta="right">
                      {requests === 0 ? '–' : percentWords(count / requests)}
                    </Table.Td>
                    <Table.Td>
                      {means}
                      <Text span size="sm" c="dimmed" display="block">
                        {look}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      </Paper>
    </Stack>
  );
}
