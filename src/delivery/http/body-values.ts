/** Counts the values of a JSON text before it is parsed, since they are what parsing costs, not its bytes. */

const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const backslash = 0x5c;
const brace = 0x7b;

/**
 * Whether the text has at most so many commas and opening brackets outside its strings: a number that is not below that of
 * the members and elements. Of a text that is not JSON it says so up to where the parser gives up.
 */
export function hasValuesWithin(json: Uint8Array, valuesMax: number): boolean {
  const { length } = json;
  let values = 0;
  let inString = false;
  for (let at = 0; at < length; at += 1) {
    const byte = json[at] as number;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === comma || byte === brace || byte === bracket) {
      values += 1;
      if (values > valuesMax) return false;
    }
  }
  return true;
}
