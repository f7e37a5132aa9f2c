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
  for (const token of path) text = text && textsOf(text).get(token);
  return text;
}

/** The texts of an object's or array's members. Of repeated ones the last one counts, as for `JSON.parse`. */
function textsOf(json: string): Map<unknown, string> {
  const texts = new Map<unknown, string>();
  let depth = 0;
  let from = 0;
  /** An index, where no name comes before the value. */
  let name: unknown = '0';
  for (const { 0: lexeme, index: at = 0 } of json.matchAll(
    /"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g,
  )) {
    if (depth === 1 && lexeme === ':') name = JSON.parse(json.slice(from, at));
    if (depth === 1 && ',]}'.includes(lexeme)) {
      const text = json.slice(from, at).trim();
      if (text) texts.set(name, text);
      name = `${texts.size}`;
    }
    if (depth === 0 || (depth === 1 && ',:'.includes(lexeme))) from = at + 1;
    if ('[{'.includes(lexeme)) depth += 1;
    if (']}'.includes(lexeme)) depth -= 1;
  }
  return texts;
}
