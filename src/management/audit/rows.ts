/** Reads the audit (who did what, when, from where), and forgets what is too old. Its rows are written by `Write.audit`. */
import type { Selectable, SelectQueryBuilder } from 'kysely';
import { contentKey } from '../../content/content-id.js';
import { auditedContentsPerRemoval, auditNamesLookedAt, auditRowsLookedAt } from '../limits.js';
import {
  type AuditedContent,
  deleteAuditedContents,
  readAuditedContents,
} from '../store/contents/audited-contents.js';
import type { Db } from '../store/dialect.js';
import { timePrefix } from '../store/ids.js';
import type { AuditTable, Tables } from '../store/tables.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

type AuditRow = Selectable<AuditTable>;

export interface AuditEvent {
  readonly id: string;
  readonly atMs: number;
  readonly userId: string;
  readonly userName: string;
  /** `noun.verb`. */
  readonly action: string;
  readonly environment: string;
  readonly name: string;
  /** Network address of the caller; '' for the server itself. */
  readonly address: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What a sync or import did to the content that was asked for by name. */
  readonly content?: AuditedContent;
}

/** Which events; what is left out does not narrow. */
export interface AuditFilter {
  /** Only events of these environments; null: also those of the server itself. */
  readonly environments: readonly string[] | null;
  /** `noun.verb`, or a noun for everything that was done to such things. */
  readonly action?: string | undefined;
  /** Id or name of who did it. */
  readonly user?: string | undefined;
  /** Id of the content, name of the segment, id of the key, ... that it was done to, alone or by a sync or import. */
  readonly name?: string | undefined;
  /** Milliseconds since the epoch: [from, until). */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** What one step of a search found, in the order it goes. */
export interface AuditStep {
  readonly events: AuditEvent[];
  /** Id of the event beyond which the next step begins; null: the search is at its end. */
  readonly next: string | null;
}

/**
 * One step of a search from the newest event down. It looks at a bounded number of events: a filter that few of
 * half a million pass took the thread 0.6 s in one query, and a few milliseconds in such steps.
 * @param step.before id of the event before which it begins
 * @param step.limit events to find at most
 */
export async function listAuditStep(
  db: Db,
  filter: AuditFilter,
  step: { readonly before?: string | undefined; readonly limit: number },
): Promise<AuditStep> {
  const { fromMs = 0, untilMs } = filter;
  const until = untilMs === undefined ? undefined : timePrefix(untilMs);
  const before = least(step.before, until);
  if (filter.name !== undefined) {
    const after = timePrefix(fromMs);
    return nameStep(db, filter, filter.name, { after, before, order: 'desc', limit: step.limit });
  }
  let looked = inEnvironments(db, filter).orderBy('id', 'desc');
  if (before !== undefined) looked = looked.where('id', '<', before);
  const last = (await lastLookedAt(looked)) ?? '';
  const bottom = last > timePrefix(fromMs) ? last : timePrefix(fromMs);
  let query = matching(db, filter).where('id', '>=', bottom).orderBy('id', 'desc');
  if (before !== undefined) query = query.where('id', '<', before);
  const events = (await query.limit(step.limit).execute()).map(eventOf);
  if (events.length === step.limit) return { events, next: events.at(-1)?.id ?? null };
  return { events, next: bottom === last ? last : null };
}

/**
 * The same upwards, from the oldest event.
 * @param step.after id of the event after which it begins; '' begins at the first
 */
export async function readAuditStep(
  db: Db,
  filter: AuditFilter,
  step: { readonly after: string; readonly limit: number },
): Promise<AuditStep> {
  const from = filter.fromMs === undefined ? '' : timePrefix(filter.fromMs);
  const after = step.after > from ? step.after : from;
  if (filter.name !== undefined) {
    const before = filter.untilMs === undefined ? undefined : timePrefix(filter.untilMs);
    return nameStep(db, filter, filter.name, { after, before, order: 'asc', limit: step.limit });
  }
  let looked = inEnvironments(db, filter).where('id', '>', after).orderBy('id');
  if (filter.untilMs !== undefined) looked = looked.where('id', '<', timePrefix(filter.untilMs));
  const last = await lastLookedAt(looked);
  let query = matching(db, filter).where('id', '>', after).orderBy('id');
  if (last !== null) query = query.where('id', '<=', last);
  else if (filter.untilMs !== undefined) query = query.where('id', '<', timePrefix(filter.untilMs));
  const events = (await query.limit(step.limit).execute()).map(eventOf);
  if (events.length === step.limit) return { events, next: events.at(-1)?.id ?? null };
  return { events, next: last };
}

interface NameStep {
  readonly after: string;
  readonly before: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** By index, so that a content's few events among very many cost no more than they are. */
async function nameStep(
  db: Db,
  filter: AuditFilter,
  name: string,
  { limit, ...range }: NameStep,
): Promise<AuditStep> {
  const ids = await auditIdsOfName(db, { name, ...range, limit: auditNamesLookedAt });
  if (ids.length === 0) return { events: [], next: null };
  const rows = await matching(db, filter)
    .where('id', 'in', ids)
    .orderBy('id', range.order)
    .limit(limit)
    .execute();
  const noted = await readAuditedContents(
    db,
    rows.map(({ id }) => id),
    name,
  );
  const events = rows.map((row) => {
    const content = noted.get(row.id);
    return { ...eventOf(row), ...(content === undefined ? {} : { content }) };
  });
  if (events.length === limit) return { events, next: events.at(-1)?.id ?? null };
  return { events, next: ids.length === auditNamesLookedAt ? (ids.at(-1) ?? null) : null };
}

/** Id of the newest event; '' without any. */
export async function newestAuditId(db: Db): Promise<string> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? '';
}

/** Whether something was done at or after a time: by the ids, which sort by time. */
export async function didSince(db: Db, action: string, sinceMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .where('id', '>=', timePrefix(sinceMs))
    .where('action', '=', action)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes the oldest events of before a time, at most `limit`, with what they say of contents. That may be much: it goes
 * first, in several calls.
 */
export async function deleteAudit(
  db: Db,
  beforeMs: number,
  limit: number,
): Promise<{ readonly removed: number; readonly isMore: boolean }> {
  const oldest = await db
    .selectFrom('audit')
    .select('id')
    .where('id', '<', timePrefix(beforeMs))
    .orderBy('id')
    .limit(limit)
    .execute();
  const ids = oldest.map(({ id }) => id);
  if (ids.length === 0) return { removed: 0, isMore: false };
  const contents = await deleteAuditedContents(db, ids, auditedContentsPerRemoval);
  if (contents === auditedContentsPerRemoval) return { removed: 0, isMore: true };
  await db.deleteFrom('audit').where('id', 'in', ids).execute();
  return { removed: ids.length, isMore: ids.length === limit };
}

/** Replaces the details of an event that tells of work in several writes: it is true after each of them. */
export async function amendAudit(
  write: UnitOfWork,
  id: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await write.db
    .updateTable('audit')
    .set({ details: JSON.stringify(details) })
    .where('id', '=', id)
    .execute();
}

type AuditQuery = SelectQueryBuilder<Tables, 'audit', object>;

/** Id of the last event that one step looks at; null: there are no more than it may look at. */
async function lastLookedAt(looked: AuditQuery): Promise<string | null> {
  const row = await looked
    .select('id')
    .limit(1)
    .offset(auditRowsLookedAt - 1)
    .executeTakeFirst();
  return row?.id ?? null;
}

function inEnvironments(db: Db, { environments }: AuditFilter): AuditQuery {
  const query = db.selectFrom('audit');
  if (environments === null) return query;
  // An empty list is no SQL; nothing is in an environment of this name.
  return query.where('environment', 'in', environments.length === 0 ? [' '] : [...environments]);
}

function matching(db: Db, filter: AuditFilter): SelectQueryBuilder<Tables, 'audit', AuditRow> {
  const { action, user } = filter;
  let query = inEnvironments(db, filter).selectAll();
  if (action?.includes('.') === true) query = query.where('action', '=', action);
  // A range finds what begins with it in every collation of ASCII; "/" follows ".".
  else if (action !== undefined) {
    query = query.where('action', '>=', `${action}.`).where('action', '<', `${action}/`);
  }
  if (user !== undefined) {
    query = query.where((where) =>
      where.or([where('userId', '=', user), where('userName', '=', user)]),
    );
  }
  return query;
}

function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function eventOf({ at, details, ...row }: AuditRow): AuditEvent {
  return { ...row, atMs: at, details: JSON.parse(details) as Record<string, unknown> };
}

/** Ids lie above `after` and below `before`. */
export interface NameSearch {
  readonly name: string;
  readonly after: string;
  readonly before: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Ids of the first events of that order, at most `limit`. */
export async function auditIdsOfName(db: Db, search: NameSearch): Promise<string[]> {
  const { name, after, before, order, limit } = search;
  let own = db.selectFrom('audit').select('id').where('name', '=', name).where('id', '>', after);
  let noted = db
    .selectFrom('auditedContents')
    .select('auditId')
    .where('idLower', '=', contentKey(name))
    .where('auditId', '>', after);
  if (before !== undefined) {
    own = own.where('id', '<', before);
    noted = noted.where('auditId', '<', before);
  }
  const ids = [
    ...(await own.orderBy('id', order).limit(limit).execute()).map(({ id }) => id),
    ...(await noted.orderBy('auditId', order).limit(limit).execute()).map((row) => row.auditId),
  ];
  const sorted = [...new Set(ids)].sort();
  return (order === 'asc' ? sorted : sorted.reverse()).slice(0, limit);
}
