/** Another user saved while this one was editing: merges both edits, and asks where they changed the same value. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contentKeyOf, fetchRevisions, type LoadedContent } from '../../draft/content-query.js';
import { useDraft } from '../../draft/draft-context.js';
import type { PartMerge } from '../../draft/merge-content.js';
import { stateOf } from '../../draft/state-parts.js';
import { counted } from '../../parts/counted.js';
import { Dialog } from '../../parts/dialog.js';
import { notifyDone } from '../../parts/notify.js';
import { When } from '../../parts/time/when.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { PartAccordion } from '../compare/part-accordion.js';
import styles from '../content.module.css';
import { MergedPart } from './merged-part.js';
import { type Merge, useMerge } from './use-merge.js';

const betweenMax = 20;
const openMax = 2;

export interface ConflictDialogProps {
  readonly theirs: LoadedContent;
  readonly onClose: () => void;
}

export function ConflictDialog({ theirs: newest, onClose }: ConflictDialogProps) {
  const { saved, state: mine, resolveConflict } = useDraft();
  // The merge goes on with these two; a third save becomes a conflict afterwards.
  const [{ base, theirs }] = useState(() => ({ base: saved, theirs: newest }));
  const merge = useMerge({ base, theirs, mine });
  const { parts, conflictCount, openCount } = merge;
  const { author, newest: revision } = theirs;
  const open = parts.filter(({ conflicts }) => conflictCount === 0 || conflicts.length > 0);

  const take = (): void => {
    resolveConflict(theirs, merge.state());
    notifyDone(`You continue from revision ${revision}. Save when it is right.`);
    onClose();
  };
  const keepTheirs = (): void => {
    modals.openConfirmModal({
      title: 'Discard your edits?',
      children: (
        <Text size="sm">
          You continue with revision {revision} as {author} saved it. This cannot be undone.
        </Text>
      ),
      labels: { confirm: `Keep ${author}’s, discard mine`, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      zIndex: 300,
      onConfirm: () => {
        resolveConflict(theirs, stateOf(theirs));
        onClose();
      },
    });
  };
  return (
    <Dialog
      onClose={onClose}
      title="Two edits of the same content item"
      size="90rem"
      fullScreen={useIsNarrow()}
      closeOnClickOutside={false}
    >
      <Stack>
        <Between base={base} theirs={theirs} />
        <Text size="sm" role="status">
          {summaryOf(merge)}
        </Text>
        <PartAccordion
          items={parts.map((part) => ({
            name: part.name,
            badges: badgesOf(part, author),
            isOpen: open.slice(0, openMax).includes(part),
            panel: <MergedPart part={part} author={author} merge={merge} />,
          }))}
        />
        <Group justify="flex-end" className={styles['foot'] ?? ''}>
          <Button variant="default" onClick={onClose}>
            Decide later
          </Button>
          <Button variant="default" onClick={keepTheirs}>
            Keep {author}’s
          </Button>
          <Button onClick={take} disabled={openCount > 0}>
            Use merged
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function summaryOf({ conflictCount, openCount }: Merge): string {
  if (conflictCount === 0) return 'You changed different values, so both edits are kept.';
  const rest = 'All other changes of both are merged.';
  return openCount === 0
    ? `Every conflict is decided. ${rest}`
    : `Both of you changed ${counted(conflictCount, 'value')}: choose what to keep, ${openCount} to go. ${rest}`;
}

function badgesOf({ isTheirs, isMine, conflicts }: PartMerge, author: string) {
  return [
    ...(isTheirs ? [{ color: 'orange', label: `changed by ${author}` }] : []),
    ...(isMine ? [{ color: 'blue', label: 'changed by you' }] : []),
    ...(conflicts.length > 0
      ? [{ color: 'red', label: counted(conflicts.length, 'conflict') }]
      : []),
  ];
}

/** The saves since the edit was started. */
function Between({ base, theirs }: { base: LoadedContent; theirs: LoadedContent }) {
  const { env, id } = theirs;
  const list = useQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions', 'between', base.newest, theirs.newest],
    queryFn: async () =>
      (await fetchRevisions(env, id, { limit: betweenMax })).filter(
        ({ revision }) => revision > base.newest,
      ),
  });
  return (
    <Stack gap={4}>
      <Text size="sm">
        {base.newest === 0
          ? `${theirs.author} created this content item while you were editing.`
          : `You started from revision ${base.newest}. Since then:`}
      </Text>
      <ul style={{ margin: 0, fontSize: 'var(--mantine-font-size-sm)' }}>
        {list.data?.map(({ revision, author, createdAt, note, live }) => (
          <li key={revision}>
            r{revision} by {author}, <When at={createdAt} span inherit />
            {live ? ', live now' : ''}
            {note === '' ? '' : `: ${note}`}
          </li>
        ))}
        {!list.isPending && !list.data?.length && (
          <li>{theirs.author} changed the description, tags, schema or guards.</li>
        )}
      </ul>
    </Stack>
  );
}
