/** Rows of releases: each has a number in its environment, a state, and a version that goes up with each change. */
import type { Selectable, Updateable } from 'kysely';
import type { ReleaseBrake, ReleaseState, ReleaseStep } from '../../../contract/schemas/release.js';
import type { Db } from '../dialect.js';
import type { ReleasesTable } from '../tables/releases.js';
import type { UnitOfWork } from '../unit-of-work.js';

type Parsed = 'steps' | 'brake';

/** Times are milliseconds since the epoch. */
export interface ReleaseRecord extends Readonly<Omit<ReleasesTable, Parsed>> {
  readonly steps: readonly ReleaseStep[];
  readonly brake: ReleaseBrake | null;
}

/** Which release is meant. */
export type ReleaseId = Pick<ReleaseRecord, 'environment' | 'release'>;

/** What an update may set. Version and time of the update follow by themselves. */
export type ReleaseColumns = Partial<
  Omit<ReleaseRecord, 'environment' | 'release' | 'version' | 'updatedAt' | 'salt'>
>;

/** States in which a release has not ended and reaches no players. */
export const openStates: readonly ReleaseState[] = [
  'draft',
  'review',
  'approved',
  'scheduled',
  'stopped',
  'failed',
];

/** States in which some players receive a release that is not live. */
export const rampStates: readonly ReleaseState[] = ['ramping', 'paused'];

/** States in which a release has neither gone live nor ended. */
export const notEnded: readonly ReleaseState[] = [...openStates, ...rampStates];

export async function findRelease(
  db: Db,
  environment: string,
  release: number,
): Promise<ReleaseRecord | null> {
  const row = await db
    .selectFrom('releases')
    .selectAll()
    .where((where) => where.and({ environment, release }))
    .executeTakeFirst();
  return row === undefined ? null : releaseOf(row);
}

interface Listing {
  readonly state?: ReleaseState | undefined;
  /** Only those that have neither gone live nor ended. */
  readonly isOpen: boolean;
  /** Number below which the page begins. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listReleases(
  db: Db,
  environment: string,
  { state, isOpen, before, limit }: Listing,
): Promise<ReleaseRecord[]> {
  let query = db.selectFrom('releases').selectAll().where('environment', '=', environment);
  if (state !== undefined) query = query.where('state', '=', state);
  if (isOpen) query = query.where('state', 'in', notEnded);
  if (before !== undefined) query = query.where('release', '<', before);
  const rows = await query.orderBy('release', 'desc').limit(limit).execute();
  return rows.map(releaseOf);
}

/**
 * Releases in these states, by environment and number.
 * @param environment null: of all environments
 * @param liveIn only those that went live in this time, milliseconds since the epoch
 */
export async function listReleasesIn(
  db: Db,
  environment: string | null,
  states: readonly ReleaseState[],
  liveIn?: { readonly fromMs: number; readonly untilMs: number },
): Promise<ReleaseRecord[]> {
  let query = db.selectFrom('releases').selectAll().where('state', 'in', states);
  if (environment !== null) query = query.where('environment', '=', environment);
  if (liveIn !== undefined) {
    query = query.where('liveAt', '>=', liveIn.fromMs).where('liveAt', '<', liveIn.untilMs);
  }
  const rows = await query.orderBy('environment').orderBy('release').execute();
  return rows.map(releaseOf);
}

/** By number; those that do not exist are missing. */
export async function readReleaseStates(
  db: Db,
  environment: string,
  releases: readonly number[],
): Promise<ReadonlyMap<number, ReleaseState>> {
  if (releases.length === 0) return new Map();
  const rows = await db
    .selectFrom('releases')
    .select(['release', 'state'])
    .where('environment', '=', environment)
    .where('release', 'in', releases)
    .execute();
  return new Map(rows.map(({ release, state }) => [release, state]));
}

/** How many releases of the environment have neither gone live nor ended. */
export async function countOpenReleases(db: Db, environment: string): Promise<number> {
  const { count } = await db
    .selectFrom('releases')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('environment', '=', environment)
    .where('state', 'in', notEnded)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A release that is about to be made: a draft that has never run. */
export type NewRelease = Pick<
  ReleaseRecord,
  'environment' | 'title' | 'description' | 'salt' | 'steps' | 'brake'
>;

/** The environment is held, so that no other release takes the number. */
export async function insertRelease(write: UnitOfWork, draft: NewRelease): Promise<ReleaseRecord> {
  const { environment, steps, brake } = draft;
  const { actor, at } = write;
  const row: Selectable<ReleasesTable> = {
    ...draft,
    steps: JSON.stringify(steps),
    brake: brake === null ? null : JSON.stringify(brake),
    release: await nextNumber(write.db, environment),
    ...{ state: 'draft', version: 1, digest: '', reason: '', countedBelow: '' },
    ...{ createdBy: actor.userId, createdByName: actor.name, createdAt: at, updatedAt: at },
    ...{ submittedBy: null, submittedByName: null, submittedAt: null },
    ...{ scheduledAt: null, toleranceMs: 0, run: 0, step: 0, stepAt: null, heldMs: 0 },
    ...{ sequence: null, emergency: null, liveAt: null, endedAt: null },
  };
  await write.db.insertInto('releases').values(row).execute();
  return releaseOf(row);
}

async function nextNumber(db: Db, environment: string): Promise<number> {
  const { newest } = await db
    .selectFrom('releases')
    .select((select) => select.fn.max('release').as('newest'))
    .where('environment', '=', environment)
    .executeTakeFirstOrThrow();
  return (newest ?? 0) + 1;
}

/**
 * Changes a release if it still has the state and the version that were read.
 * @returns the release as it is now; null: another write came first, and nothing was changed
 */
export async function updateReleaseIf(
  write: UnitOfWork,
  seen: ReleaseRecord,
  columns: ReleaseColumns,
): Promise<ReleaseRecord | null> {
  const { environment, release, state, version } = seen;
  const next = { ...columns, version: version + 1, updatedAt: write.at };
  const { numUpdatedRows } = await write.db
    .updateTable('releases')
    .set(columnsOf(next))
    .where((where) => where.and({ environment, release, state, version }))
    .executeTakeFirst();
  return numUpdatedRows === 0n ? null : { ...seen, ...next };
}

function columnsOf({
  steps,
  brake,
  ...columns
}: ReleaseColumns & Pick<ReleaseRecord, 'version' | 'updatedAt'>): Updateable<ReleasesTable> {
  return {
    ...columns,
    ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }),
    ...(brake === undefined ? {} : { brake: brake === null ? null : JSON.stringify(brake) }),
  };
}

function releaseOf(row: Selectable<ReleasesTable>): ReleaseRecord {
  return {
    ...row,
    steps: JSON.parse(row.steps) as ReleaseStep[],
    brake: row.brake === null ? null : (JSON.parse(row.brake) as ReleaseBrake),
  };
}
