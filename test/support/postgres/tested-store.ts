/**
 * Which store the tests of this run are about. On PostgreSQL the path of a data folder or of a store's file stands for a
 * database of its own: the same path is the same database, so that what is opened or started again finds what it left.
 */
import { emptyDatabase, preparedDatabase } from './postgres.js';

/** Whether it is PostgreSQL; else it is the embedded one. */
export const onPostgres: boolean = process.env['LOADOUT_TEST_STORE'] === 'postgres';

const inUse = new Map<string, Promise<string>>();
/** A database that was emptied is there at once; a new one takes four times as long. */
const left: string[] = [];

/** The address of the database that stands for a path; an empty one for a path that is new. */
export function databaseAt(path: string): Promise<string> {
  const known = inUse.get(path);
  if (known !== undefined) return known;
  const url = takeDatabase();
  inUse.set(path, url);
  return url;
}

/** Nobody uses the path any more, nor is connected to its database: another path may get it. */
export async function leaveDatabase(path: string): Promise<void> {
  const url = inUse.get(path);
  inUse.delete(path);
  if (url !== undefined) left.push(await url);
}

async function takeDatabase(): Promise<string> {
  const url = left.pop();
  if (url === undefined) return preparedDatabase();
  await emptyDatabase(new URL(url).pathname.slice(1));
  return url;
}
