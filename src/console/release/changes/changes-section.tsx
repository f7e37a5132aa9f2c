/** The changes of a release, each with what differs from what is live; a change in conflict is rebased or dropped. */
import { Anchor, Badge, Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Release, ReleaseChange, ReleaseState } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { IconPlus } from '../../icons/icons.js';
import { type Column, DataTable, type Details } from '../../parts/data/data-table.js';
import { pathOf } from '../../parts/environments.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { useReleaseReadOnlyReason } from '../../releases/release-rights.js';
import {
  describeChange,
  keyOfChange,
  nameOfChange,
  titleOfChange,
} from '../../releases/words/change-words.js';
import { isEditable } from '../../releases/words/release-states.js';
import { AddChanges } from './add-changes.js';
import { ChangeDiff } from './change-diff.js';
import { RebaseDialog, type RebasedChange } from './rebase-dialog.js';

export interface ChangesSectionProps {
  readonly env: string;
  readonly release: Release;
}

export function ChangesSection({ env, release }: ChangesSectionProps) {
  const { changes, release: number, version, state } = release;
  const [isAdding, setIsAdding] = useState(false);
  const [rebased, setRebased] = useState<RebasedChange | null>(null);
  const mayEdit = useReleaseReadOnlyReason() === null && isEditable(state);
  const { mutate, error, isPending } = useReleaseAct(env);
  const columns = useMemo(() => {
    const drop = (change: ReleaseChange): void =>
      mutate({
        number,
        send: (params) =>
          request('POST /environments/:env/releases/:release/changes', {
            params,
            body: { drop: [nameOfChange(change)], ifVersion: version },
          }),
      });
    return columnsOf({ env, state, mayEdit, isPending, onDrop: drop, onRebase: setRebased });
  }, [env, state, mayEdit, isPending, mutate, number, version]);
  const details = useMemo(
    (): Details<ReleaseChange> => ({
      label: (change) => `What changes in ${titleOfChange(nameOfChange(change))}`,
      show: (change) => <ChangeDiff env={env} change={change} state={state} />,
    }),
    [env, state],
  );
  return (
    <Stack gap="sm" component="section" aria-labelledby="changes-title">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4" id="changes-title">
          Changes
        </Title>
        {mayEdit && (
          <Button
            size="xs"
            variant={changes.length === 0 ? 'filled' : 'default'}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            Add changes…
          </Button>
        )}
      </Group>
      {error !== null && <ProblemAlert error={error} />}
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          No changes yet. Add saved drafts here, or with “Add to release” where you edit.
        </Text>
      ) : (
        <DataTable
          aria-label="Changes"
          columns={columns}
          rows={changes}
          // Ids of elements are built from it.
          keyOf={(change) => encodeURIComponent(keyOfChange(nameOfChange(change)))}
          details={details}
        />
      )}
      {isAdding && <AddChanges {...{ env, release }} onClose={() => setIsAdding(false)} />}
      {rebased !== null && (
        <RebaseDialog {...{ env, release }} change={rebased} onClose={() => setRebased(null)} />
      )}
    </Stack>
  );
}

interface ColumnOptions {
  readonly env: string;
  readonly state: ReleaseState;
  readonly mayEdit: boolean;
  /** A drop is under way. */
  readonly isPending: boolean;
  readonly onDrop: (change: ReleaseChange) => void;
  readonly onRebase: (change: RebasedChange) => void;
}

function columnsOf(options: ColumnOptions): Column<ReleaseChange>[] {
  const { env, state, mayEdit, isPending, onDrop, onRebase } = options;
  const actions: Column<ReleaseChange> = {
    title: 'Actions',
    ta: 'right',
    cell: (change) => (
      <Group gap={6} justify="flex-end">
        {change.conflict && (
          <Button size="compact-sm" onClick={() => onRebase(change)}>
            Rebase…
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          aria-label={`Drop ${titleOfChange(nameOfChange(change))}`}
          onClick={() => onDrop(change)}
        >
          Drop
        </Button>
      </Group>
    ),
  };
  return [
    {
      title: 'Item',
      isHeader: true,
      cell: (change) => <ItemCell env={env} change={change} state={state} />,
    },
    {
      title: 'Change',
      visibleFrom: 'sm',
      cell: (change) => <Text size="sm">{describeChange(change, state)}</Text>,
    },
    { title: 'By', visibleFrom: 'sm', maw: 280, cell: (change) => <AuthorCell change={change} /> },
    ...(mayEdit ? [actions] : []),
  ];
}

interface ItemCellProps {
  readonly env: string;
  readonly change: ReleaseChange;
  /** Of the release. */
  readonly state: ReleaseState;
}

function ItemCell({ env, change, state }: ItemCellProps) {
  const title = titleOfChange(nameOfChange(change));
  return (
    <Box style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} href={placeOf(env, change)} size="sm" fw={600}>
        {title}
      </Anchor>
      {isEditable(state) && change.conflict && (
        <Badge ml={6} size="sm" color="red" variant="dot">
          live has changed since
        </Badge>
      )}
      <Text size="xs" hiddenFrom="sm">
        {describeChange(change, state)}
      </Text>
    </Box>
  );
}

function placeOf(env: string, change: ReleaseChange): string {
  if (change.kind === 'environment') return pathOf.environment(env);
  return change.kind === 'content'
    ? pathOf.content(env, change.id)
    : pathOf.segment(env, change.name);
}

function AuthorCell({ change }: { readonly change: ReleaseChange }) {
  const author = change.kind === 'environment' ? '' : change.author;
  const note = change.kind === 'environment' ? '' : change.note;
  return (
    <>
      <Text size="sm">{author === '' ? change.addedBy : author}</Text>
      {note !== '' && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </>
  );
}
