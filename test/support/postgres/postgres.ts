/** PostgreSQL for a test file: a database of its own on the server of this run, or servers of its own; both end with it. */
import { afterAll, inject } from 'vitest';
import { type ClusterOptions, PostgresCluster } from './cluster.js';
import { createDatabase, databaseUrl, dropDatabase, queryAsSuperuser } from './database.js';

/** What setup.ts has made for all test files of this run. */
export interface PostgresOfRun {
  /** Where the programs are. */
  readonly bin: string;
  /** What further servers start from a copy of. */
  readonly template: string;
  /** Of the server that all test files share. */
  readonly port: number;
  /** A database on it that has the schema and nothing else. */
  readonly prepared: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresOfRun | null;
  }
}

const ofRun = inject('postgres') ?? null;

/**
 * Whether there is a PostgreSQL; where there is none, tests that need it are skipped and the run says so. In CI its
 * absence has ended the run before any test.
 */
export const hasPostgres = ofRun !== null;

// A run that is ended from outside leaves a test file to go on alone as long as it has children; without it, its servers
// end too.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const made = new Set<string>();
// Registered when the test file imports this module, so it runs after the hooks of the file itself.
afterAll(async () => {
  await PostgresCluster.endAll();
  for (const name of made) await dropDatabase(shared().port, name);
});

/** The address of a new, empty database on the server that all test files share; dropped when this one has ended. */
export async function freshDatabase(): Promise<string> {
  const name = await createDatabase(shared().port);
  made.add(name);
  return databaseUrl(name, shared().port);
}

/** The same with the schema in place, which takes a third of the time that a first start takes to make it. */
export async function preparedDatabase(): Promise<string> {
  const { port, prepared } = shared();
  const name = await createDatabase(port, prepared);
  made.add(name);
  await emptyDatabase(name);
  return databaseUrl(name, port);
}

/** Removes everything from a database whose schema is in place: it is another store then, and a new one. */
export async function emptyDatabase(name: string): Promise<void> {
  await queryAsSuperuser(shared().port, emptying, [], name);
}

// References between the tables are not looked at: nothing is left that could refer to anything.
const emptying = `
  DO $$
    DECLARE name text;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN ('schema_version', 'store_state', 'change_index')
      LOOP
        EXECUTE format('DELETE FROM %I', name);
      END LOOP;
      UPDATE store_state SET store_id = gen_random_uuid(), sequence = 0, pruned_to = 0, written_at = 0, writer = '', writers_min = DEFAULT;
      UPDATE change_index SET indexed_to = '', filled_from = '';
    END $$`;

/** A server for this test file alone, to be stopped and killed; ended, with its standbys, when the file has ended. */
export function startPostgres(
  options: Pick<ClusterOptions, 'durable' | 'settings'> = {},
): Promise<PostgresCluster> {
  const { bin, template } = shared();
  return PostgresCluster.start({ ...options, bin, template });
}

function shared(): PostgresOfRun {
  if (ofRun === null) throw new Error('There is no PostgreSQL: ask hasPostgres first.');
  return ofRun;
}
