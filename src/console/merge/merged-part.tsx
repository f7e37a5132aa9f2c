/** One part of a content item that another user or this one changed: its conflicts, and the merged text compared in pairs. */
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { lostComments, type PartMerge } from '../draft/merge-content.js';
import { titleOfPart } from '../draft/state-parts.js';
import { DiffView } from '../parts/code/diff-view.js';
import { ConflictChoice } from './conflict-choice.js';
import { shownText } from './part-accordion.js';
import type { Merge } from './use-merge.js';

export interface MergedPartProps {
  readonly part: PartMerge;
  readonly author: string;
  readonly merge: Merge;
}

type View = 'merged' | 'theirs' | 'mine';

export function MergedPart({ part, author, merge }: MergedPartProps) {
  const { conflicts } = part;
  return (
    <Stack gap="sm">
      <PartNotes part={part} merged={merge.textOf(part)} />
      {conflicts.length > 1 && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => merge.choose(conflicts, { side: 'mine', text: '' })}
          >
            Keep yours in all {conflicts.length}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => merge.choose(conflicts, { side: 'theirs', text: '' })}
          >
            Keep {author}’s in all {conflicts.length}
          </Button>
        </Group>
      )}
      {conflicts.map((conflict) => (
        <ConflictChoice
          key={conflict.place}
          conflict={conflict}
          author={author}
          mayType={part.isTypable}
          choice={merge.choiceOf(conflict)}
          onChoice={(choice) => merge.choose([conflict], choice)}
        />
      ))}
      <PartDiff part={part} author={author} merged={merge.textOf(part)} />
    </Stack>
  );
}

interface MergedTextProps {
  readonly part: PartMerge;
  readonly merged: string | null;
}

/** What the merge could not do, or did in a way to look at. */
function PartNotes({ part, merged }: MergedTextProps) {
  const lost = lostComments(part, merged);
  const notes = [
    ...(part.isUnfinished
      ? ['What you typed is not valid JSON, so the texts are merged line by line.']
      : []),
    ...part.met.map(
      (place) =>
        `Both of you added elements at the same place of ${place === '' ? 'the list' : place}. Theirs come first, then yours.`,
    ),
    ...lost.map((comment) => `This comment has no place in the merged text: ${comment}`),
  ];
  if (notes.length === 0) return null;
  return (
    <Stack gap={4}>
      {notes.map((note) => (
        <Text key={note} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      ))}
    </Stack>
  );
}

function PartDiff({ part, author, merged }: MergedTextProps & { readonly author: string }) {
  const { name, base, theirs, mine } = part;
  const [view, setView] = useState<View>('merged');
  const started = { text: base, label: 'Where you started' };
  const saved = {
    text: theirs,
    label: theirs === null ? `${author} removed it` : `Saved by ${author}`,
  };
  const typed = { text: mine, label: mine === null ? 'You removed it' : 'As you typed it' };
  const result = { text: merged, label: merged === null ? 'Removed' : 'Merged' };
  const pairs = {
    merged: [saved, result],
    theirs: [started, saved],
    mine: [started, typed],
  } as const;
  const views = [
    { value: 'merged', label: 'Merged' },
    ...(part.isTheirs ? [{ value: 'theirs', label: `Saved by ${author}` }] : []),
    ...(part.isMine ? [{ value: 'mine', label: 'Typed by you' }] : []),
  ];
  return (
    <>
      <SegmentedControl
        aria-label={`What to compare in ${titleOfPart(name)}`}
        data={views}
        value={view}
        onChange={(value) => setView(value as View)}
        style={{ alignSelf: 'flex-start', flexWrap: 'wrap', maxWidth: '100%' }}
      />
      <DiffView
        before={shownText(name, pairs[view][0].text ?? '')}
        after={shownText(name, pairs[view][1].text ?? '')}
        beforeLabel={pairs[view][0].label}
        afterLabel={pairs[view][1].label}
      />
    </>
  );
}
