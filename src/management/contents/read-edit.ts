/** The edit that the body of a save holds, its values byte for byte as they were sent. */
import { mappingBytesMax, schemaBytesMax } from '../../contract/limits.js';
import type { ContentEditBody } from '../../contract/operations/content-save.js';
import { Problem } from '../../contract/problems.js';
import { rawMembers } from '../http/body/raw-members.js';
import { bodyIssue } from '../http/problem.js';
import type { Work } from '../jobs/work.js';
import type { ManagementLimits } from '../limits.js';
import type { ContentEdit } from './draft-edit.js';
import { linesOf } from './edited-lines.js';
import { type TakenText, takeText } from './text.js';

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
  const { description, tags, note, ifRevision } = body;
  const given = linesOf(body);
  if (given instanceof Problem) return given;
  const { publish = given !== null || body.mapping !== undefined } = body;
  const values = readValues(body, raw);
  if (values instanceof Problem) return values;
  const about = { ...values, description, tags, note, publish, ifRevision };
  if (given === null) return about;
  const texts = new Map<string, TakenText | null>();
  for (const { appVersion, text, path } of given.lines) {
    const taken =
      text === undefined ? null : await takeText(text, { path, appVersion }, limits, work);
    if (taken instanceof Problem) return taken;
    texts.set(appVersion, taken);
  }
  return { lines: { areAll: given.areAll, texts }, ...about };
}

function readValues(
  body: ContentEditBody,
  raw: Uint8Array | null,
): Pick<ContentEdit, 'mapping' | 'schema'> | Problem {
  if (body.mapping === undefined && body.schema === undefined) return {};
  const members = rawMembers(raw ?? new Uint8Array());
  const mapping = members.get('mapping');
  const schema = members.get('schema');
  if ((mapping?.byteLength ?? 0) > mappingBytesMax) {
    return bodyIssue('mapping', `is larger than ${mappingBytesMax} bytes`);
  }
  if ((schema?.byteLength ?? 0) > schemaBytesMax) {
    return bodyIssue('schema', `is larger than ${schemaBytesMax} bytes`);
  }
  return {
    // A copy, so that the rest of the body is not kept with it.
    mapping: body.mapping?.length === 0 ? null : mapping?.slice(),
    schema: body.schema === null ? null : schema && Buffer.from(schema).toString(),
  };
}
