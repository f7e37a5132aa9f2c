/**
 * From the first rule in local time, or that repeats, on, only servers that can read it may write (D89); and from the first rule
 * with a layer or the holdout on (D94). The delivery processes of an older one end.
 */
import { parseMapping, type Rule } from '../../../content/mapping/mapping.js';
import { requireWriters } from '../require-writers.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** Steps of the schema of the first versions that read such rules. */
const windowsStep = 9;
const layersStep = 10;

/**
 * From now on servers of older versions reject edits: they cannot read what they would publish.
 * @param step of `writersStepOf`; 0: all of them can
 * @throws UpgradeInProgress
 */
export async function requireMappingWriters(write: UnitOfWork, step: number): Promise<void> {
  if (step > 0) await requireWriters(write, step);
}

/**
 * Found in every text that has such a rule, and in few others: the name of a member, a time that ends its string without a
 * zone, or an escape that could hide either.
 */
const perhaps = /repeat|layer|holdout|\d:\d\d(?:\.\d+)?"|\\u/;

/**
 * Step of the schema that a server must know to read the mapping; 0: every version can.
 * @param mapping a text that is about to come into the store, of a draft too: an older server could publish it
 */
export function writersStepOf(mapping: Uint8Array): number {
  if (!perhaps.test(Buffer.from(mapping).toString('latin1'))) return 0;
  const parsed = parseMapping(mapping);
  return parsed.ok ? Math.max(0, ...parsed.rules.map(stepOf)) : 0;
}

function stepOf({ isLocal, repeat, layer, holdout }: Rule): number {
  if (layer !== null || holdout) return layersStep;
  return isLocal || repeat !== null ? windowsStep : 0;
}
