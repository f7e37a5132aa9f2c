/** Whether a delivered document is inside an envelope, by what a client reads with `JSON.parse`; and what it reaches there. */

import type { LineEnvelope, PathEnvelope } from '../../../../src/content/envelope/line-envelope.js';

export interface Reached {
  readonly types: Set<string>;
  min: number;
  max: number;
}

/** Why the document is not inside, or null. @param reached what is seen by path, added to */
export function outsideOf(
  { paths }: Pick<LineEnvelope, 'paths'>,
  json: string,
  reached: Map<string, Reached> = new Map(),
): string | null {
  const required = requiredNames(paths);
  const waiting: { path: string; value: unknown }[] = [{ path: '', value: JSON.parse(json) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    const known = paths.get(path);
    if (known === undefined) return `${path} is not listed`;
    const reason = notIn(known, value) ?? missingIn(required.get(path) ?? [], value);
    if (reason !== null) return `${path}: ${reason}`;
    record(path, value, reached);
    if (Array.isArray(value)) {
      for (const element of value) waiting.push({ path: `${path}/*`, value: element });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        waiting.push({ path: `${path}/${escaped(key)}`, value: member });
      }
    }
  }
  return null;
}

/** By path, the names that every value there has. */
function requiredNames(paths: LineEnvelope['paths']): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { path, isAlwaysThere } of paths.values()) {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (slash < 0 || !isAlwaysThere || name === '*') continue;
    const parent = path.slice(0, slash);
    names.set(parent, [...(names.get(parent) ?? []), name]);
  }
  return names;
}

function notIn({ types, min, max, texts }: PathEnvelope, value: unknown): string | null {
  const type = typeOf(value);
  if (!types.includes(type as never)) return `it is ${type}, not ${types.join()}`;
  if (typeof value === 'number') {
    if (min === null || value < min.value) return `${value} is below ${min?.value}`;
    if (max === null || value > max.value) return `${value} is above ${max?.value}`;
  }
  const isScalar = typeof value !== 'object' || value === null;
  if (isScalar && texts !== null && !texts.some((text) => JSON.parse(text) === value)) {
    return `${String(value)} is none of ${texts.join()}`;
  }
  return null;
}

function missingIn(names: readonly string[], value: unknown): string | null {
  for (const name of names) {
    const isThere =
      typeof value === 'object' &&
      value !== null &&
      Object.keys(value).some((key) => escaped(key) === name);
    if (!isThere) return `${name} is missing`;
  }
  return null;
}

function record(path: string, value: unknown, reached: Map<string, Reached>): void {
  let seen = reached.get(path);
  if (seen === undefined) {
    seen = { types: new Set(), min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    reached.set(path, seen);
  }
  seen.types.add(typeOf(value));
  if (typeof value !== 'number') return;
  seen.min = Math.min(seen.min, value);
  seen.max = Math.max(seen.max, value);
}

/** Whether the types and both bounds of a path were all seen. */
export function isReached({ types, min, max }: PathEnvelope, seen: Reached | undefined): boolean {
  if (seen === undefined || seen.types.size !== types.length) return false;
  if (min === null || max === null) return true;
  return seen.min === min.value && seen.max === max.value;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
