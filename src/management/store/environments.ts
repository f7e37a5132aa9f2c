/** Rows of environments. */
import type { Selectable } from 'kysely';
import type { Db } from './dialect.js';
import type { EnvironmentsTable } from './tables/environments.js';
import type { UnitOfWork } from './unit-of-work.js';
import { forgetEnvironmentOfUsers } from './users/users.js';

export interface Environment {
  readonly id: string;
  readonly name: string;
  /** Only owners may edit in it. */
  readonly protected: boolean;
  readonly createdAtMs: number;
}

/** By id. */
export async function listEnvironments(db: Db): Promise<Environment[]> {
  const rows = await db.selectFrom('environments').selectAll().orderBy('id').execute();
  return rows.map(environmentOf);
}

export async function findEnvironment(db: Db, id: string): Promise<Environment | null> {
  // By name, since prepared statements outlive upgrades of the schema, and PostgreSQL ends those that another column joins.
  const row = await db
    .selectFrom('environments')
    .select(['id', 'name', 'protected', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : environmentOf(row);
}

/**
 * The environment, held until the transaction ends: writers of one environment go one after the other, so
 * that what a write checked (a segment in use, the newest revision) is still so when it commits.
 */
export async function holdEnvironment(write: UnitOfWork, id: string): Promise<Environment | null> {
  // An update that changes nothing is the row lock that SQLite and PostgreSQL both understand.
  await write.db.updateTable('environments').set({ id }).where('id', '=', id).execute();
  return findEnvironment(write.db, id);
}

export async function insertEnvironment(
  write: UnitOfWork,
  environment: Pick<Environment, 'id' | 'name' | 'protected'>,
): Promise<Environment> {
  const { id, name } = environment;
  const row = { id, name, protected: environment.protected ? 1 : 0, createdAt: write.at };
  await write.db.insertInto('environments').values(row).execute();
  write.markChanged('environment', id, '');
  await write.audit('environment.create', id, id, { before: null, after: factsOf(environment) });
  return environmentOf(row);
}

/** Name and protection are no concern of delivery. What is left out stays. */
export async function updateEnvironment(
  write: UnitOfWork,
  environment: Environment,
  edit: { readonly name?: string | undefined; readonly protected?: boolean | undefined },
): Promise<Environment> {
  const { id } = environment;
  const { name = environment.name, protected: isProtected = environment.protected } = edit;
  if (name === environment.name && isProtected === environment.protected) return environment;
  const edited: Environment = { ...environment, name, protected: isProtected };
  await write.db
    .updateTable('environments')
    .set({ name, protected: isProtected ? 1 : 0 })
    .where('id', '=', id)
    .execute();
  const [before, after] = [factsOf(environment), factsOf(edited)];
  await write.audit('environment.update', id, id, { before, after });
  return edited;
}

/** Removes the environment with its keys, segments, contents and their history, and takes it off users' lists. */
export async function deleteEnvironment(
  write: UnitOfWork,
  environment: Environment,
): Promise<void> {
  const { id } = environment;
  await write.db.deleteFrom('environments').where('id', '=', id).execute();
  await forgetEnvironmentOfUsers(write, id);
  write.markChanged('environment-removed', id, '');
  await write.audit('environment.delete', id, id, { before: factsOf(environment), after: null });
}

type Facts = Pick<Environment, 'name' | 'protected'>;

function factsOf({ name, protected: isProtected }: Facts): Facts {
  return { name, protected: isProtected };
}

function environmentOf({ createdAt, ...row }: Selectable<EnvironmentsTable>): Environment {
  return { ...row, protected: row.protected !== 0, createdAtMs: createdAt };
}
