/** Reads the query string of content requests. */
import { Refusal, refusals } from './refusals.js';

export interface CombineQuery {
  /** Content ids as the caller wrote them, each once, in order. */
  readonly ids: readonly string[];
  /** What stands before each one's value in the answer: the id as a JSON string and a colon, after a comma. */
  readonly names: readonly Uint8Array[];
  readonly dynamic: boolean;
  readonly serialized: boolean;
}

/** Endpoint 1: whether `data` is wanted serialized. `query` is the raw text after the question mark. */
export function parseDynamicQuery(query: string): boolean | Refusal {
  if (query === '') return false;
  const responseType = new URLSearchParams(query).get('responseType');
  if (responseType === null) return false;
  return responseType === 'serialized' ? true : refusals.responseTypeInvalid;
}

/** A game asks for the same few combinations again and again: each is parsed once, until there are too many. */
const combinesKeptMax = 500;
const combinesKept = new Map<string, CombineQuery>();

/** Endpoint 3. Percent-encoded and raw brackets and quotes are both understood. */
export function parseCombineQuery(query: string, idsMax: number): CombineQuery | Refusal {
  const kept = combinesKept.get(query);
  if (kept !== undefined && kept.ids.length <= idsMax) return kept;
  const parsed = parseCombine(query, idsMax);
  if (parsed instanceof Refusal) return parsed;
  if (combinesKept.size >= combinesKeptMax) combinesKept.clear();
  combinesKept.set(query, parsed);
  return parsed;
}

function parseCombine(query: string, idsMax: number): CombineQuery | Refusal {
  const parameters = new URLSearchParams(query);
  const ids = parseIds(parameters.get('c'));
  if (ids === null) return refusals.idsMissing;
  if (ids.length > idsMax) return refusals.idsTooMany;
  const dynamic = parameters.get('dynamic') ?? 'false';
  if (dynamic !== 'true' && dynamic !== 'false') return refusals.dynamicInvalid;
  const responseType = parameters.get('responseType');
  if (responseType !== null && responseType !== 'serialized') return refusals.responseTypeInvalid;
  if (responseType !== null && dynamic !== 'true') return refusals.responseTypeAlone;
  const once = [...new Set(ids)];
  return {
    ids: once,
    names: once.map((id, at) => Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(id)}:`)),
    dynamic: dynamic === 'true',
    serialized: responseType !== null,
  };
}

function parseIds(c: string | null): string[] | null {
  if (c === null) return null;
  let ids: unknown;
  try {
    ids = JSON.parse(c);
  } catch {
    return null;
  }
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) return null;
  return ids as string[];
}
