/** The heavy part of taking a text: what it delivers, its digests and its hash, and warnings of probable mistakes. */
import { digestOf } from '../../../content/hash.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import { deliverText } from '../../../native/text-work.js';
import type { LineDraft } from '../../store/contents/revisions.js';
import { findWarnings, type TextWarning } from '../warnings/find-warnings.js';

export interface PrepareText {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly levelsMax: number;
}

export type PreparedText =
  | {
      readonly ok: true;
      readonly line: Omit<LineDraft, 'version'>;
      readonly warnings: readonly TextWarning[];
    }
  | ({ readonly ok: false } & TextWarning);

export const loneSurrogate = /\p{Surrogate}/u;
const replacement = Buffer.from('\uFFFD');

/** The text as UTF-8, or why it cannot be taken. */
export function encodeText(text: string, bytesMax: number): Uint8Array | string {
  const bytes = Buffer.from(text);
  // Halves of pairs became this character, which is quick to look for; a text may contain it legitimately.
  if (bytes.includes(replacement) && loneSurrogate.test(text)) {
    return 'has half of a surrogate pair, which is no character';
  }
  if (bytes.byteLength <= bytesMax) return bytes;
  return `has ${bytes.byteLength} bytes; the limit is ${bytesMax}`;
}

/** The delivered JSON itself is not returned: copying it between threads costs more than making it again. */
export function prepareText({ bytes, levelsMax }: PrepareText): PreparedText {
  const delivered = deliverText(bytes, levelsMax);
  if (delivered instanceof TextIssue) {
    const { message, line, column } = delivered;
    return { ok: false, message, line, column };
  }
  const { json, hash: jsonHash } = delivered;
  const line = {
    textDigest: digestOf(bytes),
    textBytes: bytes.byteLength,
    jsonDigest: digestOf(json),
    jsonHash,
    jsonBytes: json.byteLength,
  };
  return { ok: true, line, warnings: findWarnings(bytes) };
}
