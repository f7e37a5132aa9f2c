/** Limits of housekeeping, text checks and backups. Sizes in bytes, times in milliseconds. */

/** A season's worth of time to notice that a deleted content is missed. */
export const deletedDaysKeptDefault = 90;
/** Housekeeping looks at this many rows at a time: some milliseconds of reading. */
export const housekeepingRowsPerPage = 500;
/** And removes this much in one write, so that an edit that comes meanwhile waits for milliseconds. */
export const housekeepingRowsPerWrite = 200;
export const housekeepingTextBytesPerWrite: number = 4 * 1024 * 1024;
/** How long it then leaves the store to others. */
export const housekeepingPauseMs = 20;
/** It begins when a start has settled, and comes back often enough that no run has much to do. */
export const housekeepingFirstMs = 60_000;
export const housekeepingEveryMs: number = 60 * 60_000;
/** A run that somebody waits for ends early, well before their HTTP client gives up, and is asked for again. */
export const housekeepingAskedMsMax = 20_000;
/** Ids of removed contents that its audit row names. */
export const housekeepingIdsNamedMax = 100;

/**
 * The texts of the store are compared with their digests in steps: 1 MiB takes some 2 ms to read and to hash, so with the
 * pause after it a pass takes 2 % of a core, and 10 GiB half an hour.
 */
export const textCheckBytesPerStep: number = 1024 * 1024;
export const textCheckRowsPerStep = 200;
export const textCheckPauseMs = 100;
/** It begins when a start has settled, and comes round once a day: backups of before the damage are younger than that. */
export const textCheckFirstMs = 60_000;
export const textCheckEveryMs: number = 24 * 3_600_000;
/** Contents that are named for one damaged text. */
export const textCheckNamesMax = 10;

/** 4 MiB of the store at a time: a backup reports its progress in between. */
export const backupPagesPerStep = 1_024;
