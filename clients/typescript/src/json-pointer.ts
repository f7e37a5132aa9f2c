/** Places in JSON (RFC 6901): in what was parsed, and in the text, which keeps what a number loses as a double. */

/** @returns the decoded tokens; null: the text is no pointer */
export function parsePointer(pointer: string): string[] | null {
  if (!/^(\/([^~]|~[01])*)?$/.test(pointer)) return null;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replace(/~./g, (escaped) => (escaped === '~1' ? '/' : '~')));
}

/** @returns undefined: there is no such place */
export function valueAt(json: unknown, path: readonly string[]): unknown {
  let value = json;
  for (const token of path) {
    if (typeof value !== 'object' || !value) return undefined;
    // Neither what objects inherit nor the `length` of an array.
    const isThere = {}.propertyIsEnumerable.call(value, token);
    value = isThere ? (value as Record<string, unknown>)[token] : undefined;
  }
  return value;
}

/** The text of the value at a path of valid JSON. @returns undefined: there is no such place */
export function textAt(json: string, path: readonly string[]): string | undefined {
  let text: string | undefined = json;
  for (const token of path) text = text && textOfMember(text, token);
  return text;
}

/** Of repeated members the last one counts, as for `JSON.parse`. */
function textOfMember(json: string, token: string): string | undefined {
  let depth = 0;
  /** In an object the name comes before anything is looked up. */
  let name: unknown = '0';
  let index = 0;
  let from = 0;
  let found: string | undefined;
  for (const { 0: lexeme, index: at = 0 } of json.matchAll(
    /"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g,
  )) {
    if (depth === 1 && lexeme === ':') name = JSON.parse(json.slice(from, at));
    if (depth === 1 && ',]}'.includes(lexeme)) {
      if (name === token) found = json.slice(from, at).trim() || undefined;
      index += 1;
      name = `${index}`;
    }
    if (depth === 0 || (depth === 1 && ',:'.includes(lexeme))) from = at + 1;
    if ('[{'.includes(lexeme)) depth += 1;
    if (']}'.includes(lexeme)) depth -= 1;
  }
  return found;
}
