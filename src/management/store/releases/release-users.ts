/** Rows of the users that are counted in a step of a ramp: keyed hashes, never who they are. */
import type { Selectable } from 'kysely';
import type { Db } from '../dialect.js';
import type { ReleaseUsersTable } from '../tables/releases.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { type ReleaseId, rampStates } from './releases.js';

export type ReleaseUser = Readonly<Selectable<ReleaseUsersTable>>;

/** A step of a ramp. */
export type StepId = Pick<ReleaseUser, 'environment' | 'release' | 'run' | 'step'>;

/** Names in one statement: databases take some ten thousand parameters. */
const namesMax = 500;

const idOf = ({ environment, release, run, step }: StepId): StepId => ({
  ...{ environment, release, run, step },
});

/** Those of the users that are counted already, by hash. */
export async function findCountedUsers(
  db: Db,
  step: StepId,
  userHashes: readonly string[],
): Promise<Map<string, Pick<ReleaseUser, 'firstAt' | 'ok'>>> {
  const found = new Map<string, Pick<ReleaseUser, 'firstAt' | 'ok'>>();
  for (const hashes of piecesOf(userHashes)) {
    const rows = await db
      .selectFrom('releaseUsers')
      .select(['userHash', 'firstAt', 'ok'])
      .where((where) => where.and(idOf(step)))
      .where('userHash', 'in', hashes)
      .execute();
    for (const { userHash, ...row } of rows) found.set(userHash, row);
  }
  return found;
}

export async function insertCountedUsers(
  { db }: UnitOfWork,
  users: readonly ReleaseUser[],
): Promise<void> {
  for (const rows of piecesOf(users)) await db.insertInto('releaseUsers').values(rows).execute();
}

/** @param ok 1: they have reached the menu; 0: they have not */
export async function setOutcomes(
  { db }: UnitOfWork,
  step: StepId,
  userHashes: readonly string[],
  ok: 0 | 1,
): Promise<void> {
  for (const hashes of piecesOf(userHashes)) {
    await db
      .updateTable('releaseUsers')
      .set({ ok })
      .where((where) => where.and(idOf(step)))
      .where('userHash', 'in', hashes)
      .execute();
  }
}

export async function countCountedUsers(db: Db, step: StepId): Promise<number> {
  const { count } = await db
    .selectFrom('releaseUsers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where((where) => where.and(idOf(step)))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Networks with more users than that. */
export async function listLargeNetworks(db: Db, step: StepId, usersMax: number): Promise<string[]> {
  const rows = await db
    .selectFrom('releaseUsers')
    .select('network')
    .where((where) => where.and(idOf(step)))
    .groupBy('network')
    .having((having) => having(having.fn.countAll(), '>', usersMax))
    .execute();
  return rows.map(({ network }) => network);
}

/** The hash of a network that so many others of it are below; undefined: it has no more of them. */
export async function findHashAt(
  db: Db,
  step: StepId,
  network: string,
  place: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('releaseUsers')
    .select('userHash')
    .where((where) => where.and({ ...idOf(step), network }))
    .orderBy('userHash')
    .limit(1)
    .offset(place)
    .executeTakeFirst();
  return row?.userHash;
}

/**
 * Removes users whose hash is not below one, but for those whose time had passed without a healthy start: the evidence has
 * counted these.
 * @param network null: of all networks
 * @param passedBefore first starts before it have had their time, milliseconds since the epoch
 */
export async function dropUsersFrom(
  { db }: UnitOfWork,
  step: StepId,
  network: string | null,
  userHash: string,
  passedBefore: number,
): Promise<void> {
  let drop = db
    .deleteFrom('releaseUsers')
    .where((where) => where.and(idOf(step)))
    .where('userHash', '>=', userHash)
    .where((where) => where.or([where('firstAt', '>=', passedBefore), where('ok', '=', 1)]));
  if (network !== null) drop = drop.where('network', '=', network);
  await drop.execute();
}

/** Removes the users of the steps before this one. */
export async function dropEarlierSteps({ db }: UnitOfWork, of: StepId): Promise<void> {
  const { environment, release, run, step } = of;
  const ofRelease = db.deleteFrom('releaseUsers').where((where) => {
    return where.and({ environment, release });
  });
  await ofRelease.where('run', '<', run).execute();
  await ofRelease.where('run', '=', run).where('step', '<', step).execute();
}

/** How many users there are by slice and outcome, and how many of them have had their time. */
export interface CountedKind extends Pick<ReleaseUser, 'slice' | 'ok'> {
  readonly users: number;
  readonly passed: number;
}

/** @param passedBefore see `dropUsersFrom` */
export async function listCountedKinds(
  db: Db,
  step: StepId,
  passedBefore: number,
): Promise<CountedKind[]> {
  const rows = await db
    .selectFrom('releaseUsers')
    .select(['slice', 'ok'])
    .select(({ fn, case: when }) => [
      fn.countAll<number>().as('users'),
      fn.sum<number>(when().when('firstAt', '<', passedBefore).then(1).else(0).end()).as('passed'),
    ])
    .where((where) => where.and(idOf(step)))
    .groupBy(['slice', 'ok'])
    .execute();
  return rows.map((row) => ({ ...row, users: Number(row.users), passed: Number(row.passed) }));
}

/** How many networks the users of each slice come from. */
export async function countNetworks(
  db: Db,
  step: StepId,
): Promise<ReadonlyMap<ReleaseUser['slice'], number>> {
  const rows = await db
    .selectFrom('releaseUsers')
    .select('slice')
    .select(({ fn }) => fn.count<number>('network').distinct().as('networks'))
    .where((where) => where.and(idOf(step)))
    .groupBy('slice')
    .execute();
  return new Map(rows.map(({ slice, networks }) => [slice, Number(networks)]));
}

/** Users whose time has passed without a healthy start, in the order in which it did. */
export async function listMissingUsers(
  db: Db,
  step: StepId,
  passedBefore: number,
): Promise<Pick<ReleaseUser, 'slice' | 'network'>[]> {
  return db
    .selectFrom('releaseUsers')
    .select(['slice', 'network'])
    .where((where) => where.and(idOf(step)))
    .where('firstAt', '<', passedBefore)
    .where((where) => where.or([where('ok', 'is', null), where('ok', '=', 0)]))
    .orderBy('firstAt')
    .orderBy('userHash')
    .execute();
}

/** Releases with counted users that do not ramp any more. */
export async function listEndedRamps(db: Db, limit: number): Promise<ReleaseId[]> {
  return db
    .selectFrom('releases')
    .select(['environment', 'release'])
    .where('state', 'not in', rampStates)
    .where((where) =>
      where.exists(
        where
          .selectFrom('releaseUsers')
          .select('releaseUsers.release')
          .whereRef('releaseUsers.environment', '=', 'releases.environment')
          .whereRef('releaseUsers.release', '=', 'releases.release'),
      ),
    )
    .limit(limit)
    .execute();
}

/** Removes users of a release, some at a time. @returns whether there may be more */
export async function dropUsersOf(
  { db }: UnitOfWork,
  { environment, release }: ReleaseId,
  limit: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom('releaseUsers')
    .select('userHash')
    .where((where) => where.and({ environment, release }))
    .limit(limit)
    .execute();
  for (const hashes of piecesOf(rows.map(({ userHash }) => userHash))) {
    await db
      .deleteFrom('releaseUsers')
      .where((where) => where.and({ environment, release }))
      .where('userHash', 'in', hashes)
      .execute();
  }
  return rows.length === limit;
}

function* piecesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += namesMax) yield items.slice(at, at + namesMax);
}
