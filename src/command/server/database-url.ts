/** The address of a database as it was typed; one that cannot be read is wrong usage. */

import type { DatabaseUrl } from '../../management/store/postgres/url.js';
import { misuse } from '../terminal/failure.js';

const startsAsDatabase = /^postgres(ql)?:\/\//;

/** Whether the text is meant as the address of a database, and not as a folder. */
export function isDatabaseUrl(text: string): boolean {
  return startsAsDatabase.test(text);
}

/** @throws CommandFailure */
export async function readDatabaseUrl(text: string): Promise<DatabaseUrl> {
  const { DatabaseUrlInvalid, parseDatabaseUrl } = await import(
    '../../management/store/postgres/url.js'
  );
  try {
    return parseDatabaseUrl(text);
  } catch (error) {
    throw error instanceof DatabaseUrlInvalid ? misuse(error.message) : error;
  }
}
