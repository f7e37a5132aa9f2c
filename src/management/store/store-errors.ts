/** Says which errors mean that the store cannot work now, and in which words: the disk, the database, the way to it. */

/** The store cannot read or write now. Nothing of a write was kept, unless it says otherwise. */
export class StoreUnavailable extends Error {
  readonly code = 'store_unavailable';

  constructor(cause: unknown, message = 'The store cannot write: its disk is full or fails.') {
    super(message, { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The connection was lost while the database committed: look whether it was kept before you repeat it. */
export class WriteInDoubt extends StoreUnavailable {
  constructor(cause: unknown) {
    super(
      cause,
      'The database did not confirm the write: it may have been kept or not. Look before you repeat it.',
    );
    this.name = 'WriteInDoubt';
  }
}

/** What the store holds is not what was written to it. The message says what to do. */
export class StoreDamaged extends StoreUnavailable {
  /** @param remedy the operator's next step */
  constructor(place: string, what: string, remedy: string, cause?: unknown) {
    super(cause, `${place} is damaged (${what}): ${remedy}`);
    this.name = 'StoreDamaged';
  }
}

/**
 * A newer version has begun to use the store, and what this one would write would lack something: it goes on reading. Or
 * this one is the newer, and has to wait for the others.
 */
export class UpgradeInProgress extends Error {
  readonly code = 'upgrade_in_progress';

  /** @param older names of servers of older versions that this one waits for; left out: this one is the older */
  constructor(older: readonly string[] = []) {
    super(
      older.length === 0
        ? 'The database is used by a newer version of Loadout: this server takes no edits any more. Send them to one that is upgraded, or upgrade this one.'
        : `Servers of an older version share the database, and do not know what this would save: upgrade or stop ${older.join(', ')} first.`,
    );
    this.name = 'UpgradeInProgress';
  }
}

/** A text of the store is not the one that was saved: its digest is another. */
export class TextDamaged extends Error {
  /** @param usedBy `environment/id` of what it was read for */
  constructor(digest: string, usedBy: string) {
    super(`text ${digest} of ${usedBy} is not what was saved`);
    this.name = 'TextDamaged';
  }
}

/** Whether SQLite says that the file is not what it wrote. */
export function isFileDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** By SQLite's codes, which no driver wraps, and the system's. */
export function isDiskError(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code.startsWith('SQLITE_FULL') ||
    code.startsWith('SQLITE_IOERR') ||
    code === 'ENOSPC' ||
    code === 'EDQUOT'
  );
}

/** What the database said, or the system that could not reach it. Empty: neither. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Data of PostgreSQL is put back by its own means. */
export const databaseRemedy =
  'restore it from a backup of its own, or bring a backup of Loadout into a new database with "loadout restore" and "loadout migrate".';

const away =
  'The database does not respond. Players are served what was published last; try again when it is back.';

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) after which the same statement may well succeed later. The words are
 * for people; nothing of the database's own text is in them.
 */
const passing: readonly (readonly [code: string, message: string])[] = [
  ['08', away],
  ['53', 'The database has no resources left: its disk is full, or it has too many connections.'],
  ['57P', away],
  ['58', 'The database cannot read or write its disk.'],
  ['25006', 'The database takes no writes: it is a standby.'],
  ['25P03', 'The database ended the transaction, because it was left alone for too long.'],
  // As while another database takes its place (docs/operating.md): ALTER DATABASE … ALLOW_CONNECTIONS false.
  ['55000', 'The database takes no connections.'],
  ['55P03', 'Another write takes long. Nothing was changed; try again in a moment.'],
  // Another version of Loadout has changed a table under a plan that the connection kept.
  ['0A000', away],
  ['42P01', 'The database has no tables of Loadout: is it the right one?'],
  ['40', 'The database gave the transaction up for another one. Nothing was changed; try again.'],
  ['28', 'The database rejects the user or the password that the server was given.'],
  ['3D', 'There is no database of the name that the server was given.'],
];

/** Of the system's own codes EPIPE is as long; no class of SQLSTATE begins with E. */
const sqlState = /^(?!E[A-Z]{4}$)[0-9A-Z]{5}$/;

/**
 * The error as callers of the store are to see it.
 * @param error what `pg` threw
 */
export function postgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error;
  // A mistake of ours, or of the operator: waiting does not help.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (codeOf(error) === 'encoding_unusable') return error;
  const code = codeOf(error);
  if (code === 'XX001' || code === 'XX002') {
    return new StoreDamaged('The database', error.message, databaseRemedy, error);
  }
  // Without a SQLSTATE it never came from the database: the connection is broken, or nothing responds.
  if (!sqlState.test(code)) return new StoreUnavailable(error, away);
  const found = passing.find(([prefix]) => code.startsWith(prefix));
  return found === undefined ? error : new StoreUnavailable(error, found[1]);
}

/** Whether the connection that this happened on is of no more use. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return (
    !sqlState.test(code) ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    code === '0A000' ||
    code === '25006' ||
    code === '25P03'
  );
}
