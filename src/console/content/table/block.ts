/** Blocks of cells as spreadsheets copy and paste them: lines with tabs between the cells. Pure. */
import type { TextNode } from '../../../content/json/text-tree.js';
import { type CellForm, shownText, typedSource } from './cell-text.js';
import type { CellEdit } from './table-edits.js';
import { cellOf, type TableColumn } from './tables-of.js';

/** Cells with tabs, line breaks or quotes have quotes around them, as spreadsheets write them. */
export function blockText(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => row.map(quoted).join('\t')).join('\n');
}

function quoted(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const needsQuotes = /[\t\n\r"]/;

/** The cells of pasted text, row by row. */
export function cellsOfBlock(block: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/y;
  let at = 0;
  for (;;) {
    cells.lastIndex = at;
    const [whole = '', inQuotes] = cells.exec(block) ?? [];
    (rows.at(-1) as string[]).push(inQuotes?.replaceAll('""', '"') ?? whole);
    at += whole.length;
    if (block.charAt(at) === '\t') {
      at += 1;
      continue;
    }
    if (block.startsWith('\r\n', at)) at += 2;
    else if (at < block.length) at += 1;
    // A spreadsheet ends its last line, too.
    if (at >= block.length) return rows;
    rows.push([]);
  }
}

/** Rows and columns of the view that a block goes to. */
export interface BlockPlace {
  /** Places in the array, in the order of the view. */
  readonly rows: readonly number[];
  readonly columns: readonly TableColumn[];
}

/**
 * One value fills the whole place; a block goes to its top left corner. Cells beyond the table are counted.
 * @returns edits, and the first cell that is no value
 */
export function blockEdits(
  text: string,
  array: TextNode,
  block: readonly (readonly string[])[],
  { rows, columns }: BlockPlace,
): { readonly edits: CellEdit[]; readonly left: number; readonly issue: string | null } {
  const edits: CellEdit[] = [];
  let left = 0;
  for (const [down, cells] of block.entries()) {
    for (const [right, typed] of cells.entries()) {
      const [row, column] = [rows[down], columns[right]];
      if (row === undefined || column === undefined) {
        left += 1;
        continue;
      }
      const object = array.children[row];
      const before = object === undefined ? null : cellOf(object, column.name);
      // What stays as it is shown stays as it is written.
      if (before !== null && shownText(text, before) === typed) continue;
      const form: CellForm = (before?.kind ?? column.kind) === 'string' ? 'text' : 'json';
      const result = typedSource(typed, form);
      if ('issue' in result) {
        return { edits: [], left, issue: `Row ${row + 1}, ${column.name}: ${result.issue}` };
      }
      edits.push({ row, column: column.name, source: result.source });
    }
  }
  return { edits, left, issue: null };
}
