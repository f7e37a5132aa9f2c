/** The history of a segment: who changed it, when and why, any two revisions compared, and a way back to each. */
import { Badge, Button, Group, Radio, Stack, Table, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { SegmentRevisionSummary } from '../../../contract/operations/history/segment-history.js';
import { ApiProblem } from '../../api/call.js';
import { type Column, DataTable } from '../../parts/data/data-table.js';
import { Loaded } from '../../parts/data/loaded.js';
import { NoteCell, SavedCell } from '../../parts/revision-cells.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import type { SavedSegment } from '../segment-api.js';
import { type ComparedPair, comparedPair } from './compared-pair.js';
import { ConditionDiff, SingleCondition } from './condition-diff.js';
import { useSegmentHistory } from './segment-history-query.js';
import { SegmentRollback } from './segment-rollback.js';

export interface SegmentHistoryProps {
  readonly env: string;
  readonly name: string;
  /** Null: the segment is deleted. */
  readonly current: SavedSegment | null;
  readonly mayEdit: boolean;
  /** There are unsaved changes. */
  readonly isDirty: boolean;
}

export function SegmentHistory(props: SegmentHistoryProps) {
  const { env, name, current } = props;
  const history = useSegmentHistory(env, name, current?.revision ?? null);
  // The screen already says that no segment of this name ever existed.
  const { error } = history;
  if (error instanceof ApiProblem && error.code === 'segment_not_found') return null;
  return (
    <Loaded query={history} label="Loading the history" rowHeight={240}>
      {({ pages }) => <Revisions {...props} rows={pages.flat()} older={history} />}
    </Loaded>
  );
}

interface RevisionsProps extends SegmentHistoryProps {
  readonly rows: readonly SegmentRevisionSummary[];
  readonly older: ReturnType<typeof useSegmentHistory>;
}

function Revisions({ env, name, current, mayEdit, isDirty, rows, older }: RevisionsProps) {
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<Partial<ComparedPair>>({});
  const [target, setTarget] = useState<SegmentRevisionSummary | null>(null);
  const { from, to } = comparedPair(rows, chosen);
  const columns = useMemo(
    () => columnsOf({ pair: { from, to }, setPair: setChosen, setTarget, mayEdit, isNarrow }),
    [from, to, mayEdit, isNarrow],
  );
  return (
    <Stack component="section" aria-label={`History of ${name}`}>
      <Table.ScrollContainer
        minWidth={isNarrow ? 0 : 640}
        maxHeight={420}
        type="native"
        tabIndex={0}
        role="region"
        aria-label="Revisions"
      >
        <DataTable
          stickyHeader
          highlightOnHover
          columns={columns}
          rows={rows}
          keyOf={({ revision }) => String(revision)}
          older={older}
        />
      </Table.ScrollContainer>
      <section aria-labelledby="segment-difference">
        <Title order={2} size="h4" mb="xs" id="segment-difference">
          {from === to ? `Revision ${to}` : `From r${from} to r${to}`}
        </Title>
        {from === to ? (
          <Stack gap="xs">
            <SingleCondition env={env} name={name} revision={to} />
            <Text size="sm" c="dimmed">
              {rows.length === 1
                ? 'This is the only revision.'
                : 'Choose two revisions in the table to compare them.'}
            </Text>
          </Stack>
        ) : (
          <ConditionDiff env={env} name={name} from={from} to={to} />
        )}
      </section>
      {target !== null && (
        <SegmentRollback
          {...{ env, name, current, target, isDirty }}
          newest={rows[0]?.revision ?? target.revision}
          onClose={() => setTarget(null)}
        />
      )}
    </Stack>
  );
}

interface ColumnOptions {
  readonly pair: ComparedPair;
  readonly setPair: (pair: ComparedPair) => void;
  readonly setTarget: (row: SegmentRevisionSummary) => void;
  readonly mayEdit: boolean;
  readonly isNarrow: boolean;
}

function columnsOf(options: ColumnOptions): Column<SegmentRevisionSummary>[] {
  const { pair, setPair, setTarget, mayEdit, isNarrow } = options;
  const choice = (end: 'from' | 'to'): Column<SegmentRevisionSummary> => ({
    title: end === 'from' ? 'From' : 'To',
    w: 1,
    cell: ({ revision }) => (
      <Radio
        name={`segment-${end}`}
        aria-label={`Compare ${end} r${revision}`}
        checked={pair[end] === revision}
        onChange={() => setPair({ ...pair, [end]: revision })}
      />
    ),
  });
  const revisionColumn: Column<SegmentRevisionSummary> = {
    title: 'Revision',
    cell: (row) => (
      <>
        <Group gap={6} wrap={isNarrow ? 'wrap' : 'nowrap'}>
          <Text size="sm" fw={600}>
            r{row.revision}
          </Text>
          {row.current && (
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
      </>
    ),
  };
  const wide: Column<SegmentRevisionSummary>[] = [
    { title: 'Saved', cell: (row) => <SavedCell row={row} /> },
    { title: 'Note', maw: 360, cell: (row) => <NoteCell row={row} /> },
  ];
  const actions: Column<SegmentRevisionSummary> = {
    title: 'Actions',
    cell: (row) =>
      !row.current && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Roll back to r${row.revision}`}
          onClick={() => setTarget(row)}
        >
          Roll back…
        </Button>
      ),
  };
  return [
    choice('from'),
    choice('to'),
    revisionColumn,
    ...(isNarrow ? [] : wide),
    ...(mayEdit ? [actions] : []),
  ];
}
