/** Formats rows as aligned columns; programs use `--json`. */

import { coloured, type Tone } from './colour.js';
import { oneLine } from './output.js';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Colour of the cell. */
  readonly tone?: (row: Row) => Tone | null;
}

interface Cell {
  readonly text: string;
  readonly tone: Tone | null;
}

/** One line per row under a line of titles, each ended by a line feed. Without rows: `nothing`. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nothing: string,
): string {
  if (rows.length === 0) return `${nothing}\n`;
  const lines: Cell[][] = [columns.map(({ title }) => ({ text: title, tone: 'heading' }))];
  for (const row of rows) {
    lines.push(
      columns.map(({ text, tone }) => ({ text: oneLine(text(row)), tone: tone?.(row) ?? null })),
    );
  }
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line[index]))));
  return lines.map((line) => formatLine(line, widths)).join('');
}

function width(cell: Cell | undefined): number {
  return [...(cell?.text ?? '')].length;
}

/** Without white space at its end. */
function formatLine(line: readonly Cell[], widths: readonly number[]): string {
  const lastFull = line.findLastIndex(({ text }) => text.trimEnd() !== '');
  const cells = line.slice(0, lastFull + 1).map((cell, index) => {
    const isLast = index === lastFull;
    const text = isLast ? cell.text.trimEnd() : cell.text;
    const missing = isLast ? 0 : (widths[index] ?? 0) - width(cell);
    return coloured(cell.tone, text) + ' '.repeat(missing);
  });
  return `${cells.join('  ')}\n`;
}
