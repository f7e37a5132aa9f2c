/** The heavy part of taking a text: what it delivers, its digests and its hash, and what in it can hardly be meant. */
import { digestOf } from '../../../content/hash.js';
import { TextFault } from '../../../content/json/text-fault.js';
import { deliverText } from '../../../native/text-work.js';
import { findWarnings, type TextWarning } from '../warnings/find-warnings.js';

export interface PrepareText {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly levelsMax: number;
}

export type PreparedText =
  | {
      readonly ok: true;
      readonly textDigest: string;
      readonly jsonDigest: string;
      /** XXH3-64 of the delivered JSON. */
      readonly jsonHash: string;
      readonly jsonBytes: number;
      readonly doubts: readonly TextWarning[];
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

/** The delivered JSON itself stays here: sending it back would cost more than making it again. */
export function prepareText({ bytes, levelsMax }: PrepareText): PreparedText {
  const delivered = deliverText(bytes, levelsMax);
  if (delivered instanceof TextFault) {
    const { message, line, column } = delivered;
    return { ok: false, message, line, column };
  }
  const { json, hash } = delivered;
  return {
    ok: true,
    textDigest: digestOf(bytes),
    jsonDigest: digestOf(json),
    jsonHash: hash,
    jsonBytes: json.byteLength,
    doubts: findWarnings(bytes),
  };
}
