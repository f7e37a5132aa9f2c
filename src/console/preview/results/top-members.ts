/** The sources of an object's members, found in one pass without building a tree, because a megabyte may arrive with each key. */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** @param json a valid JSON object; of a repeated name the last one counts */
export function topMembers(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const end = json.lastIndexOf('}');
  let at = json.indexOf('{') + 1;
  while (at < end) {
    const nameStart = json.indexOf('"', at);
    if (nameStart === -1 || nameStart > end) break;
    const nameEnd = endOfText(json, nameStart);
    let valueStart = nameEnd;
    while (json.charCodeAt(valueStart) !== colon) valueStart++;
    const valueEnd = endOfValue(json, valueStart + 1, end);
    const name = String(JSON.parse(json.slice(nameStart, nameEnd)));
    members.set(name, json.slice(valueStart + 1, valueEnd).trim());
    at = valueEnd + 1;
  }
  return members;
}

/** The place behind the closing quotation mark. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === backslash) at++;
    else if (char === quote) return at + 1;
  }
  return json.length;
}

/** The place of the comma behind a value, or of the object's end. */
function endOfValue(json: string, start: number, end: number): number {
  let depth = 0;
  let at = start;
  while (at < end) {
    const char = json.charCodeAt(at);
    if (char === quote) {
      at = endOfText(json, at);
      continue;
    }
    if (char === comma && depth === 0) return at;
    if (char === openBracket || char === openBrace) depth++;
    else if (char === closeBracket || char === closeBrace) depth--;
    at++;
  }
  return end;
}
