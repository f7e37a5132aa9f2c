/** The steps of a search of the audit. Each looks at a bounded part of it, so that others have their turn in between (D31). */
import { contentKey } from '../../content/content-id.js';
import {
  auditNamesLookedAt,
  auditRowsLookedAt,
  placeEventsPerStep,
  placesLookedAt,
} from '../limits/audit.js';
import {
  type AuditedContent,
  readAuditedContents,
  readAuditedWith,
} from '../store/contents/audited-contents.js';
import type { Db } from '../store/dialect.js';
import { timePrefix } from '../store/ids.js';
import {
  type AuditFilter,
  type AuditRowQuery,
  type IdRange,
  inEnvironments,
  matching,
  within,
} from './filter.js';
import { readItems } from './index/read-items.js';
import type { FoundPlace } from './index/rows.js';
import { isPlace, mayBePlace, type PlaceFilter } from './place-filter.js';
import { type AuditEvent, type AuditRow, eventOf } from './rows.js';
import { hasWords } from './words.js';

/** Which part of the audit one step reads: events whose ids lie between `after` and `before`. */
export interface AuditStepOptions {
  readonly order: 'asc' | 'desc';
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** Events to find at most. */
  readonly limit: number;
}

/** What one step of a search found, in its order. */
export interface AuditStep {
  readonly events: AuditEvent[];
  /** Id of the event beyond which the next step begins; null: the search is at its end. */
  readonly next: string | null;
}

/** One step of a search: by time, or where a name, a path or a value is looked for, by the index of those. */
export async function readAuditStep(
  db: Db,
  filter: AuditFilter,
  options: AuditStepOptions,
): Promise<AuditStep> {
  const { fromMs = 0, untilMs, name, place } = filter;
  const { order, limit } = options;
  const from = timePrefix(fromMs);
  const until = untilMs === undefined ? undefined : timePrefix(untilMs);
  const after = options.after !== undefined && options.after > from ? options.after : from;
  const range = { after, before: least(options.before, until), order, limit };
  if (place !== undefined) return placeStep(db, filter, place, range);
  return name === undefined ? timeStep(db, filter, range) : nameStep(db, filter, name, range);
}

type StepRange = IdRange & { readonly limit: number };

/**
 * It looks at a bounded number of events: a filter that few of half a million pass took the thread 0.6 s in one query, and a
 * few milliseconds in such steps.
 */
async function timeStep(
  db: Db,
  filter: AuditFilter,
  { limit, ...range }: StepRange,
): Promise<AuditStep> {
  const last = await lastLookedAt(within(inEnvironments(db, filter), range));
  let query = within(matching(db, filter), range);
  if (last !== null) query = query.where('id', range.order === 'asc' ? '<=' : '>=', last);
  const rows = await query.limit(limit).execute();
  const next = rows.length === limit ? (rows.at(-1)?.id ?? null) : last;
  return { events: await eventsOf(db, filter, rows, null), next };
}

/** By index, so that a content's few events among very many cost no more than they are. */
async function nameStep(
  db: Db,
  filter: AuditFilter,
  name: string,
  { limit, ...range }: StepRange,
): Promise<AuditStep> {
  const ids = await idsOfName(db, name, range);
  if (ids.length === 0) return { events: [], next: null };
  const rows = await rowsOfIds(db, filter, ids, { ...range, limit });
  const events = await eventsOf(db, filter, rows, null);
  if (rows.length === limit) return { events, next: rows.at(-1)?.id ?? null };
  return { events, next: ids.length === auditNamesLookedAt ? (ids.at(-1) ?? null) : null };
}

/** By the index of changes. */
async function placeStep(
  db: Db,
  filter: AuditFilter,
  place: PlaceFilter,
  { limit, ...range }: StepRange,
): Promise<AuditStep> {
  const { found, next } = await lookAtPlaces(db, filter, place, range);
  const ids = [...found.keys()];
  const some = ids.slice(0, placeEventsPerStep);
  if (some.length === 0) return { events: [], next };
  const rows = await rowsOfIds(db, filter, some, { ...range, limit });
  const events = await eventsOf(db, filter, rows, found);
  if (rows.length === limit) return { events, next: rows.at(-1)?.id ?? null };
  return { events, next: some.length < ids.length ? (some.at(-1) ?? null) : next };
}

