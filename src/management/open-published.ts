/** Opens published.db at the start of a server, and makes it anew where it is damaged. */
import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import { BetterSqlite3 } from '../published/sqlite-driver.js';
import { PublishedDamaged, PublishedWriter } from '../published/writer.js';

/**
 * Nothing is in published.db that the store cannot give again, so a damaged one is deleted. At the start only:
 * later there are listeners that have it open.
 */
export function openPublished(path: string, log: Logger): PublishedWriter {
  try {
    return new PublishedWriter(path, Date.now);
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.error({ err: error, path }, 'published.db is damaged; it is made anew from the store');
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    return new PublishedWriter(path, Date.now);
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof PublishedDamaged) return true;
  if (!(error instanceof BetterSqlite3.SqliteError)) return false;
  return error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT');
}
