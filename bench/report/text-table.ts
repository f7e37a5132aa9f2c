/** Aligned columns for a terminal: the first to the left, the others to the right. */
import type { Cell, Finding } from '../bench.js';
import type { Spread } from '../measure/statistics.js';

export function textOf(finding: Finding): string {
  const rows = [finding.columns, ...finding.rows.map((row) => row.map(text))];
  const widths = finding.columns.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(Math.max(...lines.map((line) => line.length)));
  const notes = finding.notes.map((note) => `  ${note}`);
  return [`\n${finding.question}`, lines[0]!, rule, ...lines.slice(1), ...notes].join('\n');
}

function text(cell: Cell): string {
  return typeof cell === 'string' ? cell : short(cell);
}

/** As the text of an HTML or SVG element. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Three significant digits, thousands grouped. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** The column `min-max`. */
export function rangeOf({ min, max }: Spread): string {
  return `${short(min)}-${short(max)}`;
}
