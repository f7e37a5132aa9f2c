/**
 * What a merge has found, as a tree that becomes a text once its conflicts are decided. Types, and the text.
 */
import { endsInLineComment } from './trivia.js';

/** Both sides changed one value, each in its own way. */
export interface MergeConflict {
  /** JSON Pointer into the saved text; '' for the whole text. Of lines: `line 12`. */
  readonly place: string;
  /** Identity of the innermost array element around it that has one, such as its id; null: there is none. */
  readonly element: string | null;
  /** Sources; null: not there. */
  readonly base: string | null;
  readonly theirs: string | null;
  readonly mine: string | null;
}

/** Which source a conflict becomes; null: nothing. */
export type Decide = (conflict: MergeConflict) => string | null;

export type MergeNode =
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'conflict'; readonly conflict: MergeConflict }
  | MergedContainer
  /** Parts of a text that is merged by lines. */
  | { readonly kind: 'sequence'; readonly parts: readonly MergeNode[] };

export interface MergedContainer {
  readonly kind: 'container';
  readonly open: string;
  readonly items: readonly MergedItem[];
  readonly comma: string;
  readonly end: string;
  readonly close: string;
}

export interface MergedItem {
  readonly lead: string;
  readonly head: string;
  readonly before: string;
  readonly after: string;
  readonly value: MergeNode;
}

/** @returns null: a conflict was decided so that nothing is left */
export function sourceOf(node: MergeNode, decide: Decide): string | null {
  if (node.kind === 'source') return node.source;
  if (node.kind === 'conflict') return decide(node.conflict);
  if (node.kind === 'sequence')
    return node.parts.map((part) => sourceOf(part, decide) ?? '').join('');
  return containerSource(node, decide);
}

function containerSource(node: MergedContainer, decide: Decide): string {
  const items = node.items.flatMap((item) => {
    const value = sourceOf(item.value, decide);
    return value === null ? [] : [{ ...item, value }];
  });
  const last = items.length - 1;
  let source = node.open;
  let trivia = node.open.slice(1);
  for (const [index, { lead, head, value, before, after }] of items.entries()) {
    const comma = index < last ? ',' : node.comma;
    source += `${breakAfter(trivia, lead)}${lead}${head}${value}${before}${comma}${after}`;
    trivia = after;
  }
  return `${source}${breakAfter(trivia, node.end)}${node.end}${node.close}`;
}

const startsWithBreak = /^[\n\r]/;

/** Pieces of two texts may meet where a comment to the end of the line would swallow what follows. */
function breakAfter(trivia: string, next: string): string {
  return endsInLineComment(trivia) && !startsWithBreak.test(next) ? '\n' : '';
}

export function conflictsOf(node: MergeNode): MergeConflict[] {
  if (node.kind === 'source') return [];
  if (node.kind === 'conflict') return [node.conflict];
  if (node.kind === 'sequence') return node.parts.flatMap(conflictsOf);
  return node.items.flatMap(({ value }) => conflictsOf(value));
}
