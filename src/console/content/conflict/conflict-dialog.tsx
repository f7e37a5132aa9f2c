/** Somebody saved meanwhile: what they did, what was typed here, and how the two become one. */
import { Accordion, Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { contentKeyOf, fetchRevisions, type LoadedContent } from '../../draft/content-query.js';
import { useEditing } from '../../draft/editing.js';
import {
  changedParts,
  conflictingParts,
  mergeStates,
  type PartName,
  partsOf,
  stateOf,
  stateOfParts,
  titleOfPart,
} from '../../draft/state-parts.js';
import { notifyDone } from '../../parts/notify.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { When } from '../../parts/when.js';
import { itemOf } from '../compare/state-diff.js';
import styles from '../content.module.css';
import { type Choice, ConflictPart } from './conflict-part.js';

const betweenMax = 20;

export interface ConflictDialogProps {
  readonly theirs: LoadedContent;
  readonly onClose: () => void;
}

export function ConflictDialog({ theirs: newest, onClose }: ConflictDialogProps) {
  const { saved, state: mine, settle } = useEditing();
  // What is being merged stays what it was: a third save is met afterwards.
  const [{ base, theirs }] = useState(() => ({ base: saved, theirs: newest }));
  const [choices, setChoices] = useState<Readonly<Record<PartName, Choice>>>({});
  const [byHand, setByHand] = useState<Readonly<Record<PartName, string>>>({});
  const isNarrow = useIsNarrow();
  const parts = useMemo(() => {
    const byThem = new Set(changedParts(base, theirs));
    const byMe = new Set(changedParts(base, mine));
    const names = changedParts(base, theirs);
    for (const name of byMe) if (!byThem.has(name)) names.push(name);
    return names.map((name) => ({ name, isTheirs: byThem.has(name), isMine: byMe.has(name) }));
  }, [base, mine, theirs]);
  const conflicts = new Set(conflictingParts(base, mine, theirs));
  const [sides] = useState(() => ({
    base: partsOf(base),
    mine: partsOf(mine),
    theirs: partsOf(theirs),
  }));

  const goOn = (): void => {
    const merged = mergeStates(base, mine, theirs, (name) =>
      choices[name] === 'theirs' ? 'theirs' : 'mine',
    );
    const result = new Map(partsOf(merged));
    for (const [name, text] of Object.entries(byHand)) {
      if (choices[name] !== 'theirs') result.set(name, text);
    }
    settle(theirs, stateOfParts(result));
    notifyDone(`You go on from revision ${theirs.newest}. Save when it is right.`);
    onClose();
  };
  const takeTheirs = (): void => {
    modals.openConfirmModal({
      title: 'Drop what you typed?',
      children: (
        <Text size="sm">
          You go on with revision {theirs.newest} as {theirs.author} saved it. What you typed cannot
          be brought back.
        </Text>
      ),
      labels: { confirm: 'Take theirs, drop mine', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      zIndex: 300,
      onConfirm: () => {
        settle(theirs, stateOf(theirs));
        onClose();
      },
    });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Two edits of the same content"
      size="90rem"
      fullScreen={isNarrow}
      closeOnClickOutside={false}
    >
      <Stack>
        <Between base={base} theirs={theirs} />
        <Text size="sm">
          {conflicts.size === 0
            ? 'You changed different parts, so both can be kept.'
            : 'Where both of you changed the same part, choose which one stays; yours is proposed. The other parts keep what each of you did.'}
        </Text>
        <Accordion
          multiple
          variant="contained"
          chevronPosition="left"
          order={3}
          keepMounted={false}
          defaultValue={parts
            .filter(({ name }) => conflicts.size === 0 || conflicts.has(name))
            .slice(0, 2)
            .map(({ name }) => itemOf(name))}
        >
          {parts.map(({ name, isTheirs, isMine }) => (
            <Accordion.Item key={name} value={itemOf(name)}>
              <Accordion.Control>
                <Group gap="xs">
                  <Text fw={600} size="sm">
                    {titleOfPart(name)}
                  </Text>
                  {isTheirs && (
                    <Badge size="sm" variant="dot" color="orange">
                      changed by {theirs.author}
                    </Badge>
                  )}
                  {isMine && (
                    <Badge size="sm" variant="dot" color="blue">
                      changed by you
                    </Badge>
                  )}
                  {conflicts.has(name) && (
                    <Badge size="sm" variant="dot" color="red">
                      {choices[name] === 'theirs' ? 'theirs stays' : 'yours stays'}
                    </Badge>
                  )}
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <ConflictPart
                  name={name}
                  author={theirs.author}
                  base={sides.base.get(name) ?? null}
                  mine={byHand[name] ?? sides.mine.get(name) ?? null}
                  theirs={sides.theirs.get(name) ?? null}
                  isTheirs={isTheirs}
                  isMine={isMine}
                  choice={conflicts.has(name) ? (choices[name] ?? 'mine') : null}
                  onChoice={(choice) => setChoices((before) => ({ ...before, [name]: choice }))}
                  onByHand={(text) => setByHand((before) => ({ ...before, [name]: text }))}
                />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
        <Group justify="flex-end" className={styles['foot'] ?? ''}>
          <Button variant="default" onClick={onClose}>
            Decide later
          </Button>
          <Button variant="default" onClick={takeTheirs}>
            Take theirs, drop mine
          </Button>
          <Button onClick={goOn}>
            {conflicts.size === 0 ? 'Merge both' : 'Put mine on top of theirs'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Who saved what since the edit was begun. */
function Between({ base, theirs }: { base: LoadedContent; theirs: LoadedContent }) {
  const { env, id } = theirs;
  const list = useQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions', 'between', base.newest, theirs.newest],
    queryFn: async () =>
      (await fetchRevisions(env, id, { limit: betweenMax })).filter(
        ({ revision }) => revision > base.newest,
      ),
  });
  const rows = list.data ?? [];
  return (
    <Stack gap={4}>
      <Text size="sm">
        {base.newest === 0
          ? `${theirs.author} created this content while you were typing yours.`
          : `You began on revision ${base.newest}. Since then:`}
      </Text>
      <ul style={{ margin: 0 }}>
        {rows.map(({ revision, author, createdAt, note, live }) => (
          <li key={revision}>
            <Text size="sm" span>
              r{revision} by {author}, <When at={createdAt} span inherit />
              {live ? ', live now' : ''}
              {note === '' ? '' : `: ${note}`}
            </Text>
          </li>
        ))}
        {rows.length === 0 && !list.isPending && (
          <li>
            <Text size="sm" span>
              {theirs.author} changed the description, tags or schema.
            </Text>
          </li>
        )}
      </ul>
    </Stack>
  );
}
