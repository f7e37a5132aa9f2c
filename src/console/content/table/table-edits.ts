/** Edits of a table as changes of its text: each leaves every byte that is not of its cell or row as it is. Pure. */

import { TextIssue } from '../../../content/json/text-issue.js';
import {
  nodeOf,
  parseTextTree,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import {
  applyChanges,
  insertElement,
  insertMember,
  moveElement,
  removeChild,
  replaceValue,
  type TextChange,
} from '../../../content/json/tree-edits.js';
import { sourceOf } from './cell-text.js';
import { cellOf, type TableColumn } from './tables-of.js';

/** A value for a cell, by the place of its row in the array. */
export interface CellEdit {
  readonly row: number;
  readonly column: string;
  /** JSON, as it goes into the text; null: the member goes. */
  readonly source: string | null;
}

/** A text, and the array that the table is of. */
export interface TableText {
  readonly tree: TextTree;
  readonly array: TextNode;
}

/** @returns null: the text has no such array any more */
export function tableIn(text: string, pointer: string): TableText | null {
  const tree = parseTextTree(text);
  if (tree instanceof TextIssue) return null;
  const array = nodeOf(tree, pointer);
  return array?.kind === 'array' ? { tree, array } : null;
}

/** The text with one cell edited. */
export function withCell(table: TableText, edit: CellEdit): string {
  return applyChanges(table.tree.text, cellChanges(table, edit));
}

/**
 * The text with many cells edited. Members that rows do not have yet are added one column after the other, so that each finds
 * the place behind the last one.
 */
export function withCells(table: TableText, pointer: string, edits: readonly CellEdit[]): string {
  let [now, waiting] = [table, edits];
  for (;;) {
    const { tree, array } = now;
    const isNew = ({ row, column, source }: CellEdit): boolean => {
      const node = array.children[row];
      return source !== null && node !== undefined && cellOf(node, column) === null;
    };
    const rowsWithNew = new Set<number>();
    const [due, later]: [CellEdit[], CellEdit[]] = [[], []];
    for (const edit of waiting) {
      const isDue = !isNew(edit) || !rowsWithNew.has(edit.row);
      if (isNew(edit)) rowsWithNew.add(edit.row);
      (isDue ? due : later).push(edit);
    }
    // A new member may begin where a value ends that is replaced as well: what ends first comes first.
    const changes = due
      .flatMap((edit) => cellChanges(now, edit))
      .sort((one, other) => one.from - other.from || one.to - other.to);
    const text = applyChanges(tree.text, changes);
    if (later.length === 0) return text;
    const next = tableIn(text, pointer);
    if (next === null) return text;
    [now, waiting] = [next, later];
  }
}

function cellChanges({ tree, array }: TableText, { row, column, source }: CellEdit): TextChange[] {
  const object = array.children[row];
  if (object === undefined) return [];
  const cell = cellOf(object, column);
  if (cell === null) return source === null ? [] : insertMember(tree, object, column, source);
  if (source === null) return removeChild(tree, cell);
  return source === sourceOf(tree.text, cell) ? [] : replaceValue(cell, source);
}

/** The text with one more row: members that all rows have, with the empty value of their kind. */
export function withNewRow(
  { tree, array }: TableText,
  at: number,
  columns: readonly TableColumn[],
): string {
  const rows = array.children.length;
  const members = columns
    .filter(({ count }) => count === rows)
    .map(({ name, kind }) => `${JSON.stringify(name)}: ${emptySources[kind]}`);
  const beside = array.children[Math.min(at, rows - 1)];
  const isTall = beside !== undefined && sourceOf(tree.text, beside).includes('\n');
  return applyChanges(tree.text, insertElement(tree, array, at, objectSource(members, isTall)));
}

/** The empty value of each kind. */
export const emptySources: Readonly<Record<TextNode['kind'], string>> = {
  object: '{}',
  array: '[]',
  string: '""',
  number: '0',
  boolean: 'false',
  null: 'null',
};

/** An object of members as they are written, on one line or on several. */
export function objectSource(members: readonly string[], isTall: boolean): string {
  if (members.length === 0) return '{}';
  return isTall ? `{\n  ${members.join(',\n  ')}\n}` : `{ ${members.join(', ')} }`;
}

/** The text with a row twice, the copy behind it. */
export function withRowTwice({ tree, array }: TableText, row: number): string {
  const node = array.children[row];
  if (node === undefined) return tree.text;
  const source = unindented(tree.text, node);
  return applyChanges(tree.text, insertElement(tree, array, row + 1, source));
}

/** The source with its further lines moved out by the indentation of its first one: who inserts it moves them in again. */
export function unindented(text: string, node: TextNode): string {
  const line = text.slice(text.lastIndexOf('\n', node.start - 1) + 1, node.start);
  const indent = blank.exec(line)?.[0] ?? '';
  return sourceOf(text, node).replaceAll(`\n${indent}`, '\n');
}

const blank = /^[ \t]*/;

export function withoutRow({ tree, array }: TableText, row: number): string {
  const node = array.children[row];
  return node === undefined ? tree.text : applyChanges(tree.text, removeChild(tree, node));
}

/** The text with a row at another place; the rows between move by one. */
export function withMovedRow({ tree, array }: TableText, from: number, to: number): string {
  if (to < 0 || to >= array.children.length) return tree.text;
  return applyChanges(tree.text, moveElement(tree, array, from, to));
}
