/** Merges two edits of one content item, each of its parts by JSON place, and what is not JSON by lines (D108). */
import type { ElementsKind } from '../../content/merge/match-children.js';
import { mergeTexts } from '../../content/merge/merge-text.js';
import {
  conflictsOf,
  type Decide,
  type MergeConflict,
  type MergeNode,
  sourceOf,
} from '../../content/merge/merge-tree.js';
import { commentsAdded, commentsOf } from '../../content/merge/trivia.js';
import { changedByOne, mapVersions, type Versions } from '../../content/merge/versions.js';
import type { ContentState } from './draft.js';
import { changedParts, lineOfPart, type PartName, partsOf, withParts } from './state-parts.js';

/** A part that at least one side changed. Null: it does not exist on that side. */
export interface PartMerge extends Versions<string | null> {
  readonly name: PartName;
  readonly isTheirs: boolean;
  readonly isMine: boolean;
  /** Whether a value can be typed in place of a conflict: flags, tags and guards have forms of their own. */
  readonly isTypable: boolean;
  readonly conflicts: readonly MergeConflict[];
  /** The text is JSON, but what is typed is not, so it was merged by lines. */
  readonly isUnfinished: boolean;
  /** JSON Pointers of arrays into which both inserted at one place: theirs stand first. */
  readonly met: readonly string[];
  /** @returns null: the part is removed */
  merged(decide: Decide): string | null;
}

/** The parts that either side changed since the base, in the order of the editor. */
export function mergeContents(states: Versions<ContentState>): PartMerge[] {
  const { base, theirs, mine } = states;
  const byThem = new Set(changedParts(base, theirs));
  const byMe = new Set(changedParts(base, mine));
  const parts = mapVersions(states, partsOf);
  return [...new Set([...byThem, ...byMe])].map((name) => ({
    ...mergePart(
      mapVersions(parts, (all) => all.get(name) ?? null),
      elementsOf(name),
    ),
    name,
    isTheirs: byThem.has(name),
    isMine: byMe.has(name),
    isTypable: !['flags', 'tags', 'guards'].includes(name),
  }));
}

/** The merge of one text. @returns null: neither side changed it */
export function mergeNamedText(
  name: PartName,
  texts: Versions<string>,
  elements: ElementsKind | 'lines',
): PartMerge | null {
  const { base, theirs, mine } = texts;
  const isTheirs = theirs !== base;
  const isMine = mine !== base;
  if (!isTheirs && !isMine) return null;
  return { ...mergePart(texts, elements), name, isTheirs, isMine, isTypable: true };
}

/** The saved state with what is typed merged into it. */
export function mergedState(
  theirs: ContentState,
  parts: readonly PartMerge[],
  decide: Decide,
): ContentState {
  return withParts(
    theirs,
    parts.map((part) => [part.name, part.merged(decide)] as const),
  );
}

/** Comments that one side wrote and the merged text has not. */
export function lostComments({ base, theirs, mine }: PartMerge, merged: string | null): string[] {
  const kept = new Set(commentsOf(merged ?? ''));
  const written = [theirs, mine].flatMap((side) => commentsAdded(base ?? '', side ?? ''));
  return [...new Set(written)].filter((comment) => !kept.has(comment));
}

type Merged = Pick<PartMerge, 'conflicts' | 'isUnfinished' | 'met' | 'merged'>;

function mergePart(
  texts: Versions<string | null>,
  elements: ElementsKind | 'lines',
): Versions<string | null> & Merged {
  const { base, theirs, mine } = texts;
  if (base === null || theirs === null || mine === null) return { ...texts, ...wholePart(texts) };
  const { tree, by, met } = mergeTexts({ base, theirs, mine }, elements);
  return {
    ...texts,
    ...mergedOf(tree),
    isUnfinished: by === 'line' && elements !== 'lines',
    met,
  };
}

/** One side added or removed it. */
function wholePart(texts: Versions<string | null>): Merged {
  const source = changedByOne(texts);
  if (source !== undefined) {
    return { conflicts: [], isUnfinished: false, met: [], merged: () => source };
  }
  const conflict = { place: '', element: null, ...texts };
  return { ...mergedOf({ kind: 'conflict', conflict }), isUnfinished: false, met: [] };
}

function mergedOf(tree: MergeNode): Pick<Merged, 'conflicts' | 'merged'> {
  return { conflicts: conflictsOf(tree), merged: (decide) => sourceOf(tree, decide) };
}

function elementsOf(name: PartName): ElementsKind | 'lines' {
  if (lineOfPart(name) !== null || name === 'schema' || name === 'guards') return 'any';
  if (name === 'description') return 'lines';
  return name === 'mapping' ? 'rules' : 'set';
}
