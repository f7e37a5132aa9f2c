/** Reads edits that are tried out without being saved: their values are taken over byte for byte. */
import { Problem } from '../../contract/problems.js';
import type { CandidateBody } from '../../contract/schemas/candidate.js';
import { readLines, readValues } from '../contents/edited-lines.js';
import { encodeText } from '../contents/validate/prepare-text.js';
import { bodyIssue } from '../http/problem.js';
import type { ManagementLimits } from '../limits.js';
import type { CandidateRequest } from './load-candidate.js';

/** @param raw the text that the body was parsed from: the mapping is cut out of it */
export async function readCandidate(
  body: CandidateBody,
  raw: Uint8Array,
  { textBytesMax }: ManagementLimits,
): Promise<Pick<CandidateRequest, 'revision' | 'edit'> | Problem> {
  const { revision = null } = body;
  const lines = await readLines(body, (text, { path }) => {
    const bytes = encodeText(text, textBytesMax);
    return typeof bytes === 'string' ? bodyIssue(path, bytes) : bytes;
  });
  if (lines instanceof Problem) return lines;
  const values = readValues(body, raw);
  if (values instanceof Problem) return values;
  const edit = lines === undefined && body.mapping === undefined ? null : { lines, ...values };
  return { revision, edit };
}
