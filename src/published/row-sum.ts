/** The sum that a row of published.db carries: bits that flip on the disk are noticed before anything is made of them. */
import { digestOf } from '../content/hash.js';
import { PublishedDamaged } from './damage.js';

export type Field = string | number | null;

/** Enough to notice a damaged disk; it is no protection against people. */
const digits = 16;

/** Over all other columns of the row, in their order. */
export function rowSum(table: string, fields: readonly Field[]): string {
  return digestOf(JSON.stringify([table, ...fields])).slice(0, digits);
}

/** @throws PublishedDamaged when the row is not what was written */
export function checkSum(table: string, fields: readonly Field[], sum: string): void {
  if (rowSum(table, fields) === sum) return;
  throw new PublishedDamaged(`published.db is damaged: a row of ${table} is not what was written.`);
}
