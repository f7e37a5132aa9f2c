/** Before and after all tests: one PostgreSQL server that they share, and a template for those that need their own. */
import type { TestProject } from 'vitest/node';
import { postgresStore } from '../../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../../src/management/store/postgres/url.js';
import { Store } from '../../../src/management/store/store.js';
import { findPostgres } from './binaries.js';
import { initData, PostgresCluster } from './cluster.js';
import { createDatabase, databaseUrl } from './database.js';
import { PostgresFolder } from './folder.js';

/** Called by vitest; what it answers is called when the run has ended, however it ended. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const bin = findPostgres();
  if (bin === null) {
    if (process.env['CI'] !== undefined) {
      throw new Error('There is no PostgreSQL of version 15 or newer: .ci/run installs it.');
    }
    console.warn(
      'No PostgreSQL 15 or newer found (LOADOUT_POSTGRES names its bin folder): tests on it skipped.',
    );
    project.provide('postgres', null);
    return undefined;
  }
  const folder = new PostgresFolder(bin);
  try {
    await initData(folder);
    const template = folder.data;
    const { port } = await PostgresCluster.start({ bin, template });
    const prepared = await prepare(port);
    project.provide('postgres', { bin, template, port, prepared });
  } catch (fault) {
    await folder.end();
    throw fault;
  }
  return async () => {
    await PostgresCluster.endAll();
    await folder.end();
  };
}

/** A database with the schema in it, for others to be copied from. */
async function prepare(port: number): Promise<string> {
  const name = await createDatabase(port);
  const store = await Store.open(
    postgresStore(parseDatabaseUrl(databaseUrl(name, port))),
    Date.now,
  );
  await store.close();
  return name;
}
