/** What ramps delivered at a moment: by the timelines of their releases, and by what each of them reached when it started. */
import type { RampStep } from '../../../content/ramp.js';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { listReleaseChanges } from './release-changes.js';
import type { ReachedName } from './release-reach.js';
import { type ReleaseId, rampStates } from './releases.js';

/** A ramp at a moment. */
export interface PastRamp extends ReleaseId, RampStep {
  /** When it was started, milliseconds since the epoch. */
  readonly startedAtMs: number;
}

/** Something that a ramp reached. */
export interface PastRampItem extends ReachedName {
  /** The release changes it itself; else it uses a segment that the release changes. */
  readonly isChanged: boolean;
  /** Null: the content is deleted, or the release does not change it. */
  readonly revision: number | null;
}

const rowsPerInsert = 1_000;

/** Keeps what a ramp that starts with this write reaches and delivers. Of several starts in a moment, the last counts. */
export async function recordRamp(
  write: UnitOfWork,
  id: ReleaseId,
  reached: readonly ReachedName[],
): Promise<void> {
  const { environment, release } = id;
  const changes = new Map(
    (await listReleaseChanges(write.db, id)).map(({ kind, name, revision }) => [
      `${kind} ${name}`,
      revision,
    ]),
  );
  const rows = reached.map(({ kind, name }) => {
    const revision = changes.get(`${kind} ${name}`);
    return {
      ...{ environment, release, startedAt: write.at, kind, name },
      ...{ changes: revision === undefined ? 0 : 1, revision: revision ?? null },
    };
  });
  await write.db
    .deleteFrom('rampItems')
    .where((where) => where.and({ environment, release, startedAt: write.at }))
    .execute();
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await write.db
      .insertInto('rampItems')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute();
  }
}

/**
 * The ramps of an environment that went on or were paused at a time. One query finds them, however many releases there have been:
 * a player is looked up in an environment with years of them.
 */
export async function listRampsAt(db: Db, environment: string, atMs: number): Promise<PastRamp[]> {
  const rows = await db
    .selectFrom('releases')
    .innerJoin('releaseTimeline as last', (join) =>
      join
        .onRef('last.environment', '=', 'releases.environment')
        .onRef('last.release', '=', 'releases.release')
        .on('last.id', '=', ({ selectFrom }) =>
          selectFrom('releaseTimeline as move')
            .select(({ fn }) => fn.max('move.id').as('id'))
            .whereRef('move.environment', '=', 'releases.environment')
            .whereRef('move.release', '=', 'releases.release')
            .where('move.event', 'in', moves)
            .where('move.at', '<=', atMs),
        ),
    )
    .select(['releases.release', 'releases.salt', 'last.permille'])
    .where('releases.environment', '=', environment)
    .where('releases.run', '>', 0)
    .where('last.state', 'in', rampStates)
    .orderBy('releases.release')
    .execute();
  const ramps: PastRamp[] = [];
  for (const { release, salt, permille } of rows) {
    if (permille === null) continue;
    const startedAtMs = await findStart({ db, environment, release, atMs });
    if (startedAtMs !== null) ramps.push({ environment, release, salt, permille, startedAtMs });
  }
  return ramps;
}

/** Events after which the share of a ramp, or whether there is one, may be another. */
const moves: readonly string[] = [
  ...['release.start', 'release.step', 'release.pause', 'release.resume', 'release.stop'],
  ...['release.live', 'release.emergency', 'release.revert', 'release.fail'],
];

/** When the ramp began that went on at a time. */
async function findStart(
  moment: ReleaseId & { readonly db: Db; readonly atMs: number },
): Promise<number | null> {
  const { db, environment, release, atMs } = moment;
  const row = await db
    .selectFrom('releaseTimeline')
    .select('at')
    .where((where) => where.and({ environment, release, event: 'release.start' }))
    .where('at', '<=', atMs)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** All that a ramp reached; none: it is not known, for a server of an older version has started it. */
export async function listRampItems(
  db: Db,
  { environment, release, startedAtMs: startedAt }: PastRamp,
): Promise<PastRampItem[]> {
  const rows = await db
    .selectFrom('rampItems')
    .select(['kind', 'name', 'changes', 'revision'])
    .where((where) => where.and({ environment, release, startedAt }))
    .execute();
  return rows.map(({ kind, name, changes, revision }) => {
    return { kind, name, isChanged: changes === 1, revision };
  });
}

/** Times in (from, to] at which ramps of an environment started, moved or ended, ascending. */
export async function listRampTimes(
  db: Db,
  environment: string,
  fromMs: number,
  toMs: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('releaseTimeline')
    .select('at')
    .distinct()
    .where('environment', '=', environment)
    .where('event', 'in', moves)
    .where('at', '>', fromMs)
    .where('at', '<=', toMs)
    .orderBy('at')
    .execute();
  return rows.map(({ at }) => at);
}
