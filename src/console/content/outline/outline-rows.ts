/** The rows of an outline: a tree of values as a list of those that are in open ones. Pure. */
import { escapeToken } from '../../../content/json/pointer-text.js';
import type { TextNode, TextTree } from '../../../content/json/text-tree.js';

export interface OutlineRow {
  readonly node: TextNode;
  /** JSON Pointer. */
  readonly path: string;
  /** From 1. */
  readonly level: number;
  /** Null: it has no children. */
  readonly isOpen: boolean | null;
}

/** Rows that a filter shows. */
const foundMax = 500;
/** Characters of a value in its row. */
const valueCharsMax = 60;

/** @param open pointers of the values whose children are shown; the root always is */
export function openRows({ root }: TextTree, open: ReadonlySet<string>): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  addChildren(rows, root, '', 1, (path) => open.has(path));
  return rows;
}

/** Those with the words in their name or value, with what is above them. */
export function foundRows(tree: TextTree, words: string): readonly OutlineRow[] {
  const shown = new Set<TextNode>();
  const open = new Set<TextNode>();
  let found = 0;
  const stack: TextNode[] = [...tree.root.children].reverse();
  for (let node = stack.pop(); node !== undefined && found < foundMax; node = stack.pop()) {
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as TextNode);
    if (!`${nameOf(node)} ${gistOf(tree, node)}`.toLowerCase().includes(words)) continue;
    found++;
    shown.add(node);
    for (let at = node.parent; at !== null && !open.has(at); at = at.parent) open.add(at);
  }
  const rows: OutlineRow[] = [];
  addFound(rows, tree.root, '', 1, { shown, open });
  return rows;
}

function addChildren(
  rows: OutlineRow[],
  parent: TextNode,
  parentPath: string,
  level: number,
  isOpenAt: (path: string) => boolean,
): void {
  for (const node of parent.children) {
    const path = childPath(parentPath, node);
    const isOpen = node.children.length === 0 ? null : isOpenAt(path);
    rows.push({ node, path, level, isOpen });
    if (isOpen === true) addChildren(rows, node, path, level + 1, isOpenAt);
  }
}

interface Found {
  readonly shown: ReadonlySet<TextNode>;
  readonly open: ReadonlySet<TextNode>;
}

function addFound(
  rows: OutlineRow[],
  parent: TextNode,
  parentPath: string,
  level: number,
  found: Found,
): void {
  for (const node of parent.children) {
    const isOpen = found.open.has(node);
    if (!isOpen && !found.shown.has(node)) continue;
    const path = childPath(parentPath, node);
    rows.push({ node, path, level, isOpen: node.children.length === 0 ? null : isOpen });
    if (isOpen) addFound(rows, node, path, level + 1, found);
  }
}

function childPath(parentPath: string, node: TextNode): string {
  return `${parentPath}/${escapeToken(nameOf(node))}`;
}

/** Its name, or its index in an array. */
export function nameOf({ name, index }: TextNode): string {
  return name ?? String(index);
}

/** What identifies it at a glance: a scalar as it is written, else how many children it has. */
export function gistOf({ text }: TextTree, { kind, start, end, children }: TextNode): string {
  if (kind === 'object') return children.length === 0 ? '{}' : `{${children.length}}`;
  if (kind === 'array') return children.length === 0 ? '[]' : `[${children.length}]`;
  const isLong = end - start > valueCharsMax;
  return isLong ? `${text.slice(start, start + valueCharsMax)}…` : text.slice(start, end);
}

/** Pointers of all that is above a value, outermost first. */
export function pathsAbove(path: string): readonly string[] {
  const paths: string[] = [];
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    paths.push(path.slice(0, at));
  }
  return paths;
}
