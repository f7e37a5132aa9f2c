/** What differs between two conditions of a segment: by place, and as text in one layout. */
import { Code, Stack, Text } from '@mantine/core';
import { DiffView } from '../../parts/code/diff-view.js';
import { PointerTable } from '../../parts/code/pointer-table.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { Waiting } from '../../parts/waiting.js';
import { laidOut } from '../condition-layout.js';
import { useSegmentDiff, useSegmentRevision } from './segment-history-query.js';

export interface ConditionDiffProps {
  readonly env: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export function ConditionDiff({ env, name, from, to }: ConditionDiffProps) {
  const diff = useSegmentDiff(env, name, from, to);
  const before = useSegmentRevision(env, name, from);
  const after = useSegmentRevision(env, name, to);
  const error = before.error ?? after.error;
  if (error !== null) {
    return (
      <ProblemAlert
        error={error}
        onRetry={() => {
          void before.refetch();
          void after.refetch();
        }}
      />
    );
  }
  if (before.data === undefined || after.data === undefined) {
    return <Waiting label="Loading the revisions" height={160} />;
  }
  const rows = (diff.data?.pointers ?? []).map((pointer) => ({ where: '', ...pointer }));
  return (
    <Stack>
      {rows.length > 0 && <PointerTable rows={rows} />}
      {diff.data?.pointersCut === true && (
        <Text size="sm" c="dimmed">
          There are more changes than the list shows; the texts below have all of them.
        </Text>
      )}
      {diff.error !== null && (
        <Text size="sm" c="dimmed">
          The list of changed values could not be made: {diff.error.message}
        </Text>
      )}
      <ConditionTexts
        before={before.data.when}
        after={after.data.when}
        beforeLabel={`r${from}`}
        afterLabel={`r${to}`}
      />
    </Stack>
  );
}

export interface ConditionTextsProps {
  /** JSON sources. */
  readonly before: string;
  readonly after: string;
  readonly beforeLabel: string;
  readonly afterLabel: string;
}

export function ConditionTexts({ before, after, beforeLabel, afterLabel }: ConditionTextsProps) {
  const [old, now] = [laidOut(before), laidOut(after)];
  if (old === now) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {before === after
          ? 'Both conditions are the same, byte for byte.'
          : 'Only the layout differs: both conditions mean the same.'}
      </Text>
    );
  }
  return (
    <DiffView
      before={old}
      after={now}
      beforeLabel={beforeLabel}
      afterLabel={afterLabel}
      maxRows={20}
    />
  );
}

export interface ConditionOfProps {
  readonly env: string;
  readonly name: string;
  readonly revision: number;
}

/** One condition by itself. */
export function ConditionOf({ env, name, revision }: ConditionOfProps) {
  const { data, error, refetch } = useSegmentRevision(env, name, revision);
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting label="Loading the revision" height={80} />;
  return (
    <Code block tabIndex={0} role="region" aria-label={`Condition of r${revision}`}>
      {laidOut(data.when)}
    </Code>
  );
}
