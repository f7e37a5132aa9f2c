/** Compares two revisions: first the delivered values, then the texts with their comments. */
import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ContentDiff } from '../../../contract/operations/history/content-history.js';
import {
  emptyMapping,
  type LoadedRevision,
  noSchema,
  useRevision,
} from '../../draft/content-query.js';
import type { ContentState } from '../../draft/draft.js';
import { type PointerRow, PointerTable } from '../../parts/code/pointer-table.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { Waiting } from '../../parts/waiting.js';
import { StateDiff } from '../compare/state-diff.js';
import { useDiff } from './history-query.js';

export interface RevisionDiffProps {
  readonly env: string;
  readonly id: string;
  /** Null: nothing was there. */
  readonly from: number | null;
  /** Null: the content item is deleted. */
  readonly to: number | null;
  /** Of the texts; left out: the numbers. */
  readonly beforeLabel?: string;
  readonly afterLabel?: string;
}

export function RevisionDiff(props: RevisionDiffProps) {
  const { env, id, from, to, beforeLabel = labelOf(from), afterLabel = labelOf(to) } = props;
  const before = useRevision(env, id, from);
  const after = useRevision(env, id, to);
  const a = useMemo(() => stateOfRevision(from, before.data), [from, before.data]);
  const b = useMemo(() => stateOfRevision(to, after.data), [to, after.data]);
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
  if (a === null || b === null) {
    return <Waiting label="Loading the revisions" height={160} />;
  }
  return (
    <Stack>
      {from !== null && to !== null && <Pointers env={env} id={id} from={from} to={to} />}
      <StateDiff
        before={a}
        after={b}
        beforeLabel={beforeLabel}
        afterLabel={afterLabel}
        same="The two revisions are the same, byte for byte."
      />
    </Stack>
  );
}

function labelOf(number: number | null): string {
  return number === null ? 'Nothing' : `r${number}`;
}

const nothing = { lines: [], mapping: emptyMapping, flags: [] } as const;

/** Without description, tags, schema and guards, which are not part of a revision. @returns null: not loaded yet */
function stateOfRevision(
  number: number | null,
  revision: LoadedRevision | undefined,
): ContentState | null {
  const shown = number === null ? nothing : revision;
  if (shown === undefined) return null;
  const { lines, mapping, flags } = shown;
  return { lines, mapping, flags, description: '', tags: [], schema: noSchema, guards: [] };
}

interface PointersProps {
  readonly env: string;
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The changes of the delivered JSON, without comments and white space. */
function Pointers({ env, id, from, to }: PointersProps) {
  const diff = useDiff(env, id, from, to);
  if (diff.error !== null) {
    return (
      <Text size="sm" c="dimmed">
        The changed values could not be listed: {diff.error.message}
      </Text>
    );
  }
  if (diff.data === undefined) return null;
  const rows = rowsOf(diff.data);
  const commentsOnly = diff.data.lines.filter(
    ({ oldHash, newHash }) => oldHash !== null && oldHash === newHash,
  );
  return (
    <>
      {commentsOnly.length > 0 && (
        <Text size="sm" c="dimmed">
          Only comments or white space changed in{' '}
          {commentsOnly.map(({ appVersion }) => `version ${appVersion}`).join(', ')}: players see no
          difference.
        </Text>
      )}
      {rows.length > 0 && <PointerTable rows={rows} />}
      {[...diff.data.lines, ...diff.data.mapping.rules].some(({ pointersCut }) => pointersCut) && (
        <Text size="sm" c="dimmed">
          There are more changes than the list shows; the texts below have all of them.
        </Text>
      )}
    </>
  );
}

function rowsOf({ lines, mapping }: ContentDiff): PointerRow[] {
  const rows = (
    where: string,
    { change, pointers }: { change: string; pointers: readonly Omit<PointerRow, 'where'>[] },
    path = '',
  ): PointerRow[] =>
    change === 'changed'
      ? pointers.map((pointer) => ({ where, ...pointer }))
      : [{ where, path, change, before: null, after: null }];
  return [
    ...lines.flatMap((line) => rows(`version ${line.appVersion}`, line)),
    ...mapping.rules.flatMap((rule) => rows(`rule ${rule.segment}`, rule, formatMove(rule))),
  ];
}

function formatMove({ from, to }: { from: number | null; to: number | null }): string {
  if (from !== null && to !== null && from !== to) return `place ${from + 1} to ${to + 1}`;
  return `place ${(to ?? from ?? 0) + 1}`;
}
