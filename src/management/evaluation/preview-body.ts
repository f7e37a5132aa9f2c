/** The body of a preview, NDJSON: the first line says what is tried out, each further one is a user context. */
import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { previewHeadSchema } from '../../contract/operations/preview.js';
import { Problem } from '../../contract/problems.js';
import type { ManagementLimits } from '../limits.js';
import { readCandidate } from './candidate-body.js';
import type { UnsavedEdit } from './load-candidate.js';

export interface PreviewBody {
  readonly id: string;
  readonly at: string | null;
  readonly revision: number | 'newest' | null;
  readonly edit: UnsavedEdit | null;
  readonly madeUp: number | null;
  /** The lines after the first. */
  readonly contexts: Uint8Array;
}

const LINE_FEED = 0x0a;

export function readPreviewBody(body: Buffer, limits: ManagementLimits): PreviewBody | Problem {
  const found = body.indexOf(LINE_FEED);
  const end = found === -1 ? body.byteLength : found;
  const head = body.subarray(0, end);
  const parsed = parseHead(head);
  if (parsed instanceof Problem) return parsed;
  const { id, at = null, madeUp = null } = parsed;
  const wished = readCandidate(parsed, head, limits);
  if (wished instanceof Problem) return wished;
  const contexts = body.subarray(end + 1);
  return { id, at, ...wished, madeUp, contexts };
}

function parseHead(head: Buffer): z.output<typeof previewHeadSchema> | Problem {
  if (!isUtf8(head)) return headFault([{ path: '', message: 'is not UTF-8' }]);
  let value: unknown;
  try {
    value = JSON.parse(head.toString());
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return headFault([{ path: '', message: `is not JSON: ${message}` }]);
  }
  const parsed = previewHeadSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return headFault(
    parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  );
}

function headFault(errors: Problem['errors']): Problem {
  const detail = 'The first line of the body, which says what is tried out, is not valid.';
  return new Problem(
    'invalid_body',
    detail,
    errors.map((error) => ({ ...error, line: 1 })),
  );
}
