/** Reads the query string of content requests, and the ids of those that name them in the body instead. */
import { contentKey } from '../../content/content-id.js';
import { queriesKeptBytesMax, spellingsPerIdMax } from '../limits.js';
import { Problem, problems } from '../problems.js';

export interface CombineQuery {
  /** Content ids as the caller wrote them, each spelling once, in order. */
  readonly ids: readonly string[];
  /** Precedes each value in the response: the id as a JSON string and a colon, after a comma. */
  readonly names: readonly Uint8Array[];
  /** The contents that are asked for: each id once, in its first spelling. */
  readonly contents: readonly string[];
  /** For each of `ids`, its index in `contents`. */
  readonly contentOf: readonly number[];
  readonly dynamic: boolean;
  readonly serialized: boolean;
}

/** Endpoint 1: whether `data` is wanted serialized. `query` is the raw text after the question mark. */
export function parseDynamicQuery(query: string): boolean | Problem {
  if (query === '') return false;
  const responseType = new URLSearchParams(query).get('responseType');
  if (responseType === null) return false;
  return responseType === 'serialized' ? true : problems.responseTypeInvalid;
}

/** A game asks for the same few combinations again and again: each is parsed once, until they are too large. */
const queriesKept = new Map<string, CombineQuery>();
let queriesKeptBytes = 0;

/**
 * Endpoint 3. Percent-encoded and raw brackets and quotes are both understood.
 * @param idsInBody `c` of the body, whatever its type: counts only where the query has no `c`
 */
export function parseCombineQuery(
  query: string,
  idsMax: number,
  idsInBody: unknown = undefined,
): CombineQuery | Problem {
  const kept = queriesKept.get(query);
  if (kept !== undefined && isWithin(kept, idsMax)) return kept;
  // No query has a line break. With 10 ids this takes 3 us, reading them 13.
  const isShort = isIds(idsInBody) && idsInBody.length <= idsMax;
  const key = isShort ? `${query}\n${JSON.stringify(idsInBody)}` : null;
  const keptByBody = key === null ? undefined : queriesKept.get(key);
  if (keptByBody !== undefined && isWithin(keptByBody, idsMax)) return keptByBody;
  const parameters = new URLSearchParams(query);
  const c = parameters.get('c');
  const ids = c === null ? idsInBody : parseJson(c);
  const parsed = isIds(ids) ? parseCombine(parameters, ids, idsMax) : problems.idsMissing;
  // Without `c` the query alone says nothing of the ids: another body has others.
  const kind = c === null ? key : query;
  if (kind !== null && !(parsed instanceof Problem)) keep(kind, parsed);
  return parsed;
}

/** Forgets everything when it is full: what is asked for often is back at the price of one parse each. */
function keep(query: string, parsed: CombineQuery): void {
  const bytes = bytesOf(query, parsed);
  if (bytes > queriesKeptBytesMax / 16) return;
  if (queriesKeptBytes + bytes > queriesKeptBytesMax) {
    queriesKept.clear();
    queriesKeptBytes = 0;
  }
  queriesKeptBytes += bytes;
  queriesKept.set(query, parsed);
}

/** Roughly what a query holds in memory: its text, each id as text and as bytes, and their objects. */
function bytesOf(query: string, { ids, names }: CombineQuery): number {
  let bytes = 512 + 2 * query.length;
  for (let at = 0; at < ids.length; at += 1) {
    bytes += 256 + 2 * (ids[at] as string).length + (names[at] as Uint8Array).byteLength;
  }
  return bytes;
}

function parseCombine(
  parameters: URLSearchParams,
  written: readonly string[],
  idsMax: number,
): CombineQuery | Problem {
  const ids = [...new Set(written)];
  // Before they are looked into: a body of 64 KiB has room for 20,000.
  if (ids.length > idsMax * spellingsPerIdMax) return problems.idsTooMany;
  const named = nameContents(ids);
  if (!isWithin(named, idsMax)) return problems.idsTooMany;
  const dynamic = parameters.get('dynamic') ?? 'false';
  if (dynamic !== 'true' && dynamic !== 'false') return problems.dynamicInvalid;
  const responseType = parameters.get('responseType');
  if (responseType !== null && responseType !== 'serialized') return problems.responseTypeInvalid;
  if (responseType !== null && dynamic !== 'true') return problems.responseTypeAlone;
  return {
    ...named,
    names: named.ids.map((id, at) => Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(id)}:`)),
    dynamic: dynamic === 'true',
    serialized: responseType !== null,
  };
}

/** Undefined: it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string');
}

type Named = Pick<CombineQuery, 'ids' | 'contents' | 'contentOf'>;

/** Ids that differ only in case name one content, which is selected and rendered once. */
function nameContents(ids: readonly string[]): Named {
  const places = new Map<string, number>();
  const contents: string[] = [];
  const contentOf = ids.map((id) => {
    const key = contentKey(id);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, contents.length);
    return contents.push(id) - 1;
  });
  return { ids, contents, contentOf };
}

function isWithin({ ids, contents }: Named, idsMax: number): boolean {
  return contents.length <= idsMax && ids.length <= idsMax * spellingsPerIdMax;
}
