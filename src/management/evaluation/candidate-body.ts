/** Reads edits that are tried out without being saved: their values are taken over byte for byte. */
import { mappingBytesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import type { CandidateBody } from '../../contract/schemas/candidate.js';
import { type GivenLines, linesOf } from '../contents/edited-lines.js';
import { rawMembers } from '../http/body/raw-members.js';
import { bodyIssue } from '../http/problem.js';
import type { ManagementLimits } from '../limits.js';
import type { CandidateRequest, UnsavedLines } from './load-candidate.js';

/** @param raw the text that the body was parsed from: the mapping is cut out of it */
export function readCandidate(
  body: CandidateBody,
  raw: Uint8Array,
  limits: ManagementLimits,
): Pick<CandidateRequest, 'revision' | 'edit'> | Problem {
  const { revision = null } = body;
  const given = linesOf(body);
  if (given instanceof Problem) return given;
  if (given === null && body.mapping === undefined) return { revision, edit: null };
  const lines = given === null ? undefined : readLines(given, limits);
  if (lines instanceof Problem) return lines;
  const mapping = body.mapping === undefined ? undefined : rawMembers(raw).get('mapping');
  if ((mapping?.byteLength ?? 0) > mappingBytesMax) {
    return bodyIssue('mapping', `is larger than ${mappingBytesMax} bytes`);
  }
  return { revision, edit: { lines, mapping: body.mapping?.length === 0 ? null : mapping } };
}

function readLines(
  { areAll, lines }: GivenLines,
  limits: ManagementLimits,
): UnsavedLines | Problem {
  const texts = new Map<string, Uint8Array | null>();
  for (const { appVersion, text, path } of lines) {
    const bytes = text === undefined ? null : readText(text, limits, path);
    if (bytes instanceof Problem) return bytes;
    texts.set(appVersion, bytes);
  }
  return { areAll, texts };
}

const loneSurrogate = /\p{Surrogate}/u;

/** @param path of the text in the body */
function readText(text: string, limits: ManagementLimits, path: string): Uint8Array | Problem {
  if (loneSurrogate.test(text)) {
    return bodyIssue(path, 'has half of a surrogate pair, which is no character');
  }
  const bytes = Buffer.from(text);
  if (bytes.byteLength > limits.textBytesMax) {
    return bodyIssue(path, `has ${bytes.byteLength} bytes; the limit is ${limits.textBytesMax}`);
  }
  return bytes;
}
