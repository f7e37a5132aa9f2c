/** Takes the text of a line as its author wrote it: checks it and works out what it delivers. */

import { Problem, type ValidationIssue } from '../../contract/problems.js';
import type { Work } from '../jobs/work.js';
import { heavyBytesMin, type ManagementLimits } from '../limits.js';
import type { LineDraft } from '../store/contents/revisions.js';
import { prepareText } from './validate/prepare-text.js';

export interface TakenText {
  /** UTF-8, as it was sent. */
  readonly bytes: Uint8Array;
  readonly line: Omit<LineDraft, 'version'>;
  /** What is valid but can hardly be meant, with its place. */
  readonly warnings: readonly ValidationIssue[];
}

const loneSurrogate = /\p{Surrogate}/u;
const replacement = Buffer.from('\uFFFD');

/** Where a text stands in the request, and the app version line that it is for. */
export interface TextPlace {
  /** `text`, `lines[0].text`. */
  readonly path: string;
  readonly appVersion: string;
}

/**
 * Refuses a text that is too large, cannot be written as UTF-8, or is not JSON without its comments.
 * @throws WorkFailed, WorkTooLong from the worker that looks through a large text
 */
export async function takeText(
  text: string,
  place: TextPlace,
  limits: ManagementLimits,
  work: Work,
): Promise<TakenText | Problem> {
  const bytes = Buffer.from(text);
  // Halves of pairs became this character, which is quick to look for; a text may have it of its own.
  const lone = bytes.includes(replacement) ? text.search(loneSurrogate) : -1;
  if (lone >= 0) {
    return refuse('The text has half of a surrogate pair, which is no character.', {
      ...place,
      ...positionOf(text, lone),
    });
  }
  if (bytes.byteLength > limits.textBytesMax) {
    return refuse(
      `The text has ${bytes.byteLength} bytes; the limit is ${limits.textBytesMax}.`,
      place,
    );
  }
  const input = { bytes, levelsMax: limits.textLevelsMax };
  const isHeavy = bytes.byteLength >= heavyBytesMin;
  const prepared = isHeavy ? await work.run('prepareText', input) : prepareText(input);
  if (!prepared.ok) {
    return refuse(prepared.message, {
      ...place,
      line: prepared.line,
      column: prepared.column,
    });
  }
  const { textDigest, jsonDigest, jsonHash, jsonBytes, doubts } = prepared;
  return {
    bytes,
    line: { textDigest, textBytes: bytes.byteLength, jsonDigest, jsonHash, jsonBytes },
    warnings: doubts.map((doubt) => ({ ...place, ...doubt })),
  };
}

function refuse(message: string, place: Omit<ValidationIssue, 'message'>): Problem {
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
