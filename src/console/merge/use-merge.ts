/** What is decided of the conflicts of a merge. */
import { useState } from 'react';
import { TextIssue } from '../../content/json/text-issue.js';
import { parseTextTree } from '../../content/json/text-tree.js';
import type { Decide, MergeConflict } from '../../content/merge/merge-tree.js';
import type { PartMerge } from '../draft/merge-content.js';

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
  /** The source that is chosen for a conflict, or the saved one; null: removed. */
  readonly decide: Decide;
}

/** @param parts the same ones in each render */
export function useMerge(parts: readonly PartMerge[]): Merge {
  const [choices, setChoices] = useState<ReadonlyMap<MergeConflict, Choice>>(new Map());
  const conflicts = parts.flatMap((part) => part.conflicts);
  const decide: Decide = (conflict) => {
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
    decide,
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
