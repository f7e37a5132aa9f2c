/** Takes the text of a line as its author wrote it: checks it and works out what it delivers. */
import { contentHash, digestOf } from '../../content/hash.js';
import { stripJsonc } from '../../content/json/jsonc.js';
import { TextFault } from '../../content/json/text-fault.js';
import type { ManagementLimits } from '../limits.js';
import type { RevisionLine } from '../store/revisions.js';
import { Refusal } from './refusal.js';

export interface TakenText {
  /** UTF-8, as it was sent. */
  readonly bytes: Uint8Array;
  /** What is delivered. */
  readonly json: Uint8Array;
  readonly line: Omit<RevisionLine, 'version'>;
}

const loneSurrogate = /\p{Surrogate}/u;

/** Refuses a text that is too large, cannot be written as UTF-8, or is not JSON without its comments. */
export function takeText(text: string, limits: ManagementLimits): TakenText | Refusal {
  const lone = text.search(loneSurrogate);
  if (lone >= 0) {
    return refuse('The text has half of a surrogate pair, which is no character.', {
      ...placeOf(text, lone),
    });
  }
  const bytes = Buffer.from(text);
  if (bytes.byteLength > limits.textBytesMax) {
    return refuse(`The text has ${bytes.byteLength} bytes; the limit is ${limits.textBytesMax}.`);
  }
  const json = stripJsonc(bytes, limits.textLevelsMax);
  if (json instanceof TextFault) {
    return refuse(json.message, { line: json.line, column: json.column });
  }
  return {
    bytes,
    json,
    line: {
      textDigest: digestOf(bytes),
      textBytes: bytes.byteLength,
      jsonDigest: digestOf(json),
      hash: contentHash(json),
      jsonBytes: json.byteLength,
    },
  };
}

function refuse(message: string, place: { line?: number; column?: number } = {}): Refusal {
  return new Refusal('invalid_content', 'The text is not JSON (comments aside).', [
    { path: 'text', message, ...place },
  ]);
}

/** As editors count: lines from 1, columns in UTF-16 units from 1. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
