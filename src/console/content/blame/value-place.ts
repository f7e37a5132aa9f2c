/** Values of a JSONC text by their place: which one the cursor is in, its source, and the text with another one. Pure. */
import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser';
import { pointerText, tokensOf } from '../../../content/json/pointer-text.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import { nodeOf, parseTextTree } from '../../../content/json/text-tree.js';
import {
  applyChanges,
  insertElement,
  insertMember,
  removeChild,
  replaceValue,
} from '../../../content/json/tree-edits.js';

/** JSON pointer of the value or member that an offset is in; null: the text is too deep or broken there. */
export function pointerAt(text: string, offset: number): string | null {
  try {
    const { path } = getLocation(text, offset);
    // Between two members the parser invents an empty name.
    const known = path.at(-1) === '' ? path.slice(0, -1) : path;
    const tree = parseTree(text);
    if (tree === undefined) return null;
    // Behind the last element of an array there is none.
    const isThere = findNodeAtLocation(tree, [...known]) !== undefined;
    return pointerText((isThere ? known : known.slice(0, -1)).map(String));
  } catch {
    return null;
  }
}

/** The value as it is written, comments within it included; null: there is none. */
export function valueSource(text: string, pointer: string): string | null {
  const tree = parseTextTree(text);
  const node = tree instanceof TextIssue ? null : nodeOf(tree, pointer);
  return node === null ? null : text.slice(node.start, node.end);
}

/**
 * The text with a value as it was written elsewhere; everything else stays as it is, byte for byte.
 * @param source null: the member or element goes
 * @returns null: the object or array that it belongs to is not there
 */
export function withValue(text: string, pointer: string, source: string | null): string | null {
  const tree = parseTextTree(text);
  if (tree instanceof TextIssue) return null;
  const node = nodeOf(tree, pointer);
  if (node !== null) {
    return applyChanges(
      text,
      source === null ? removeChild(tree, node) : replaceValue(node, source),
    );
  }
  if (source === null) return text;
  const tokens = tokensOf(pointer) ?? [];
  const name = tokens.at(-1);
  const parent = name === undefined ? null : nodeOf(tree, pointerText(tokens.slice(0, -1)));
  if (name === undefined || parent === null) return null;
  if (parent.kind === 'object') return applyChanges(text, insertMember(tree, parent, name, source));
  const end = parent.children.length;
  const isNext = parent.kind === 'array' && name === String(end);
  return isNext ? applyChanges(text, insertElement(tree, parent, end, source)) : null;
}
