/** The serialized form: a JSON text as a JSON string. */

import { BACKSLASH, QUOTE } from './ascii.js';

/**
 * `json` as a JSON string, quotes included. It must be minified JSON: that has no raw control characters, so the
 * quote and the backslash are all there is to escape. The result owns its whole buffer.
 */
export function quoteJson(json: Uint8Array): Uint8Array {
  const length = json.length;
  let escapes = 0;
  for (let i = 0; i < length; i++) escapes += ESCAPED[json[i] as number] as number;

  const quoted = new Uint8Array(Buffer.allocUnsafeSlow(length + escapes + 2).buffer);
  quoted[0] = QUOTE;
  let at = 1;
  for (let i = 0; i < length; i++) {
    const byte = json[i] as number;
    // Without a branch: every seventh byte or so is a quote, at no rhythm a processor could learn. Where there is
    // nothing to escape, the byte overwrites the backslash.
    quoted[at] = BACKSLASH;
    at += ESCAPED[byte] as number;
    quoted[at++] = byte;
  }
  quoted[at] = QUOTE;
  return quoted;
}

/** 1 for the bytes that take a backslash. */
const ESCAPED = new Uint8Array(256);
ESCAPED[QUOTE] = 1;
ESCAPED[BACKSLASH] = 1;
