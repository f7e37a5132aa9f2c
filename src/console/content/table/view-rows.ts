/** Which rows a table shows, and in which order. The text keeps its own. Pure. */
import type { TextNode } from '../../../content/json/text-tree.js';
import { shownText } from './cell-text.js';
import { cellOf } from './tables-of.js';

export interface RowView {
  /** Part of any shown value, in any case; '': all rows. */
  readonly filter: string;
  /** Name of a column; null: the order of the text. */
  readonly sort: string | null;
  readonly isDescending: boolean;
}

/** Places in the array. */
export function viewRows(text: string, array: TextNode, view: RowView): number[] {
  const rows = array.children.map((_, row) => row).filter((row) => isShown(text, array, view, row));
  const { sort } = view;
  if (sort === null) return rows;
  const keys = new Map(rows.map((row) => [row, sortKey(text, array.children[row], sort)]));
  const sign = view.isDescending ? -1 : 1;
  return rows.sort((one, other) => {
    const [a, b] = [keys.get(one) ?? null, keys.get(other) ?? null];
    // What is not there comes last, in both directions.
    if (a === null || b === null) return Number(a === null) - Number(b === null) || one - other;
    return sign * compare(a, b) || one - other;
  });
}

function isShown(text: string, array: TextNode, { filter }: RowView, row: number): boolean {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return true;
  const cells = array.children[row]?.children ?? [];
  return cells.some((cell) => shownText(text, cell).toLowerCase().includes(wanted));
}

type Key = number | string;

function sortKey(text: string, row: TextNode | undefined, column: string): Key | null {
  const cell = row === undefined ? null : cellOf(row, column);
  if (cell === null) return null;
  const shown = shownText(text, cell);
  return cell.kind === 'number' ? Number(shown) : shown;
}

/** Numbers before everything else. */
function compare(one: Key, other: Key): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'number') return -1;
  if (typeof other === 'number') return 1;
  return one.localeCompare(other, 'en', { numeric: true });
}
