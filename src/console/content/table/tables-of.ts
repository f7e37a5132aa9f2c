/** The arrays of objects in a text, and what of each is a row or a column. Pure. */
import {
  childOf,
  pointerOf,
  type TextKind,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';

/** An array of objects, as a person chooses it. */
export interface FoundTable {
  /** JSON Pointer of the array. */
  readonly pointer: string;
  readonly rows: number;
}

export interface TableColumn {
  /** Of the member that each cell is the value of. */
  readonly name: string;
  /** What most rows have there. */
  readonly kind: TextKind;
  /** Rows that have it. */
  readonly count: number;
}

/** All arrays of the text that have objects only; the longest first. */
export function findTables({ root }: TextTree): FoundTable[] {
  const found: FoundTable[] = [];
  const waiting: TextNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isTable(node)) found.push({ pointer: pointerOf(node), rows: node.children.length });
    for (const child of node.children) if (child.children.length > 0) waiting.push(child);
  }
  return found.sort(
    (one, other) => other.rows - one.rows || one.pointer.localeCompare(other.pointer, 'en'),
  );
}

export function isTable({ kind, children }: TextNode): boolean {
  return kind === 'array' && children.length > 0 && children.every((row) => row.kind === 'object');
}

/** Members of all rows, in the order in which they first occur. */
export function columnsOf(array: TextNode): TableColumn[] {
  const counts = new Map<string, Map<TextKind, number>>();
  for (const row of array.children) {
    for (const { name, kind } of row.children) {
      if (name === null) continue;
      const kinds = counts.get(name) ?? new Map<TextKind, number>();
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      counts.set(name, kinds);
    }
  }
  return Array.from(counts, ([name, kinds]) => {
    const [[kind]] = [...kinds].sort((one, other) => other[1] - one[1]) as [[TextKind, number]];
    return { name, kind, count: [...kinds.values()].reduce((sum, count) => sum + count, 0) };
  });
}

/** The value of a row in a column; null: the row has no such member. */
export function cellOf(row: TextNode, column: string): TextNode | null {
  return childOf(row, column);
}
