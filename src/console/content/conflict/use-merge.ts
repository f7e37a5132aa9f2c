/** The merge of two edits of the open content item, and what is decided of its conflicts. */
import { useMemo, useState } from 'react';
import { TextIssue } from '../../../content/json/text-issue.js';
import { parseTextTree } from '../../../content/json/text-tree.js';
import type { MergeConflict } from '../../../content/merge/merge-tree.js';
import type { Versions } from '../../../content/merge/versions.js';
import type { ContentState } from '../../draft/draft.js';
import { mergeContents, mergedState, type PartMerge } from '../../draft/merge-content.js';

export type Side = 'theirs' | 'mine';

/** Null: a text of one's own. */
export interface Choice {
  readonly side: Side | 'other';
  /** What is typed as the other value. */
  readonly text: string;
}

export interface Merge {
  readonly parts: readonly PartMerge[];
  readonly conflictCount: number;
  /** Conflicts that nothing, or no valid value, is chosen for. */
  readonly openCount: number;
  choiceOf(conflict: MergeConflict): Choice | null;
  choose(conflicts: readonly MergeConflict[], choice: Choice): void;
  /** The text of a part as far as it is decided; for the rest it is the saved one. */
  textOf(part: PartMerge): string | null;
  state(): ContentState;
}

export function useMerge({ base, theirs, mine }: Versions<ContentState>): Merge {
  const parts = useMemo(() => mergeContents({ base, theirs, mine }), [base, theirs, mine]);
  const [choices, setChoices] = useState<ReadonlyMap<MergeConflict, Choice>>(new Map());
  const conflicts = parts.flatMap((part) => part.conflicts);
  const decide = (conflict: MergeConflict): string | null => {
    const choice = choices.get(conflict);
    if (choice?.side === 'other') return choice.text;
    return conflict[choice?.side ?? 'theirs'];
  };
  return {
    parts,
    conflictCount: conflicts.length,
    openCount: conflicts.filter((conflict) => !isDecided(conflict, choices.get(conflict))).length,
    choiceOf: (conflict) => choices.get(conflict) ?? null,
    choose: (chosen, choice) =>
      setChoices((before) => new Map([...before, ...chosen.map((one) => [one, choice] as const)])),
    textOf: (part) => part.merged(decide),
    state: () => mergedState(theirs, parts, decide),
  };
}

function isDecided(conflict: MergeConflict, choice: Choice | undefined): boolean {
  return choice !== undefined && (choice.side !== 'other' || isUsable(conflict, choice.text));
}

/** Whether a typed value can stand at the place of a conflict. */
export function isUsable({ place }: MergeConflict, text: string): boolean {
  const isJson = place === '' || place.startsWith('/');
  return !isJson || !(parseTextTree(text) instanceof TextIssue);
}
