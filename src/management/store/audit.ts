/** Reads the audit (who did what, when, from where), and forgets what is too old. Its rows are written by `Write.audit`. */
import type { Selectable, SelectQueryBuilder } from 'kysely';
import { auditRowsLookedAt } from '../limits.js';
import type { Reading } from './dialect.js';
import type { AuditTable, Tables } from './tables.js';
import { timePrefix } from './time-ordered-id.js';
import type { Write } from './write.js';

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
}

/** Which events; what is left out does not narrow. */
export interface AuditFilter {
  /** Only events of these environments; null: also those of the server itself. */
  readonly environments: readonly string[] | null;
  /** `noun.verb`, or a noun for everything that was done to such things. */
  readonly action?: string | undefined;
  /** Id or name of who did it. */
  readonly user?: string | undefined;
  /** Id of the content, name of the segment, id of the key, ... that it was done to. */
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
  db: Reading,
  filter: AuditFilter,
  step: { readonly before?: string | undefined; readonly limit: number },
): Promise<AuditStep> {
  const { fromMs = 0, untilMs } = filter;
  const until = untilMs === undefined ? undefined : timePrefix(untilMs);
  const before = least(step.before, until);
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
  db: Reading,
  filter: AuditFilter,
  step: { readonly after: string; readonly limit: number },
): Promise<AuditStep> {
  const from = filter.fromMs === undefined ? '' : timePrefix(filter.fromMs);
  const after = step.after > from ? step.after : from;
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

/** Id of the newest event; '' without any. */
export async function newestAuditId(db: Reading): Promise<string> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? '';
}

/** Whether something was done at or after a time: by the ids, which sort by time. */
export async function didSince(db: Reading, action: string, sinceMs: number): Promise<boolean> {
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
 * Removes the oldest events of before a time.
 * @returns how many were removed: `limit`, or less when no more are left
 */
export async function deleteAudit(db: Reading, beforeMs: number, limit: number): Promise<number> {
  const oldest = db
    .selectFrom('audit')
    .select('id')
    .where('id', '<', timePrefix(beforeMs))
    .orderBy('id')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('audit')
    .where('id', 'in', oldest)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Replaces the details of an event that tells of work in several writes: it is true after each of them. */
export async function amendAudit(
  write: Write,
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

function inEnvironments(db: Reading, { environments }: AuditFilter): AuditQuery {
  const query = db.selectFrom('audit');
  if (environments === null) return query;
  // An empty list is no SQL; nothing is in an environment of this name.
  return query.where('environment', 'in', environments.length === 0 ? [' '] : [...environments]);
}

function matching(db: Reading, filter: AuditFilter): SelectQueryBuilder<Tables, 'audit', AuditRow> {
  const { action, user, name } = filter;
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
  if (name !== undefined) query = query.where('name', '=', name);
  return query;
}

function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function eventOf({ at, details, ...row }: AuditRow): AuditEvent {
  return { ...row, atMs: at, details: JSON.parse(details) as Record<string, unknown> };
}
