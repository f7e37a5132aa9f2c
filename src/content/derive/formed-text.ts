/** A value in the form of a text that has another one: its comments, white space and order stay where nothing differs. Pure. */
import { TextIssue } from '../json/text-issue.js';
import { nodeAtTokens, parseTextTree } from '../json/text-tree.js';
import { applyChanges, replaceValue, type TextChange } from '../json/tree-edits.js';
import { type Change, changesBetween } from './changes.js';
import { type PlainValue, plainAt, printPlain } from './plain-value.js';
import { insertPlace, removePlace, setPlace } from './set-place.js';

/** Characters that may be read for changes that are made one after the other, less than a second. */
const charactersMax = 10_000_000;

/**
 * @param text JSONC of `before`
 * @returns JSONC of `after`; null: it differs so much that the form of the text is not kept
 */
export function formedText(text: string, before: PlainValue, after: PlainValue): string | null {
  const changes = changesBetween(before, after);
  // Where elements come or go, the places of later changes are those of the text in between.
  const isShifting = changes.some(
    ({ op, path }) => op !== 'replace' && plainAt(before, path.slice(0, -1))?.kind === 'array',
  );
  const replaced = isShifting ? [] : changes.filter(({ op }) => op === 'replace');
  const others = isShifting ? changes : changes.filter(({ op }) => op !== 'replace');
  if (others.length * text.length > charactersMax) return null;
  let formed = replaceAll(text, replaced);
  for (const change of others) {
    if (formed !== null) formed = changeOne(formed, change);
  }
  return formed;
}

/** All in one reading of the text: none is inside another. */
function replaceAll(text: string, changes: readonly Change[]): string | null {
  const tree = parseTextTree(text);
  if (tree instanceof TextIssue) return null;
  const edits: TextChange[] = [];
  for (const change of changes) {
    const node = nodeAtTokens(tree, change.path);
    if (node === null || change.op !== 'replace') return null;
    edits.push(...replaceValue(node, printPlain(change.value, true)));
  }
  return applyChanges(
    text,
    edits.sort((a, b) => a.from - b.from),
  );
}

function changeOne(text: string, change: Change): string | null {
  if (change.op === 'remove') return removePlace(text, change.path);
  const put = change.op === 'add' ? insertPlace : setPlace;
  return put(text, change.path, printPlain(change.value, true));
}
