/** Reads what a refresh asks for beside the evaluation context: what the client holds, what it wants, how much at once. */

import { contentKey } from '../../content/content-id.js';
import { parseInstant } from '../../content/mapping/instant.js';
import { refreshBytesDefault, refreshBytesHighest, refreshEntriesMax } from '../limits.js';
import { Problem, problems } from '../problems.js';
import { parseDynamicQuery } from './query.js';
import type { RequestBody } from './request-body.js';

export interface RefreshRequest {
  /** Content id as the client wrote it -> the tag that it holds. */
  readonly have: Readonly<Record<string, string>>;
  /** The ids of `have`, and their tags in the same order. */
  readonly heldIds: readonly string[];
  readonly heldTags: readonly string[];
  /** Content ids as the client wrote them, each spelling once; null: everything that the catalog has. */
  readonly ids: readonly string[] | null;
  /** Bytes of entries that it wants at once, 1 or more. */
  readonly bytesMax: number;
  /** The instant that a stream has told the client of, milliseconds since the epoch; 0: none. */
  readonly atMs: number;
  /** `data` is wanted as a string of JSON. */
  readonly serialized: boolean;
}

/**
 * Members that are null count as absent.
 * @param query the raw text after the question mark
 * @returns why the request is rejected otherwise (docs/delivery-api.md)
 */
export function parseRefreshRequest(query: string, body: RequestBody): RefreshRequest | Problem {
  const have = body['have'] ?? noTags;
  if (!isObject(have)) return problems.haveInvalid;
  const heldTags: readonly unknown[] = Object.values(have);
  if (!areTexts(heldTags)) return problems.haveInvalid;
  const ids = body['ids'] ?? null;
  if (ids !== null && !(Array.isArray(ids) && areTexts(ids))) return problems.refreshIdsInvalid;
  const heldIds = Object.keys(have);
  if (heldIds.length + (ids?.length ?? 0) > refreshEntriesMax) return problems.refreshTooMany;
  const wanted = ids === null ? null : [...new Set(ids)];
  if (!haveOneSpelling(heldIds) || (wanted !== null && !haveOneSpelling(wanted))) {
    return problems.idsSpelledTwice;
  }
  const bytesMax = body['bytesMax'] ?? refreshBytesDefault;
  if (!isByteCount(bytesMax)) return problems.bytesMaxInvalid;
  const atMs = readInstant(body['at'] ?? null);
  if (atMs === null) return problems.atInvalid;
  const serialized = parseDynamicQuery(query);
  if (serialized instanceof Problem) return serialized;
  return {
    have: have as Readonly<Record<string, string>>,
    heldIds,
    heldTags,
    ids: wanted,
    bytesMax: Math.min(bytesMax, refreshBytesHighest),
    atMs,
    serialized,
  };
}

const noTags: Readonly<Record<string, unknown>> = {};

/** Whether no two of these ids, each of which is given once, differ only in case. */
function haveOneSpelling(ids: readonly string[]): boolean {
  let isLower = true;
  for (let at = 0; at < ids.length && isLower; at += 1) {
    isLower = contentKey(ids[at] as string) === ids[at];
  }
  return isLower || new Set(ids.map(contentKey)).size === ids.length;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areTexts(values: readonly unknown[]): values is readonly string[] {
  for (let at = 0; at < values.length; at += 1) if (typeof values[at] !== 'string') return false;
  return true;
}

function isByteCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Milliseconds since the epoch; 0 for none, null for what is no date-time. */
function readInstant(value: unknown): number | null {
  if (value === null) return 0;
  return typeof value === 'string' && value.length <= instantCharactersMax
    ? parseInstant(value)
    : null;
}

/** A date-time with nanoseconds and a zone has 35 characters. */
const instantCharactersMax = 64;
