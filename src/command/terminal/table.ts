/** Formats rows as aligned columns; programs use `--json`. */

import { oneLine } from './output.js';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
}

/** One line per row under a line of titles, each ended by a line feed. Without rows: `nothing`. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nothing: string,
): string {
  if (rows.length === 0) return `${nothing}\n`;
  const lines = [columns.map((column) => column.title)];
  for (const row of rows) lines.push(columns.map((column) => oneLine(column.text(row))));
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line, index))));
  return lines.map((line) => formatLine(line, widths)).join('');
}

function width(line: readonly string[], index: number): number {
  return [...(line[index] ?? '')].length;
}

function formatLine(line: readonly string[], widths: readonly number[]): string {
  const cells = line.map((cell, index) => {
    const missing = (widths[index] ?? 0) - width(line, index);
    return cell + ' '.repeat(missing);
  });
  return `${cells.join('  ').trimEnd()}\n`;
}
