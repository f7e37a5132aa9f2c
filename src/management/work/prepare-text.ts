/** The heavy part of taking a text: what it delivers, its digests and its hash. */
import { contentHash, digestOf } from '../../content/hash.js';
import { stripJsonc } from '../../content/json/jsonc.js';
import { TextFault } from '../../content/json/text-fault.js';

export interface PrepareText {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly levelsMax: number;
}

export type PreparedText =
  | {
      readonly ok: true;
      readonly json: Uint8Array;
      readonly textDigest: string;
      readonly jsonDigest: string;
      /** XXH3-64 of the delivered JSON. */
      readonly hash: string;
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

export function prepareText({ bytes, levelsMax }: PrepareText): PreparedText {
  const json = stripJsonc(bytes, levelsMax);
  if (json instanceof TextFault) {
    const { message, line, column } = json;
    return { ok: false, message, line, column };
  }
  return {
    ok: true,
    json,
    textDigest: digestOf(bytes),
    jsonDigest: digestOf(json),
    hash: contentHash(json),
  };
}
