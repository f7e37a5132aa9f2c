/** Another user saved while this one was editing: shows both edits and merges them. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contentKeyOf, fetchRevisions, type LoadedContent } from '../../draft/content-query.js';
import type { ContentState } from '../../draft/draft.js';
import { useDraft } from '../../draft/draft-context.js';
import {
  changedParts,
  conflictingParts,
  mergeStates,
  type PartName,
  partsOf,
  stateOf,
  withParts,
} from '../../draft/state-parts.js';
import { notifyDone } from '../../parts/notify.js';
import { When } from '../../parts/time/when.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { PartAccordion } from '../compare/part-accordion.js';
import styles from '../content.module.css';
import { type Choice, ConflictPart } from './conflict-part.js';

const betweenMax = 20;
const openMax = 2;
const kept = { mine: 'yours is kept', theirs: 'theirs is kept' } as const;

export interface ConflictDialogProps {
  readonly theirs: LoadedContent;
  readonly onClose: () => void;
}

export function ConflictDialog({ theirs: newest, onClose }: ConflictDialogProps) {
  const { saved, state: mine, resolveConflict } = useDraft();
  // The merge goes on with these two; a third save becomes a conflict afterwards.
  const [{ base, theirs }] = useState(() => ({ base: saved, theirs: newest }));
  const { parts, conflicts, merged } = useMerge(base, mine, theirs);
  const { author, newest: revision } = theirs;
  const isMergeable = conflicts.size === 0;
  const open = parts.filter(({ choice }) => isMergeable || choice !== null).slice(0, openMax);

  const merge = (): void => {
    resolveConflict(theirs, merged());
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
    <Modal
      opened
      onClose={onClose}
      title="Two edits of the same content item"
      size="90rem"
      fullScreen={useIsNarrow()}
      closeOnClickOutside={false}
    >
      <Stack>
        <Between base={base} theirs={theirs} />
        <Text size="sm">
          {isMergeable
            ? 'You changed different parts, so both can be kept.'
            : 'Where both of you changed the same part, choose which one to keep; yours is selected. The other parts keep the changes of both.'}
        </Text>
        <PartAccordion
          items={parts.map((part) => ({
            name: part.name,
            badges: [
              ...(part.isTheirs ? [{ color: 'orange', label: `changed by ${author}` }] : []),
              ...(part.isMine ? [{ color: 'blue', label: 'changed by you' }] : []),
              ...(part.choice === null ? [] : [{ color: 'red', label: kept[part.choice] }]),
            ],
            isOpen: open.includes(part),
            panel: <ConflictPart author={author} {...part} />,
          }))}
        />
        <Group justify="flex-end" className={styles['foot'] ?? ''}>
          <Button variant="default" onClick={onClose}>
            Decide later
          </Button>
          <Button variant="default" onClick={keepTheirs}>
            Keep {author}’s
          </Button>
          <Button onClick={merge}>{isMergeable ? 'Merge both' : 'Overwrite with mine'}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The parts that either side changed, and the choices between them. */
function useMerge(base: ContentState, mine: ContentState, theirs: ContentState) {
  const [choices, setChoices] = useState<Readonly<Record<PartName, Choice>>>({});
  const [byHand, setByHand] = useState<Readonly<Record<PartName, string>>>({});
  const byThem = changedParts(base, theirs);
  const byMe = changedParts(base, mine);
  const conflicts = new Set(conflictingParts(base, mine, theirs));
  const texts = { base: partsOf(base), mine: partsOf(mine), theirs: partsOf(theirs) };
  const parts = [...new Set([...byThem, ...byMe])].map((name) => ({
    name,
    isTheirs: byThem.includes(name),
    isMine: byMe.includes(name),
    base: texts.base.get(name) ?? null,
    mine: byHand[name] ?? texts.mine.get(name) ?? null,
    theirs: texts.theirs.get(name) ?? null,
    choice: conflicts.has(name) ? (choices[name] ?? 'mine') : null,
    onChoice: (choice: Choice) => setChoices((before) => ({ ...before, [name]: choice })),
    onByHand: (text: string) => setByHand((before) => ({ ...before, [name]: text })),
  }));
  const merged = (): ContentState =>
    withParts(
      mergeStates(base, mine, theirs, (name) => choices[name] ?? 'mine'),
      Object.entries(byHand).filter(([name]) => choices[name] !== 'theirs'),
    );
  return { parts, conflicts, merged };
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
