/** Reads what is tried out without being saved from the bodies of evaluations and previews. */
import { previewHeadSchema } from '../../contract/operations/preview.js';
import { Problem } from '../../contract/problems.js';
import type { CandidateBody } from '../../contract/schemas/candidate.js';
import { readLines, readValues } from '../contents/edited-lines.js';
import { encodeText } from '../contents/validate/prepare-text.js';
import { bodyIssue } from '../http/problem.js';
import type { ManagementLimits } from '../limits/bodies.js';
import { parseLine } from '../parse-line.js';
import type { CandidateRequest } from './load-candidate.js';

/** The body of a preview, NDJSON: the first line says what is tried out, each further one is a user context. */
export interface PreviewBody extends CandidateRead {
  readonly id: string;
  readonly at: string | null;
  readonly madeUp: number | null;
  /** Contexts of recent requests are counted. */
  readonly sampled: boolean;
  /** The lines after the first. */
  readonly contexts: Uint8Array;
}

/** What a body tries out. */
export interface CandidateRead extends Pick<CandidateRequest, 'revision' | 'edit'> {
  /** Number of the release that is tried out; null: none. */
  readonly release: number | null;
}

const LINE_FEED = 0x0a;

export async function readPreviewBody(
  body: Buffer,
  limits: ManagementLimits,
): Promise<PreviewBody | Problem> {
  const found = body.indexOf(LINE_FEED);
  const end = found === -1 ? body.byteLength : found;
  const head = body.subarray(0, end);
  const parsed = parseLine(previewHeadSchema, head);
  if ('issues' in parsed) {
    const detail = 'The first line of the body, which says what is tried out, is not valid.';
    const issues = parsed.issues.map((issue) => ({ ...issue, line: 1 }));
    return new Problem('invalid_body', detail, issues);
  }
  const { id, at = null, madeUp = null, sampled = false } = parsed.value;
  if (sampled && madeUp !== null) return bodyIssue('sampled', 'stands in place of madeUp');
  const candidate = await readCandidate(parsed.value, head, limits);
  if (candidate instanceof Problem) return candidate;
  return { id, at, ...candidate, madeUp, sampled, contexts: body.subarray(end + 1) };
}

/** @param raw the text that the body was parsed from: the mapping is cut out of it */
export async function readCandidate(
  body: CandidateBody,
  raw: Uint8Array,
  { textBytesMax }: ManagementLimits,
): Promise<CandidateRead | Problem> {
  const { revision = null, release = null } = body;
  const lines = await readLines(body, (text, { path }) => {
    const bytes = encodeText(text, textBytesMax);
    return typeof bytes === 'string' ? bodyIssue(path, bytes) : bytes;
  });
  if (lines instanceof Problem) return lines;
  const values = readValues(body, raw);
  if (values instanceof Problem) return values;
  const edit = lines === undefined && body.mapping === undefined ? null : { lines, ...values };
  if (release !== null && (revision !== null || edit !== null)) {
    return bodyIssue('release', 'stands in place of a revision and unsaved edits');
  }
  return { revision, release, edit };
}
