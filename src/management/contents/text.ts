/** Takes the text of a line as its author wrote it: checks it and works out what it delivers. */

import { Problem, type ValidationIssue } from '../../contract/problems.js';
import { doWork, type Work } from '../jobs/work.js';
import type { ManagementLimits } from '../limits/bodies.js';
import type { LineDraft } from '../store/contents/revisions.js';
import { encodeText, loneSurrogate } from './validate/prepare-text.js';

export interface TakenText {
  /** UTF-8, as it was sent. */
  readonly bytes: Uint8Array;
  readonly line: Omit<LineDraft, 'version'>;
  /** What is valid but probably a mistake, with its place. */
  readonly warnings: readonly ValidationIssue[];
}

/** Where a text stands in the request, and the app version line that it is for. */
export interface TextPlace {
  /** `text`, `lines[0].text`. */
  readonly path: string;
  readonly appVersion: string;
}

/**
 * Rejects a text that is too large, cannot be written as UTF-8, or is not JSON without its comments.
 * @throws WorkFailed, WorkTooLong from the worker that looks through a large text
 */
export async function takeText(
  text: string,
  place: TextPlace,
  limits: ManagementLimits,
  work: Work,
): Promise<TakenText | Problem> {
  const bytes = encodeText(text, limits.textBytesMax);
  if (typeof bytes === 'string') {
    const lone = text.search(loneSurrogate);
    const position = lone < 0 ? {} : positionOf(text, lone);
    return rejectText(`The text ${bytes}.`, { ...place, ...position });
  }
  const input = { bytes, levelsMax: limits.textLevelsMax };
  const prepared = await doWork(work, 'prepareText', input, bytes.byteLength);
  if (!prepared.ok) {
    const { message, line, column } = prepared;
    return rejectText(message, { ...place, line, column });
  }
  return {
    bytes,
    line: prepared.line,
    warnings: prepared.warnings.map((warning) => ({ ...place, ...warning })),
  };
}

function rejectText(message: string, place: Omit<ValidationIssue, 'message'>): Problem {
  return new Problem('invalid_content', 'The text is not JSON (comments aside).', [
    { message, ...place },
  ]);
}

/** As editors count: lines from 1, columns in UTF-16 units from 1. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
