/** The revisions of a segment in a table, two of which are chosen to be compared. */
import { Badge, Button, Group, Radio, Table, Text } from '@mantine/core';
import type { SegmentRevisionSummary } from '../../../contract/operations/segment-history.js';
import { NoteCell, SavedCell } from '../../parts/revision-cells.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import type { ComparedPair } from './compared-pair.js';

export interface SegmentHistoryTableProps extends ComparedPair {
  readonly rows: readonly SegmentRevisionSummary[];
  readonly mayEdit: boolean;
  readonly onPair: (pair: Partial<ComparedPair>) => void;
  readonly onGoBack: (row: SegmentRevisionSummary) => void;
}

export function SegmentHistoryTable(props: SegmentHistoryTableProps) {
  const { rows, from, to, mayEdit, onPair, onGoBack } = props;
  const isNarrow = useIsNarrow();
  return (
    <Table.ScrollContainer
      minWidth={isNarrow ? 0 : 640}
      maxHeight={420}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Revisions"
    >
      <Table stickyHeader highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={1}>From</Table.Th>
            <Table.Th w={1}>To</Table.Th>
            <Table.Th>Revision</Table.Th>
            {!isNarrow && (
              <>
                <Table.Th>Saved</Table.Th>
                <Table.Th>Note</Table.Th>
              </>
            )}
            {mayEdit && <Table.Th>Actions</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const { revision, current } = row;
            return (
              <Table.Tr key={revision}>
                <Table.Td>
                  <Radio
                    name="segment-from"
                    aria-label={`Compare from r${revision}`}
                    checked={from === revision}
                    onChange={() => onPair({ from: revision })}
                  />
                </Table.Td>
                <Table.Td>
                  <Radio
                    name="segment-to"
                    aria-label={`Compare to r${revision}`}
                    checked={to === revision}
                    onChange={() => onPair({ to: revision })}
                  />
                </Table.Td>
                <Table.Td>
                  <Group gap={6} wrap={isNarrow ? 'wrap' : 'nowrap'}>
                    <Text size="sm" fw={600}>
                      r{revision}
                    </Text>
                    {current && (
                      <Badge size="sm" color="teal" variant="dot" flex="none">
                        current
                      </Badge>
                    )}
                  </Group>
                  {isNarrow && (
                    <>
                      <SavedCell row={row} />
                      <NoteCell row={row} />
                    </>
                  )}
                </Table.Td>
                {!isNarrow && (
                  <>
                    <Table.Td>
                      <SavedCell row={row} />
                    </Table.Td>
                    <Table.Td maw={360}>
                      <NoteCell row={row} />
                    </Table.Td>
                  </>
                )}
                {mayEdit && (
                  <Table.Td>
                    {!current && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Roll back to r${revision}`}
                        onClick={() => onGoBack(row)}
                      >
                        Roll back…
                      </Button>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
