/** Says which database cannot be used, and why, to an operator who has named it. */
import { certificateHint } from '../store/postgres/certificate-hint.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { codeOf, StoreUnavailable } from '../store/store-errors.js';

export class DatabaseUnreachable extends Error {
  readonly code = 'database_unreachable';
}

/**
 * The first thing that is done with a database of a command.
 * @throws DatabaseUnreachable in the place of StoreUnavailable
 */
export async function reachDatabase<T>(url: DatabaseUrl, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new DatabaseUnreachable(`The database ${url.shown} cannot be used: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** In the words of the database or the system, in which there is no password. Without a full stop. */
export function reasonOf({ cause }: StoreUnavailable): string {
  const hint = certificateHint(cause);
  if (hint !== null) return hint;
  const said = cause instanceof Error ? cause.message : '';
  return said === '' ? codeOf(cause) || 'it does not respond' : said;
}
