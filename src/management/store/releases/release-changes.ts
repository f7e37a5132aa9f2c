/** Rows of what releases change: exact revisions of contents and segments, or settings of the environment. */
import type { Selectable } from 'kysely';
import type { EnvironmentEdit } from '../../../contract/schemas/release.js';
import type { Db } from '../dialect.js';
import type { ReleaseChangesTable } from '../tables/releases.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { notEnded, type ReleaseId } from './releases.js';

export interface ReleaseChangeRecord
  extends Readonly<Omit<ReleaseChangesTable, 'environment' | 'release' | 'edit'>> {
  readonly edit: EnvironmentEdit | null;
}

/** Which change of a release is meant. */
export type ReleaseChangeKey = Pick<ReleaseChangeRecord, 'kind' | 'name'>;

/** A change that is put into a release. */
export type NewReleaseChange = Pick<
  ReleaseChangeRecord,
  'kind' | 'name' | 'id' | 'revision' | 'base' | 'edit'
>;

/** Fourteen columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 500;

/** By kind and name. */
export async function listReleaseChanges(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<ReleaseChangeRecord[]> {
  const rows = await db
    .selectFrom('releaseChanges')
    .selectAll()
    .where((where) => where.and({ environment, release }))
    .orderBy('kind')
    .orderBy('name')
    .execute();
  return rows.map(changeOf);
}

/** By number of the release, how many changes it has. */
export async function countReleaseChanges(
  db: Db,
  environment: string,
  releases: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (releases.length === 0) return new Map();
  const rows = await db
    .selectFrom('releaseChanges')
    .select((select) => ['release', select.fn.countAll<number>().as('count')])
    .where('environment', '=', environment)
    .where('release', 'in', releases)
    .groupBy('release')
    .execute();
  return new Map(rows.map(({ release, count }) => [release, Number(count)]));
}

/** Puts changes into a release; those of the same kind and name are replaced. */
export async function putReleaseChanges(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  changes: readonly NewReleaseChange[],
): Promise<void> {
  const { userId, name } = write.actor;
  const rows = changes.map(({ edit, ...change }) => ({
    ...{ environment, release, ...change },
    edit: edit === null ? null : JSON.stringify(edit),
    ...{ liveBefore: null, liveAfter: null },
    ...{ addedBy: userId, addedByName: name, addedAt: write.at },
  }));
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await write.db
      .insertInto('releaseChanges')
      .values(rows.slice(from, from + rowsPerInsert))
      .onConflict((conflict) =>
        conflict
          .columns(['environment', 'release', 'kind', 'name'])
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(replaced.map((column) => [column, ref(`excluded.${column}`)])),
          ),
      )
      .execute();
  }
}

/** Of a change that is there already. */
const replaced = [
  ...(['id', 'revision', 'base', 'edit', 'liveBefore', 'liveAfter'] as const),
  ...(['addedBy', 'addedByName', 'addedAt'] as const),
];

/** @returns whether it was there */
export async function dropReleaseChange(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  { kind, name }: ReleaseChangeKey,
): Promise<boolean> {
  const { numDeletedRows } = await write.db
    .deleteFrom('releaseChanges')
    .where((where) => where.and({ environment, release, kind, name }))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Notes what was live of a change's item before its release went live, and what is since. Null: nothing. */
export async function noteLiveOfChange(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  { kind, name }: ReleaseChangeKey,
  live: { readonly liveBefore: number | null; readonly liveAfter: number | null },
): Promise<void> {
  await write.db
    .updateTable('releaseChanges')
    .set(live)
    .where((where) => where.and({ environment, release, kind, name }))
    .execute();
}

function changeOf(row: Selectable<ReleaseChangesTable>): ReleaseChangeRecord {
  const { environment: _, release: __, edit, ...change } = row;
  return { ...change, edit: edit === null ? null : (JSON.parse(edit) as EnvironmentEdit) };
}

/** Each change of an environment's releases beside its release. */
export function changesWithReleases(db: Db, environment: string) {
  return db
    .selectFrom('releaseChanges')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.environment', '=', 'releaseChanges.environment')
        .onRef('releases.release', '=', 'releaseChanges.release'),
    )
    .where('releaseChanges.environment', '=', environment);
}

/** By the revision that was given, the number of an open release that takes it; the newest of several. */
export async function findTakingReleases<
  Draft extends {
    readonly kind: 'content' | 'segment';
    readonly name: string;
    readonly revision: number;
  },
>(db: Db, environment: string, drafts: readonly Draft[]): Promise<ReadonlyMap<Draft, number>> {
  if (drafts.length === 0) return new Map();
  const rows = await changesWithReleases(db, environment)
    .where('releases.state', 'in', notEnded)
    .where('releaseChanges.id', 'in', [...new Set(drafts.map(({ name }) => name))])
    .select(['releaseChanges.kind', 'releaseChanges.id', 'releaseChanges.revision'])
    .select('releaseChanges.release')
    .orderBy('releaseChanges.release')
    .execute();
  const found = new Map<Draft, number>();
  for (const draft of drafts) {
    for (const { kind, id, revision, release } of rows) {
      if (kind === draft.kind && id === draft.name && revision === draft.revision) {
        found.set(draft, release);
      }
    }
  }
  return found;
}
