/** From the first rule in local time, or that repeats, on, only servers that can read it may write (D89). */
import { parseMapping } from '../../../content/mapping/mapping.js';
import { requireWriters } from '../require-writers.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** Step of the schema of the first version that reads such rules. The delivery processes of an older one end. */
const windowsStep = 9;

/**
 * From now on servers of older versions reject edits: they cannot read what they would publish.
 * @throws UpgradeInProgress while such a server lives
 */
export async function requireWindowWriters(write: UnitOfWork): Promise<void> {
  await requireWriters(write, windowsStep);
}

/**
 * Found in every text that has such a window, and in few others: the name of the member, a time that ends its string without a
 * zone, or an escape that could hide either.
 */
const perhaps = /repeat|\d:\d\d(?:\.\d+)?"|\\u/;

/** @param mapping a text that is about to come into the store, of a draft too: an older server could publish it */
export function needsWindowWriters(mapping: Uint8Array): boolean {
  if (!perhaps.test(Buffer.from(mapping).toString('latin1'))) return false;
  const parsed = parseMapping(mapping);
  return parsed.ok && parsed.rules.some(({ isLocal, repeat }) => isLocal || repeat !== null);
}
