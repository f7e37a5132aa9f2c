/** Cuts the members of a JSON object out of its text, so that their bytes survive what parsing would lose. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * The text of each member's value, without white space around it. Of a repeated name the last one counts, as in
 * `JSON.parse`, which must have accepted the text as an object before.
 */
export function rawMembers(text: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const members = new Map<string, Uint8Array>();
  const end = text.lastIndexOf(0x7d);
  let at = text.indexOf(0x7b) + 1;
  while (at < end) {
    const nameStart = skipBlank(text, at);
    if (text[nameStart] !== QUOTE) break;
    const nameEnd = skipString(text, nameStart);
    const valueStart = skipBlank(text, skipBlank(text, nameEnd) + 1);
    const valueEnd = skipValue(text, valueStart, end);
    const name = JSON.parse(decode(text.subarray(nameStart, nameEnd))) as string;
    members.set(name, text.subarray(valueStart, trimEnd(text, valueEnd)));
    at = valueEnd + 1;
  }
  return members;
}

/** The offset of the comma after the value, or of the object's closing brace. */
function skipValue(text: Uint8Array, start: number, end: number): number {
  let levels = 0;
  let at = start;
  while (at < end) {
    const byte = text[at] as number;
    if (byte === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    // [ { and ] } differ in the case bit only.
    if ((byte | 0x20) === 0x7b) levels++;
    else if ((byte | 0x20) === 0x7d) levels--;
    else if (byte === COMMA && levels === 0) return at;
    at++;
  }
  return end;
}

/** The offset after the string whose opening quote is at `start`. */
function skipString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function skipBlank(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text[at] as number)) at++;
  return at;
}

function trimEnd(text: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && isBlank(text[at - 1] as number)) at--;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
