/** What a scenario expects, beside what was seen; and the words of a scenario that stand for a value of the run. */
import { isDeepStrictEqual } from 'node:util';

/** `$now`, `$any`, `$elsewhere`, or a name that a step has kept with `as`; with an offset for instants and numbers. */
const placeholder = /^\$([a-z][A-Za-z]*)(?:([+-])(\d+)(ms|s|m|h|d)?)?$/;
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Something was expected and is not so; `until` tries again. */
export class NotAsExpected extends Error {}

/** The values of one run that a scenario cannot know. */
export class Values {
  readonly #named = new Map<string, unknown>();

  keep(name: string, value: unknown): void {
    this.#named.set(name, value);
  }

  /** The value with each placeholder replaced, in whatever it holds; `$now` becomes RFC 3339. */
  fill(value: unknown): unknown {
    if (typeof value === 'string') return this.#valueOf(value);
    if (Array.isArray(value)) return value.map((each) => this.fill(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, each]) => [name, this.fill(each)]);
    return Object.fromEntries(entries);
  }

  /** Milliseconds since 1970 of `$now` with its offset. */
  instantMs(text: string): number {
    return Date.parse(String(this.#valueOf(text)));
  }

  #valueOf(text: string): unknown {
    const [, name = '', sign = '+', digits = '0', unit = 'ms'] = placeholder.exec(text) ?? [];
    const offset = Number(`${sign}${digits}`) * (unitMs[unit] ?? 1);
    const value = this.#named.get(name);
    if (value instanceof Date) return new Date(value.getTime() + offset).toISOString();
    if (typeof value === 'number') return value + offset;
    return value ?? text;
  }
}

/** @returns whether it is the value, or one that `$any` stands for; null stands for an absent one too */
function isAs(expected: unknown, seen: unknown): boolean {
  if (expected === '$any') return seen !== undefined && seen !== null;
  if (expected === null) return seen === undefined || seen === null;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(seen) &&
      seen.length === expected.length &&
      expected.every((each, index) => isAs(each, seen[index]))
    );
  }
  if (typeof expected !== 'object' || typeof seen !== 'object' || seen === null) {
    return isDeepStrictEqual(expected, seen);
  }
  const names = Object.keys(expected);
  return names.length === Object.keys(seen).length && hasMembers(expected, seen);
}

/** Whether each member of `expected` is as it is there; others do not matter. */
export function hasMembers(expected: object, seen: unknown): boolean {
  if (typeof seen !== 'object' || seen === null) return false;
  const members = seen as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([name, value]) => isAs(value, members[name]));
}

/** Throws NotAsExpected, saying what, unless the value is as expected. */
export function expectSame(what: string, expected: unknown, seen: unknown): void {
  if (!isAs(expected, seen)) throw difference(what, expected, seen);
}

/** The same for some members of an object. */
export function expectMembers(what: string, expected: object, seen: unknown): void {
  if (!hasMembers(expected, seen)) throw difference(what, expected, seen);
}

export function difference(what: string, expected: unknown, seen: unknown): NotAsExpected {
  return new NotAsExpected(
    `${what}\n  expected ${JSON.stringify(expected)}\n  seen     ${JSON.stringify(seen)}`,
  );
}
