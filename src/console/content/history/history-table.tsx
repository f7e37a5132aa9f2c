/** The revisions of a content item in a table, two of which are selected for comparison. */
import { Badge, Button, Group, Radio, Table, Text } from '@mantine/core';
import type { RevisionSummary } from '../../../contract/operations/history/content-history.js';
import { useDraft } from '../../draft/draft-context.js';
import { NoteCell, SavedCell } from '../../parts/revision-cells.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { LiveSpans } from './live-spans.js';

export interface HistoryTableProps {
  readonly rows: readonly RevisionSummary[];
  /** 0: nothing, before the first one. */
  readonly from: number;
  readonly to: number;
  readonly onPair: (pair: { readonly from?: number; readonly to?: number }) => void;
  readonly onView: (revision: number) => void;
  /** Rolls back to an old one, or publishes a draft. */
  readonly onGoBack: (row: RevisionSummary) => void;
}

export function HistoryTable(props: HistoryTableProps) {
  const { rows, from, to, onPair, onView, onGoBack } = props;
  const { saved, mayEdit } = useDraft();
  const isNarrow = useIsNarrow();
  const { live } = saved;
  return (
    <Table.ScrollContainer
      minWidth={isNarrow ? 0 : 760}
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
                <Table.Th>Hash</Table.Th>
              </>
            )}
            <Table.Th>Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const { revision, hash } = row;
            const isDraft = live === null || revision > live;
            return (
              <Table.Tr key={revision}>
                {(['from', 'to'] as const).map((side) => (
                  <Table.Td key={side}>
                    <Radio
                      name={side}
                      aria-label={`Compare ${side} r${revision}`}
                      checked={(side === 'from' ? from : to) === revision}
                      onChange={() => onPair({ [side]: revision })}
                    />
                  </Table.Td>
                ))}
                <Table.Td>
                  <Group gap={6} wrap="nowrap">
                    <Text size="sm" fw={600}>
                      r{revision}
                    </Text>
                    {row.live && (
                      <Badge size="sm" color="teal" variant="dot" flex="none">
                        live
                      </Badge>
                    )}
                    {isDraft && (
                      <Badge size="sm" color="yellow" variant="dot" flex="none">
                        draft
                      </Badge>
                    )}
                  </Group>
                  {isNarrow && (
                    <>
                      <SavedCell row={row} />
                      <LiveSpans row={row} />
                      <NoteCell row={row} />
                    </>
                  )}
                </Table.Td>
                {!isNarrow && (
                  <>
                    <Table.Td>
                      <SavedCell row={row} />
                      <LiveSpans row={row} />
                    </Table.Td>
                    <Table.Td maw={360}>
                      <NoteCell row={row} />
                    </Table.Td>
                    <Table.Td className="mono">
                      <span>{hash.slice(0, 8)}</span>
                    </Table.Td>
                  </>
                )}
                <Table.Td>
                  <Group gap={6} wrap={isNarrow ? 'wrap' : 'nowrap'}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`View r${revision}`}
                      onClick={() => onView(revision)}
                    >
                      View
                    </Button>
                    {mayEdit && !row.live && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={isDraft ? `Publish r${revision}` : `Roll back to r${revision}`}
                        onClick={() => onGoBack(row)}
                      >
                        {isDraft ? 'Publish…' : 'Roll back…'}
                      </Button>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
