/** The columns that a person can choose. Pure. */

export type ColumnName =
  | 'tags'
  | 'state'
  | 'live-since'
  | 'targeting'
  | 'lines'
  | 'size'
  | 'author'
  | 'updated'
  | 'hash';

export const columnLabels: Readonly<Record<ColumnName, string>> = {
  tags: 'Tags',
  state: 'State',
  'live-since': 'Live since',
  targeting: 'Targeting',
  lines: 'Version lines',
  size: 'Size',
  author: 'Last editor',
  updated: 'Updated',
  hash: 'Hash',
};

export const allColumns = Object.keys(columnLabels) as readonly ColumnName[];

export const defaultColumns: readonly ColumnName[] = ['tags', 'state', 'size', 'author', 'updated'];

/** Those that are known, in their order; null: the text says nothing. */
export function readColumns(text: string | null): readonly ColumnName[] | null {
  if (text === null) return null;
  const names = text.split(',');
  return allColumns.filter((name) => names.includes(name));
}

export function sameColumns(a: readonly ColumnName[], b: readonly ColumnName[]): boolean {
  return a.join() === b.join();
}
