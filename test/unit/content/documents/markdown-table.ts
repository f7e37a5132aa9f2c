/** Reads the tables of the documents in `docs/`, for tests that hold each row against the code. */
import { readFileSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);

export function readDocument(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** The rows of every table that `marker` stands before, by column name; code spans come without their backticks. */
export function readTables(markdown: string, marker: string): Record<string, string>[] {
  return markdown
    .split(`<!-- ${marker} -->\n`)
    .slice(1)
    .flatMap((rest) => rowsOf(rest.split('\n')));
}

function rowsOf(lines: readonly string[]): Record<string, string>[] {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const [head = '', , ...rows] = lines.slice(0, end);
  const names = cellsOf(head);
  return rows.map((row) => {
    const cells = cellsOf(row);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

/** `\|` is a bar within a cell. */
function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|').replace(codeSpan, '$1'));
}

const codeSpan = /^`(.*)`$/;
