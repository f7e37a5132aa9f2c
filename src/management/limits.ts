/** The limits of the management side, each with its reason. Sizes in bytes, times in milliseconds. */

/** What an operator may change. */
export interface ManagementLimits {
  /** One stored text, comments included. */
  readonly textBytesMax: number;
  /** Nesting of a stored text. */
  readonly textLevelsMax: number;
}

/** CONTRACT.md: a stored text may be up to 32 MiB and 1,000 levels deep. */
export const defaultLimits: ManagementLimits = {
  textBytesMax: 32 * 1024 * 1024,
  textLevelsMax: 1_000,
};

/**
 * Nesting up to which texts that are already stored are read: a lower `textLevelsMax` must refuse new
 * texts, not make old ones unreadable. It is also the most that `textLevelsMax` may be set to.
 */
export const storedLevelsMax = 10_000;

/** A few hundred rules with their values; every listener parses it when it starts. */
export const mappingBytesMax = 4 * 1024 * 1024;
/** A JSON Schema of a content. */
export const schemaBytesMax = 256 * 1024;
/** A saved condition: room for a list of some 50,000 tester ids. */
export const segmentBytesMax = 1024 * 1024;
/** Lines of one content: one per app version that needs its own text, not one per release. */
export const linesMax = 100;

/** Names of segments (as in a mapping), users and environments, and labels of keys. */
export const nameCharsMax = 128;
export const environmentIdCharsMax = 64;
export const descriptionCharsMax = 2_000;
export const noteCharsMax = 2_000;
export const tagCharsMax = 64;
export const tagsMax = 32;

/** Every other body of the admin API; the largest is a sync that names all its ids. */
export const bodyBytesMax: number = 2 * 1024 * 1024;

/**
 * Body of a content PUT. A text grows when it is quoted: an escaped quote, backslash or line break is two
 * bytes for one, and no text of a game is made of control characters only, which would be six.
 */
export function contentBodyBytesMax(limits: ManagementLimits): number {
  return 2 * limits.textBytesMax + mappingBytesMax + schemaBytesMax + bodyBytesMax;
}

/** Rows of one listing; more are reached with its `after` parameter. */
export const listRowsMax = 10_000;
export const auditRowsMax = 1_000;
export const auditRowsDefault = 100;
/** Changed JSON pointers shown per line of a diff, and in a whole diff: it is read by people. */
export const pointersPerLineMax = 100;
export const pointersPerDiffMax = 5_000;
/** A slow upload of the largest body over a poor line; beyond it the connection only holds memory. */
export const requestMsMax = 300_000;

/** Ids that a sync may name; without ids it takes all. */
export const syncIdsMax = 10_000;

/** A key of its maker's own choice: 22 characters of 64 kinds are 132 bits when they are random. */
export const givenKeyCharsMin = 22;
export const givenKeyCharsMax = 128;
/** LOADOUT_ADMIN_TOKEN is its owner's business; below this it is a slip, not a token. */
export const givenTokenCharsMin = 8;
export const givenTokenCharsMax = 256;

/**
 * Workers for heavy edits, and their heaps: a text of 32 MiB with its values as objects fits. They end when they have
 * had nothing to do for a while.
 */
export const workThreads = 2;
export const workerHeapMegabytesMax = 1_024;
export const workIdleMsMax = 30_000;

/** Another connection holds the database only for a moment (a backup, an operator's shell). */
export const storeBusyMs = 5_000;

/** A listener that takes longer to take over an edit hangs: a large import takes it a second or two. */
export const acknowledgeMsMax = 15_000;
/** A draining process answers what it has (delivery allows itself 10 s); then it is ended. */
export const drainMsMax = 15_000;
/** A scrape of /metrics does not wait for a listener that is stuck. */
export const measureMsMax = 2_000;
/** A process that cannot start is tried again at least this often. */
export const restartDelayMsMax = 5_000;
/** Processes of one slot that end one after the other before any serves: the start is given up. */
export const startFailuresMax = 3;
/** How soon what could not be published is tried again: at first, and at least. */
export const publishRetryMsMin = 100;
export const publishRetryMsMax = 5_000;
/** An admin request under way may end before the server does; a caller that sends nothing is cut off. */
export const adminCloseMsMax = 5_000;
/** Changes that the store's log keeps for a published.db that is behind; beyond it, that is rebuilt. */
export const changesKept = 100_000;
/** Published sequences after which what is beyond that is removed: rarely, as it is a write. */
export const changesPruneEvery = 1_000;
/** How long a port may still be held by the listeners of a control process that was just killed. */
export const portFreeMsMax = 3_000;
