/** Reads the audit (who did what, when, from where), and removes what is too old. `UnitOfWork.audit` writes its rows. */
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

/**
 * One step of a search by time. It looks at a bounded number of events: a filter that few of half a million pass took
 * the thread 0.6 s in one query, and a few milliseconds in such steps.
 */
export async function readAuditStep(
  db: Db,
  filter: AuditFilter,
  options: AuditStepOptions,
): Promise<AuditStep> {
  const { fromMs = 0, untilMs } = filter;
  const { order, limit } = options;
  const isAscending = order === 'asc';
  const from = timePrefix(fromMs);
  const until = untilMs === undefined ? undefined : timePrefix(untilMs);
  const after = options.after !== undefined && options.after > from ? options.after : from;
  const range = { after, before: least(options.before, until), order };
  if (filter.name !== undefined) return nameStep(db, filter, filter.name, { ...range, limit });
  const last = await lastLookedAt(within(inEnvironments(db, filter), range));
  let query = within(matching(db, filter), range);
  if (last !== null) query = query.where('id', isAscending ? '<=' : '>=', last);
  const events = (await query.limit(limit).execute()).map(eventOf);
  return { events, next: events.length === limit ? (events.at(-1)?.id ?? null) : last };
}

/** Ids lie above `after` and below `before`. */
interface IdRange {
  readonly after: string;
  readonly before: string | undefined;
  readonly order: 'asc' | 'desc';
}

function within<Row>(
  query: SelectQueryBuilder<Tables, 'audit', Row>,
  { after, before, order }: IdRange,
): SelectQueryBuilder<Tables, 'audit', Row> {
  const found = query.where('id', '>', after).orderBy('id', order);
  return before === undefined ? found : found.where('id', '<', before);
}

/** By index, so that a content's few events among very many cost no more than they are. */
async function nameStep(
  db: Db,
  filter: AuditFilter,
  name: string,
  { limit, ...range }: IdRange & { readonly limit: number },
): Promise<AuditStep> {
  const ids = await idsOfName(db, name, range);
  if (ids.length === 0) return { events: [], next: null };
  const rows = await matching(db, filter)
    .where('id', 'in', ids)
    .orderBy('id', range.order)
    .limit(limit)
    .execute();
  const found = rows.map(eventOf);
  const noted = await readAuditedContents(
    db,
    found.map(({ id }) => id),
    name,
  );
  const events = found.map((event) => {
    const content = noted.get(event.id);
    return content === undefined ? event : { ...event, content };
  });
  if (events.length === limit) return { events, next: events.at(-1)?.id ?? null };
  return { events, next: ids.length === auditNamesLookedAt ? (ids.at(-1) ?? null) : null };
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
