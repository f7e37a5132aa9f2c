/** `--match` and `--limit` of lists, and the remark on what they leave out. */

import type { Command } from 'commander';
import { printNote } from '../terminal/output.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import type { ClientResponse } from './admin-client.js';
import { type ConnectionOptions, printResponse } from './connection.js';

export interface FilterOptions {
  readonly match?: string;
  readonly limit?: number;
}

/**
 * Adds `--match` and `--limit`.
 * @param noun of what is listed, several
 * @param member what a pattern is compared with
 */
export function withFilter(command: Command, noun: string, member = 'name'): Command {
  return command
    .option('--match <pattern>', `only ${noun} with this ${member}; * is any text, ? any character`)
    .option('--limit <count>', `maximum number of ${noun}`, wholeNumber(1, 1_000_000));
}

/**
 * The rows to show. What the limit leaves out is said on stderr.
 * @param nameOf what the pattern is compared with
 * @param noun of what is listed, several
 */
export function filterRows<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  noun: string,
  { match, limit }: FilterOptions,
): readonly Row[] {
  const pattern = match === undefined ? null : patternOf(match);
  const matching = pattern === null ? rows : rows.filter((row) => pattern.test(nameOf(row)));
  const shown = limit === undefined ? matching : matching.slice(0, limit);
  const all = matching.length;
  if (shown.length < all) {
    printNote(`${shown.length} of ${all} ${noun} shown: --limit ${all} lists all.`);
  }
  return shown;
}

/**
 * Prints a list that came in one response: a table, or with `--json` the response with the rows to show.
 * @param noun the member with the rows, and what they are called: `users`
 * @param nameOf what the pattern is compared with
 */
export function printList<Noun extends string, Row>(
  options: ConnectionOptions & FilterOptions,
  { value, text }: ClientResponse<Readonly<Record<Noun, readonly Row[]>>>,
  noun: Noun,
  nameOf: (row: Row) => string,
  columns: readonly Column<Row>[],
): void {
  const all = value[noun];
  const rows = filterRows(all, nameOf, noun, options);
  const shown = rows.length === all.length ? text : JSON.stringify({ ...value, [noun]: rows });
  printResponse(options, { value: rows, text: shown }, () =>
    formatTable(columns, rows, `No ${noun}.`),
  );
}

/** Of a list that the server cuts. */
export function noteMore(noun: string): void {
  printNote(`There are more ${noun}: a higher --limit lists them.`);
}

const special = /[\\^$.|+()[\]{}]/g;
const stars = /\*+/g;

/** Upper and lower case are the same, as they are in ids of content. */
function patternOf(glob: string): RegExp {
  const source = glob.replace(special, '\\$&').replace(stars, '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'isu');
}