/** The places of a bounded part of the index that are looked for, by id of their events; all of an event, or none of it. */
async function lookAtPlaces(
  db: Db,
  { name }: AuditFilter,
  place: PlaceFilter,
  { after, before, order }: IdRange,
): Promise<{
  readonly found: ReadonlyMap<string, readonly FoundPlace[]>;
  readonly next: string | null;
}> {
  let looked = db.selectFrom('auditPlaces').where('auditId', '>', after).orderBy('auditId', order);
  if (before !== undefined) looked = looked.where('auditId', '<', before);
  if (name !== undefined) looked = looked.where('idLower', '=', contentKey(name));
  const last = await looked
    .select('auditId')
    .limit(1)
    .offset(placesLookedAt - 1)
    .executeTakeFirst();
  let query = looked.selectAll().where((where) => mayBePlace(where, place));
  if (last !== undefined) {
    query = query.where('auditId', order === 'asc' ? '<=' : '>=', last.auditId);
  }
  const found = new Map<string, FoundPlace[]>();
  for (const row of await query.orderBy('item').orderBy('position').execute()) {
    if (!isPlace(place, row)) continue;
    const ofEvent = found.get(row.auditId);
    if (ofEvent === undefined) found.set(row.auditId, [row]);
    else ofEvent.push(row);
  }
  return { found, next: last?.auditId ?? null };
}

async function rowsOfIds(
  db: Db,
  filter: AuditFilter,
  ids: readonly string[],
  { order, limit }: StepRange,
): Promise<AuditRow[]> {
  return matching(db, filter).where('id', 'in', ids).orderBy('id', order).limit(limit).execute();
}

/** @param places those that were looked for, by id of their events; null: none was */
async function eventsOf(
  db: Db,
  { name, words = [] }: AuditFilter,
  rows: readonly AuditRow[],
  places: ReadonlyMap<string, readonly FoundPlace[]> | null,
): Promise<AuditEvent[]> {
  const ids = rows.map(({ id }) => id);
  const named = name === undefined ? null : await readAuditedContents(db, ids, name);
  const worded = words.length === 0 ? null : await readAuditedWith(db, ids, words);
  const events = rows.map(eventOf).filter((event) => {
    const noted = worded?.get(event.id) ?? [];
    return hasWords(
      event,
      words,
      noted.map(({ id }) => id.toLowerCase()),
    );
  });
  const items = await readItems(
    db,
    events.map(({ id }) => id),
    { name, places },
  );
  return events.map((event) => {
    const content: AuditedContent | undefined = named?.get(event.id) ?? worded?.get(event.id)?.[0];
    const changed = items.get(event.id);
    return {
      ...event,
      ...(content === undefined ? {} : { content }),
      ...(changed === undefined ? {} : { items: changed }),
    };
  });
}

/** Ids of events about one name: those of the thing itself, and what syncs and imports did to a content. */
async function idsOfName(
  db: Db,
  name: string,
  { after, before, order }: IdRange,
): Promise<string[]> {
  let own = db.selectFrom('audit').select('id').where('name', '=', name).where('id', '>', after);
  let noted = db
    .selectFrom('auditedContents')
    .select('auditId as id')
    .where('idLower', '=', contentKey(name))
    .where('auditId', '>', after);
  if (before !== undefined) {
    own = own.where('id', '<', before);
    noted = noted.where('auditId', '<', before);
  }
  const found = [
    ...(await own.orderBy('id', order).limit(auditNamesLookedAt).execute()),
    ...(await noted.orderBy('auditId', order).limit(auditNamesLookedAt).execute()),
  ];
  const sorted = [...new Set(found.map(({ id }) => id))].sort();
  return (order === 'asc' ? sorted : sorted.reverse()).slice(0, auditNamesLookedAt);
}

/** Id of the last event that one step looks at; null: there are no more than it may look at. */
async function lastLookedAt(looked: AuditRowQuery<object>): Promise<string | null> {
  const row = await looked
    .select('id')
    .limit(1)
    .offset(auditRowsLookedAt - 1)
    .executeTakeFirst();
  return row?.id ?? null;
}

function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
