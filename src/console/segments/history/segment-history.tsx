/** What a segment has been: who changed it when and why, any two revisions beside each other, and the way back to one. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { SegmentRevisionSummary } from '../../../contract/operations/segment-history.js';
import { ApiProblem } from '../../api/call.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { Waiting } from '../../parts/waiting.js';
import type { SavedSegment } from '../segment-api.js';
import { comparedPair } from './compared-pair.js';
import { ConditionDiff, ConditionOf } from './condition-diff.js';
import { useSegmentHistory } from './segment-history-query.js';
import { SegmentHistoryTable } from './segment-history-table.js';
import { SegmentRollback } from './segment-rollback.js';

export interface SegmentHistoryProps {
  readonly env: string;
  readonly name: string;
  /** Null: the segment is deleted. */
  readonly current: SavedSegment | null;
  readonly mayEdit: boolean;
  /** Something is typed that is not saved. */
  readonly isDirty: boolean;
}

export function SegmentHistory({ env, name, current, mayEdit, isDirty }: SegmentHistoryProps) {
  const history = useSegmentHistory(env, name, current?.revision ?? null);
  const [chosen, setChosen] = useState<{ readonly from?: number; readonly to?: number }>({});
  const [target, setTarget] = useState<SegmentRevisionSummary | null>(null);
  const { data, error } = history;
  // There never was one of that name: the screen says so.
  if (error instanceof ApiProblem && error.code === 'segment_not_found') return null;
  if (error !== null && data === undefined) {
    return <ProblemAlert error={error} onRetry={() => void history.refetch()} />;
  }
  if (data === undefined) return <Waiting label="Loading the history" height={240} />;
  const rows = data.pages.flat();
  const { from, to } = comparedPair(rows, chosen);
  return (
    <Stack component="section" aria-label={`History of ${name}`}>
      <SegmentHistoryTable
        rows={rows}
        from={from}
        to={to}
        mayEdit={mayEdit}
        onPair={(next) => setChosen({ from, to, ...next })}
        onGoBack={setTarget}
      />
      {history.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'center' }}
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show older revisions
        </Button>
      )}
      <section aria-labelledby="segment-difference">
        <Title order={2} size="h4" mb="xs" id="segment-difference">
          {from === to ? `Revision ${to}` : `From r${from} to r${to}`}
        </Title>
        {from === to ? (
          <Stack gap="xs">
            <ConditionOf env={env} name={name} revision={to} />
            <Text size="sm" c="dimmed">
              {rows.length === 1
                ? 'It is the only revision.'
                : 'Choose two revisions in the table to see what differs.'}
            </Text>
          </Stack>
        ) : (
          <ConditionDiff env={env} name={name} from={from} to={to} />
        )}
      </section>
      {target !== null && (
        <SegmentRollback
          env={env}
          name={name}
          current={current}
          target={target}
          newest={rows[0]?.revision ?? target.revision}
          isDirty={isDirty}
          onClose={() => setTarget(null)}
        />
      )}
    </Stack>
  );
}
