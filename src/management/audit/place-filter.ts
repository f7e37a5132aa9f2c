/** What a search by path and value looks for: as SQL, and exactly. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { containsText } from '../store/contains-text.js';
import type { Tables } from '../store/tables/tables.js';
import { jsonSpelling } from './words.js';

export interface PlaceFilter {
  /** A JSON pointer, with everything below it, or part of a pointer; null: any. */
  readonly path: string | null;
  readonly value: ValueFilter | null;
}

export type ValueFilter =
  /** JSON texts: the value is one of them. */
  | { readonly kind: 'whole'; readonly spellings: readonly string[] }
  /** In lower case: the value is a text with this in it. */
  | { readonly kind: 'part'; readonly text: string };

/** Undefined: nothing is looked for. */
export function placeFilterOf(
  path: string | undefined,
  value: string | undefined,
): PlaceFilter | undefined {
  if (path === undefined && value === undefined) return undefined;
  const isPointer = path?.startsWith('/') === true;
  return {
    path: (isPointer ? path?.replace(lastSlash, '') : path) ?? null,
    value: value === undefined ? null : valueFilterOf(value),
  };
}

const lastSlash = /\/$/;

/** A number is found as it is written here, and in its shortest spelling. */
function valueFilterOf(given: string): ValueFilter {
  const text = given.trim();
  const value = scalarOf(text);
  if (value === undefined) return { kind: 'part', text: text.toLowerCase() };
  return { kind: 'whole', spellings: [...new Set([text, JSON.stringify(value)])] };
}

/** Undefined: it is not JSON, or no single value. */
function scalarOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Of places; lets some pass that `isPlace` does not. */
export function mayBePlace(
  where: ExpressionBuilder<Tables, 'auditPlaces'>,
  { path, value }: PlaceFilter,
): Expression<SqlBool> {
  const parts: Expression<SqlBool>[] = [];
  if (path !== null) parts.push(containsText(sql.ref('path'), path.toLowerCase()));
  if (value?.kind === 'whole') {
    const { spellings } = value;
    parts.push(
      where.or([where('valueBefore', 'in', spellings), where('valueAfter', 'in', spellings)]),
    );
  }
  if (value?.kind === 'part') {
    const text = jsonSpelling(value.text);
    parts.push(
      where.or([
        containsText(sql.ref('valueBefore'), text),
        containsText(sql.ref('valueAfter'), text),
      ]),
    );
  }
  return where.and(parts);
}

interface FoundPlace {
  readonly path: string;
  readonly valueBefore: string | null;
  readonly valueAfter: string | null;
}

export function isPlace(
  { path: wanted, value }: PlaceFilter,
  { path, valueBefore, valueAfter }: FoundPlace,
): boolean {
  return (
    (wanted === null || isPath(wanted, path)) &&
    (value === null || isValue(value, valueBefore) || isValue(value, valueAfter))
  );
}

function isPath(wanted: string, path: string): boolean {
  if (wanted !== '' && !wanted.startsWith('/'))
    return path.toLowerCase().includes(wanted.toLowerCase());
  return path === wanted || path.startsWith(`${wanted}/`);
}

function isValue(wanted: ValueFilter, value: string | null): boolean {
  if (value === null) return false;
  if (wanted.kind === 'whole') return wanted.spellings.includes(value);
  if (!value.startsWith('"')) return false;
  return value.toLowerCase().includes(jsonSpelling(wanted.text));
}
