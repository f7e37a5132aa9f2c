/** Copies a store beside itself before this version changes its schema: an older version can go on with the copy. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withDatabase } from '../../published/sqlite-driver.js';
import { ServeRejected } from '../serve-rejected.js';
import { schemaNewest } from '../store/migrate.js';
import { copyStore } from './backup.js';

/**
 * Only the copy before the newest upgrade is kept, so the copies never take more room than the store does.
 * @param scratch a name for the copy while it is made
 * @returns the copy, or null when the store is of this version's schema, of a newer one, or new
 * @throws ServeRejected when there is no room for it: nothing was changed then
 */
export async function copyBeforeUpgrade(
  storePath: string,
  scratch: string,
): Promise<string | null> {
  const found = schemaOf(storePath);
  if (found === null || found >= schemaNewest) return null;
  const folder = dirname(storePath);
  const prefix = `${basename(storePath)}.before-`;
  const copy = join(folder, `${prefix}${schemaNewest}`);
  try {
    await copyStore(storePath, scratch);
  } catch (cause) {
    throw new ServeRejected(
      `The store is of an older version and is copied before it is upgraded, which failed: ${cause instanceof Error ? cause.message : cause}. Make room in ${folder} for a second store.db.`,
      { cause },
    );
  }
  renameSync(scratch, copy);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && path !== copy) rmSync(path, { force: true });
  }
  return copy;
}

/** The schema step of a store; null when there is none yet. */
function schemaOf(storePath: string): number | null {
  if (!existsSync(storePath)) return null;
  return withDatabase(storePath, (db) => {
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get();
    if (table === undefined) return null;
    const newest = db.prepare<[], number | null>('SELECT max(version) FROM schema_version');
    return newest.pluck().get() ?? null;
  });
}
