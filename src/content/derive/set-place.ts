/**
 * Sets, inserts and removes one value of a JSONC text by its place; all other bytes stay. Of a repeated name the last member
 * is meant, and a removal removes all of them. Pure; works in a browser.
 */

import { TextIssue } from '../json/text-issue.js';
import { nodeAtTokens, parseTextTree, type TextTree } from '../json/text-tree.js';
import {
  applyChanges,
  insertElement,
  insertMember,
  removeChild,
  replaceValue,
} from '../json/tree-edits.js';
import { arrayIndex, type Tokens } from './plain-value.js';

/**
 * The text with another value at the place. A member of an object that is there is added if it is missing.
 * @param source JSON, which stands in the text as it is written here
 * @returns null: the text has no such place
 */
export function setPlace(text: string, tokens: Tokens, source: string): string | null {
  const tree = treeOf(text);
  const node = tree === null ? null : nodeAtTokens(tree, tokens);
  if (tree !== null && node !== null) return applyChanges(text, replaceValue(node, source));
  const parent = tree === null ? null : nodeAtTokens(tree, tokens.slice(0, -1));
  return parent?.kind === 'object' ? insertPlace(text, tokens, source) : null;
}

/**
 * The text with one more member at the end of an object, or one more element of a list before the one that has the index now;
 * the index `-` is the end.
 * @returns null: there is no object or list to insert into, or it has no such index
 */
export function insertPlace(text: string, tokens: Tokens, source: string): string | null {
  const tree = treeOf(text);
  const last = tokens.at(-1);
  const parent = tree === null ? null : nodeAtTokens(tree, tokens.slice(0, -1));
  if (tree === null || parent === null || last === undefined) return null;
  if (parent.kind === 'object') return applyChanges(text, insertMember(tree, parent, last, source));
  if (parent.kind !== 'array') return null;
  const index = last === '-' ? parent.children.length : Number(arrayIndex.exec(last)?.[0] ?? -1);
  if (index < 0 || index > parent.children.length) return null;
  return applyChanges(text, insertElement(tree, parent, index, source));
}

/** Null: there is no such member or element. */
export function removePlace(text: string, tokens: Tokens): string | null {
  const tree = treeOf(text);
  const node = tree === null ? null : nodeAtTokens(tree, tokens);
  if (tree === null || node === null || tokens.length === 0) return null;
  const rest = applyChanges(text, removeChild(tree, node));
  const isElement = nodeAtTokens(tree, tokens.slice(0, -1))?.kind === 'array';
  // Of a repeated name none may be left.
  return isElement ? rest : (removePlace(rest, tokens) ?? rest);
}

function treeOf(text: string): TextTree | null {
  const tree = parseTextTree(text);
  return tree instanceof TextIssue ? null : tree;
}
