/** Rows of timelines: what happened to each release. They stay with it, whatever becomes of the audit. */
import type { AuditAction } from '../../../contract/events.js';
import type { Db } from '../dialect.js';
import { timeOrderedId } from '../ids.js';
import type { ReleaseTimelineTable } from '../tables/releases.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ReleaseId } from './releases.js';

export type TimelineRecord = Readonly<Omit<ReleaseTimelineTable, 'environment' | 'release'>>;

/** What happened. */
export interface TimelineEntry
  extends Pick<TimelineRecord, 'state' | 'sequence' | 'permille' | 'text'> {
  readonly event: Extract<AuditAction, `release.${string}`>;
}

/** Oldest first. */
export async function listTimeline(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<TimelineRecord[]> {
  return db
    .selectFrom('releaseTimeline')
    .select(['id', 'at', 'event', 'userId', 'userName'])
    .select(['state', 'sequence', 'permille', 'text'])
    .where((where) => where.and({ environment, release }))
    .orderBy('id')
    .execute();
}

/** When one of these last happened, milliseconds since the epoch; null: never. */
export async function findLastTime(
  db: Db,
  { environment, release }: ReleaseId,
  events: readonly TimelineEntry['event'][],
): Promise<number | null> {
  const row = await db
    .selectFrom('releaseTimeline')
    .select('at')
    .where((where) => where.and({ environment, release }))
    .where('event', 'in', events)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The user that has scheduled a release last; null: none did. Taking a schedule back is the same event, in another state. */
export async function findLastSchedule(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<Pick<TimelineRecord, 'userId' | 'userName'> | null> {
  const row = await db
    .selectFrom('releaseTimeline')
    .select(['userId', 'userName'])
    .where((where) => where.and({ environment, release, event: 'release.schedule' }))
    .where('state', '=', 'scheduled')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The last time that an owner published without approvals, after a time; null: none did. */
export async function findLastEmergency(
  db: Db,
  environment: string,
  afterMs: number,
): Promise<
  (Pick<TimelineRecord, 'at' | 'userName' | 'text'> & { readonly release: number }) | null
> {
  const row = await db
    .selectFrom('releaseTimeline')
    .select(['release', 'at', 'userName', 'text'])
    .where((where) => where.and({ environment, event: 'release.emergency' }))
    .where('at', '>', afterMs)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function countComments(db: Db, { environment, release }: ReleaseId): Promise<number> {
  const { count } = await db
    .selectFrom('releaseTimeline')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where((where) => where.and({ environment, release, event: 'release.comment' }))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertTimeline(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  entry: TimelineEntry,
): Promise<void> {
  const { userId, name: userName } = write.actor;
  const id = timeOrderedId(write.at);
  await write.db
    .insertInto('releaseTimeline')
    .values({ environment, release, id, at: write.at, userId, userName, ...entry })
    .execute();
}
