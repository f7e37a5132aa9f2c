/** Rows of sample users: user contexts that a team keeps to try the contents of an environment with. */
import type { Selectable } from 'kysely';
import type { Db } from '../store/dialect.js';
import type { SampleUsersTable } from '../store/tables/environments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface SampleUser {
  readonly name: string;
  /** JSON object with `u`, `p` and `v`, as far as they were given. */
  readonly context: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** By name. */
export async function listSampleUsers(db: Db, environment: string): Promise<SampleUser[]> {
  const rows = await db
    .selectFrom('sampleUsers')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('name')
    .execute();
  return rows.map(sampleUserOf);
}

export async function findSampleUser(
  db: Db,
  environment: string,
  name: string,
): Promise<SampleUser | null> {
  const row = await db
    .selectFrom('sampleUsers')
    .selectAll()
    .where('environment', '=', environment)
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? null : sampleUserOf(row);
}

export async function countSampleUsers(db: Db, environment: string): Promise<number> {
  const { count } = await db
    .selectFrom('sampleUsers')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('environment', '=', environment)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Saves the context under its name; the same context again changes nothing.
 * @param before what is saved under it; null: nothing
 */
export async function putSampleUser(
  write: UnitOfWork,
  environment: string,
  before: SampleUser | null,
  { name, context }: Pick<SampleUser, 'name' | 'context'>,
): Promise<SampleUser> {
  if (before?.context === context) return before;
  const { at } = write;
  if (before === null) {
    await write.db
      .insertInto('sampleUsers')
      .values({ environment, name, context, createdAt: at, updatedAt: at })
      .execute();
  } else {
    await write.db
      .updateTable('sampleUsers')
      .set({ context, updatedAt: at })
      .where('environment', '=', environment)
      .where('name', '=', name)
      .execute();
  }
  await write.audit('sample-user.put', environment, name, {
    before: before === null ? null : auditedState(before),
    after: auditedState({ context }),
  });
  return { name, context, createdAtMs: before?.createdAtMs ?? at, updatedAtMs: at };
}

export async function deleteSampleUser(
  write: UnitOfWork,
  environment: string,
  user: SampleUser,
): Promise<void> {
  await write.db
    .deleteFrom('sampleUsers')
    .where('environment', '=', environment)
    .where('name', '=', user.name)
    .execute();
  await write.audit('sample-user.delete', environment, user.name, {
    before: auditedState(user),
    after: null,
  });
}

/** A context may be a real player's: the audit, which cannot be edited, does not keep it. */
function auditedState({ context }: Pick<SampleUser, 'context'>): unknown {
  return { bytes: Buffer.byteLength(context) };
}

function sampleUserOf(row: Selectable<SampleUsersTable>): SampleUser {
  return {
    name: row.name,
    context: row.context,
    createdAtMs: row.createdAt,
    updatedAtMs: row.updatedAt,
  };
}
