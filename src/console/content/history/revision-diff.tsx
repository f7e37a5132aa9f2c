/** Two revisions beside each other: what changed in what is delivered, and then the texts with their comments. */

import { Badge, Code, Stack, Table, Text } from '@mantine/core';
import { useMemo } from 'react';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { StateDiff } from '../compare/state-diff.js';
import { emptyMapping, type LoadedRevision, noSchema, useRevision } from '../content-query.js';
import type { ContentState } from '../draft.js';
import { Waiting } from '../waiting.js';
import { type RevisionDiff as Diff, useDiff } from './history-query.js';

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
      {rows.length > 0 && (
        <Table.ScrollContainer
          minWidth={480}
          maxHeight={300}
          type="native"
          tabIndex={0}
          role="region"
          aria-label="Changed values"
        >
          <Table stickyHeader verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Where</Table.Th>
                <Table.Th>Change</Table.Th>
                <Table.Th>Before</Table.Th>
                <Table.Th>After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ where, path, change, before, after }) => (
                <Table.Tr key={`${where} ${path} ${change}`}>
                  <Table.Td>
                    <Text size="xs" c="dimmed">
                      {where}
                    </Text>
                    <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
                      {path === '' ? 'whole document' : path}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Badge size="sm" variant="dot" color={colourOf(change)}>
                      {change}
                    </Badge>
                  </Table.Td>
                  <Table.Td>{before === null ? null : <Value text={before} />}</Table.Td>
                  <Table.Td>{after === null ? null : <Value text={after} />}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {isCut(diff.data) && (
        <Text size="sm" c="dimmed">
          There are more changes than the list shows; the texts below have all of them.
        </Text>
      )}
    </>
  );
}

function Value({ text }: { readonly text: string }) {
  return <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{text}</Code>;
}

interface PointerRow {
  readonly where: string;
  readonly path: string;
  readonly change: string;
  readonly before: string | null;
  readonly after: string | null;
}

function rowsOf({ lines, mapping }: Diff): PointerRow[] {
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

function isCut({ lines, mapping }: Diff): boolean {
  return [...lines, ...mapping.rules].some(({ pointersCut }) => pointersCut);
}

function colourOf(change: string): string {
  return change === 'added' ? 'teal' : change === 'removed' ? 'red' : 'gray';
}

function listed(lines: readonly { readonly appVersion: string }[]): string {
  return lines.map(({ appVersion }) => `line ${appVersion}`).join(', ');
}
