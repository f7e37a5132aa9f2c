/** The flags of revisions: a JSON array of JSON Pointers beside each revision's mapping (D82). */
import type { UnitOfWork } from '../unit-of-work.js';

/** @param column JSON text, as it was written */
export function parseFlags(column: string): readonly string[] {
  return JSON.parse(column) as string[];
}

/** Step of the schema that keeps flags. */
const flagsStep = 7;

/** From now on servers of older versions reject edits: they would save revisions without the flags. */
export async function requireFlagWriters(write: UnitOfWork): Promise<void> {
  await write.db
    .updateTable('storeState')
    .set({ writersMin: flagsStep })
    .where('writersMin', '<', flagsStep)
    .execute();
}
