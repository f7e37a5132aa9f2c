/**
 * JSON values as an editor compares them: immutable, every scalar in the spelling that it was written in, so that 1.10 stays
 * 1.10 and no number goes through a double. Works in a browser. Of a repeated name the last member counts.
 */

export type PlainValue = PlainObject | PlainArray | PlainScalar;

export interface PlainObject {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, PlainValue>;
}

export interface PlainArray {
  readonly kind: 'array';
  readonly elements: readonly PlainValue[];
}

export interface PlainScalar {
  readonly kind: 'scalar';
  /** Its lexeme, such as `1.10`, `"a"` or `null`. */
  readonly source: string;
}

/** The names and indexes that lead to a value, as a JSON Pointer has them, unescaped. */
export type Tokens = readonly string[];

export const emptyObject: PlainObject = { kind: 'object', members: new Map() };
export const nullValue: PlainScalar = { kind: 'scalar', source: 'null' };

export function isNull(value: PlainValue): boolean {
  return value.kind === 'scalar' && value.source === 'null';
}

/** Null: it is not a string. */
export function textOf(value: PlainValue | null | undefined): string | null {
  if (value?.kind !== 'scalar' || !value.source.startsWith('"')) return null;
  return String(JSON.parse(value.source));
}

/** Whether both are the same JSON in the same spelling; the order of members does not count. */
export function samePlain(a: PlainValue | null, b: PlainValue | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (a.kind === 'scalar') return b.kind === 'scalar' && a.source === b.source;
  if (a.kind === 'array') {
    return (
      b.kind === 'array' &&
      a.elements.length === b.elements.length &&
      a.elements.every((element, index) => samePlain(element, b.elements[index] ?? null))
    );
  }
  if (b.kind !== 'object' || a.members.size !== b.members.size) return false;
  for (const [name, member] of a.members) {
    if (!samePlain(member, b.members.get(name) ?? null)) return false;
  }
  return true;
}

/** JSON text on one line: minified, or with blanks as people write it. */
export function printPlain(value: PlainValue, isSpaced = false): string {
  if (value.kind === 'scalar') return value.source;
  const gap = isSpaced ? ' ' : '';
  const join = (items: readonly string[]): string => items.join(`,${gap}`);
  if (value.kind === 'array') {
    return `[${join(value.elements.map((element) => printPlain(element, isSpaced)))}]`;
  }
  if (value.members.size === 0) return '{}';
  const members = Array.from(
    value.members,
    ([name, member]) => `${JSON.stringify(name)}:${gap}${printPlain(member, isSpaced)}`,
  );
  return `{${gap}${join(members)}${gap}}`;
}

/** The value at a place, or null. */
export function plainAt(value: PlainValue | null, tokens: Tokens): PlainValue | null {
  let found = value;
  for (const token of tokens) {
    if (found === null) return null;
    found = childOf(found, token);
  }
  return found;
}

export function childOf(value: PlainValue, token: string): PlainValue | null {
  if (value.kind === 'object') return value.members.get(token) ?? null;
  if (value.kind !== 'array' || !arrayIndex.test(token)) return null;
  return value.elements[Number(token)] ?? null;
}

/**
 * The value with another one at a place; null takes it away. A member is added if its object is there, an element replaced.
 * @returns null: there is no such place
 */
export function withPlain(
  value: PlainValue,
  tokens: Tokens,
  wanted: PlainValue | null,
): PlainValue | null {
  const [token, ...rest] = tokens;
  if (token === undefined) return wanted;
  if (value.kind === 'scalar') return null;
  const before = childOf(value, token);
  const isLast = rest.length === 0;
  if (before === null && !(isLast && value.kind === 'object')) return null;
  const after = isLast || before === null ? wanted : withPlain(before, rest, wanted);
  if (after === null && !isLast) return null;
  if (value.kind === 'array') {
    const elements = [...value.elements];
    elements.splice(Number(token), 1, ...(after === null ? [] : [after]));
    return { kind: 'array', elements };
  }
  const members = new Map(value.members);
  if (after === null) members.delete(token);
  else members.set(token, after);
  return { kind: 'object', members };
}

/** Whether one list of tokens is the other's beginning. */
export function isWithin(inner: Tokens, outer: Tokens): boolean {
  return inner.length >= outer.length && outer.every((token, at) => token === inner[at]);
}

export const arrayIndex: RegExp = /^(?:0|[1-9][0-9]*)$/;
