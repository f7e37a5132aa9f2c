/** Tells a damaged published.db from one that cannot be read or written for now. */

/** The file does not hold what was written to it. The store has all of it: the file is to be made from it again. */
export class PublishedDamaged extends Error {
  readonly code = 'published_damaged';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PublishedDamaged';
  }
}

/**
 * SQLite's codes for a file that is not what it wrote: malformed pages; another file, or none, in its place; a schema or
 * a row that breaks its own rules; an end that is missing.
 */
const damageCodes = [
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_FORMAT',
  'SQLITE_CANTOPEN',
  'SQLITE_ERROR',
  'SQLITE_CONSTRAINT',
  'SQLITE_MISMATCH',
  'SQLITE_IOERR_SHORT_READ',
];

export function isPublishedDamage(error: unknown): boolean {
  if (error instanceof PublishedDamaged) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  return damageCodes.some((prefix) => code.startsWith(prefix));
}

/** Runs what reads or writes the file; what shows that it is damaged is thrown as `PublishedDamaged`. */
export function findingDamage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw damageOf(error);
  }
}

/** The error, or what it says of the file. */
export function damageOf(error: unknown): unknown {
  if (error instanceof PublishedDamaged || !isPublishedDamage(error)) return error;
  const { message, code } = error as Error & { readonly code: string };
  return new PublishedDamaged(`published.db is damaged: ${message} (${code}).`, error);
}
