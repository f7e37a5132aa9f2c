/** The body of a preview, NDJSON: the first line says what is tried out, each further one is a user context. */
import { previewHeadSchema } from '../../contract/operations/preview.js';
import { Problem } from '../../contract/problems.js';
import type { ManagementLimits } from '../limits.js';
import { parseLine } from '../parse-line.js';
import { readCandidate } from './candidate-body.js';
import type { CandidateRequest } from './load-candidate.js';

export interface PreviewBody extends Pick<CandidateRequest, 'revision' | 'edit'> {
  readonly id: string;
  readonly at: string | null;
  readonly madeUp: number | null;
  /** The lines after the first. */
  readonly contexts: Uint8Array;
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
  const { id, at = null, madeUp = null } = parsed.value;
  const candidate = await readCandidate(parsed.value, head, limits);
  if (candidate instanceof Problem) return candidate;
  return { id, at, ...candidate, madeUp, contexts: body.subarray(end + 1) };
}
