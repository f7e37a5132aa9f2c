/** Makes ids for things that have no name of their own. */
import { randomBytes } from 'node:crypto';

/** 64 random bits behind a prefix that says what it is: `key_3f…`. Hex, so that no id looks like an option to a shell. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}
