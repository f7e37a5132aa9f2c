/** The edit in the body of a save. */
import type { ContentEditBody } from '../../contract/operations/content-save.js';
import { Problem } from '../../contract/problems.js';
import type { Work } from '../jobs/work.js';
import type { ManagementLimits } from '../limits/bodies.js';
import type { ContentEdit } from './draft-edit.js';
import { readLines, readValues } from './edited-lines.js';
import { takeText } from './text.js';

/**
 * Validates the texts of an edit, and cuts mapping and schema out of the body.
 * @param raw the body as it was sent
 */
export async function readContentEdit(
  body: ContentEditBody,
  raw: Uint8Array | null,
  limits: ManagementLimits,
  work: Work,
): Promise<ContentEdit | Problem> {
  const { description, tags, flags, note, ifRevision } = body;
  const guards = body.guards === undefined ? undefined : JSON.stringify(body.guards);
  const values = readValues(body, raw);
  if (values instanceof Problem) return values;
  const lines = await readLines(body, (text, place) => takeText(text, place, limits, work));
  if (lines instanceof Problem) return lines;
  const isState = lines !== undefined || body.mapping !== undefined || flags !== undefined;
  const { publish = isState } = body;
  return { lines, ...values, flags, description, tags, guards, note, publish, ifRevision };
}
