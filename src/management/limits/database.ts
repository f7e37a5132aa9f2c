/** Limits of reads of the store, of connections to a database, and of moving a store. Sizes in bytes, times in milliseconds. */

/** Contents that a listing reads at a time: some 10 ms, and then others have their turn. */
export const contentsPerRead = 500;
/** The same of deleted ones, where each takes one more query, for the user that deleted it. */
export const deletedContentsPerRead = 50;

/** Another connection holds the database only for a moment (a backup, an operator's shell). */
export const storeBusyMs = 5_000;

/**
 * PostgreSQL: connections of one node that write and that read, besides one that listens and one that follows. Writes take
 * turns anyway; a node has 20 at most, with its exports, and mostly three.
 */
export const databaseWritersMax = 3;
export const databaseReadersMax = 4;
/** Statements whose plans the server keeps for the connections that follow the log: these are a dozen. */
export const databasePlansMax = 64;
/** Idle connections are closed after this. */
export const databaseIdleMs = 60_000;
/** A host that does not respond in this time is skipped for the next one. */
export const databaseConnectMsMax = 5_000;
/**
 * A write waits this long for the write of another: an import's own transaction takes some seconds. PostgreSQL counts
 * twice, in the queue for the row and then for its holder: together less than a query may take.
 */
export const databaseLockMsMax = 7_000;
/** No statement takes as long, except a commit whose standby is away: then the response says that it is in doubt. */
export const databaseQueryMsMax = 15_000;
/** A node that stops in the middle of a write is cut off, so that the others can go on. */
export const databaseIdleInTransactionMsMax = 30_000;

/** A store is moved to another database in pages of so many rows, and of so many bytes unless one row alone has more. */
export const copyPageRowsMax = 500;
export const copyPageBytesMax: number = 8 * 1024 * 1024;
/** Rows that one query counts: some tens of milliseconds, where a count of millions might take longer than a query may. */
export const copyCountedAtOnce = 100_000;
