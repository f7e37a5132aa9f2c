/** Two revisions beside each other: what changed in what is delivered, and then the texts with their comments. */

import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ContentDiff } from '../../../contract/operations/content-history.js';
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
  /** 0: nothing. */
  readonly from: number;
  readonly to: number;
}

export function RevisionDiff({ env, id, from, to }: RevisionDiffProps) {
  const before = useRevision(env, id, from);
  const after = useRevision(env, id, to);
  const a = useMemo(
    () => (from === 0 ? nothing : stateOfRevision(before.data)),
    [from, before.data],
  );
  const b = useMemo(() => stateOfRevision(after.data), [after.data]);
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
      <Pointers env={env} id={id} from={from} to={to} />
      <StateDiff
        before={a}
        after={b}
        beforeLabel={from === 0 ? 'Nothing' : `r${from}`}
        afterLabel={`r${to}`}
        same="The two revisions are the same, byte for byte."
      />
    </Stack>
  );
}

export function stateOfRevision(revision: LoadedRevision | undefined): ContentState | null {
  if (revision === undefined) return null;
  return { ...nothing, lines: revision.lines, mapping: revision.mapping };
}

const nothing: ContentState = {
  lines: [],
  mapping: emptyMapping,
  description: '',
  tags: [],
  schema: noSchema,
};

/** The changes of the JSON that is delivered, which comments and white space are not part of. */
function Pointers({ env, id, from, to }: RevisionDiffProps) {
  const diff = useDiff(env, id, from, to);
  if (diff.error !== null) {
    return (
      <Text size="sm" c="dimmed">
        The list of changed values could not be made: {diff.error.message}
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
          Only comments or white space changed in {listed(commentsOnly)}: players see no difference.
        </Text>
      )}
      {rows.length > 0 && <PointerTable rows={rows} />}
      {isCut(diff.data) && (
        <Text size="sm" c="dimmed">
          There are more changes than the list shows; the texts below have all of them.
        </Text>
      )}
    </>
  );
}

function rowsOf({ lines, mapping }: ContentDiff): PointerRow[] {
  return [
    ...lines.flatMap(({ appVersion, pointers, change }): PointerRow[] =>
      change === 'changed'
        ? pointers.map((pointer) => ({ where: `line ${appVersion}`, ...pointer }))
        : [{ where: `line ${appVersion}`, path: '', change, before: null, after: null }],
    ),
    ...mapping.rules.flatMap(({ segment, change, pointers, from, to }): PointerRow[] => {
      const where = `rule ${segment}`;
      const head = { where, path: placeOf(from, to), change, before: null, after: null };
      return change === 'changed' ? pointers.map((pointer) => ({ where, ...pointer })) : [head];
    }),
  ];
}

function placeOf(from: number | null, to: number | null): string {
  if (from !== null && to !== null && from !== to) return `place ${from + 1} to ${to + 1}`;
  return `place ${(to ?? from ?? 0) + 1}`;
}

function isCut({ lines, mapping }: ContentDiff): boolean {
  return [...lines, ...mapping.rules].some(({ pointersCut }) => pointersCut);
}

function listed(lines: readonly { readonly appVersion: string }[]): string {
  return lines.map(({ appVersion }) => `line ${appVersion}`).join(', ');
}
