/** `--match` and `--limit` of lists, and the remark on what they leave out. */

import type { Command } from 'commander';
import { printNote } from '../terminal/output.js';
import { wholeNumber } from '../terminal/parse-option.js';

export interface FilterOptions {
  readonly match?: string;
  readonly limit?: number;
}

/** Adds `--match` and `--limit`. */
export function withFilter(command: Command, noun: string): Command {
  return command
    .option('--match <pattern>', `only ${noun} with this name; * is any text, ? any character`)
    .option('--limit <count>', `maximum number of ${noun}`, wholeNumber(1, 1_000_000));
}

/**
 * The rows to show. What the limit leaves out is said on stderr.
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
  const left = matching.length - shown.length;
  if (left > 0) printNote(`${left} more ${noun}: --limit ${matching.length} lists all.`);
  return shown;
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
