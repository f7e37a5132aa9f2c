/** Limits of the worker threads and of checks. Sizes in bytes, times in milliseconds. */

/**
 * Workers for heavy edits, and their heaps: a text of 32 MiB with its values as objects fits. They end when they have
 * had nothing to do for a while.
 */
export const workThreads = 2;
export const workerHeapMegabytesMax = 1_024;
/**
 * Workers of the checks against schemas, apart from the others: a slow schema delays only edits with schemas,
 * and one slow schema leaves the second worker to these.
 */
export const schemaThreads = 2;
/** Checks against schemas that wait, and for how long: three that are ended for taking too long, one after the other. */
export const schemaChecksWaitingMax = 32;
export const schemaCheckWaitMsMax = 30_000;
/**
 * A state is validated before its transaction. If it was edited in between, it is validated within, where every other write
 * waits for it: only for this long, worker start included.
 */
export const validateInWriteMsMax = 2_000;
export const workIdleMsMax = 30_000;
/** Input from which an edit's work goes to a worker: below it takes a millisecond or two, which a hop would cost too. */
export const heavyBytesMin: number = 64 * 1024;
/** Both texts of a diff that is made at once: looking for the shortest one takes the square of what differs. */
export const diffHereBytesMax: number = 8 * 1024;
/** A task of a worker that takes longer is ended: the largest text with its mapping takes a few seconds. */
export const workMsMax = 60_000;
/**
 * The same for a check against a JSON Schema: a pattern that backtracks would never end. Large lines are parsed again for
 * each rule, which takes a sound schema its time.
 */
export const schemaCheckMsMax = 10_000;
export const schemaCheckMsPerMegabyte = 500;
/** Results of validation that are kept, so that what was checked ahead of a transaction is not checked again in it. */
export const validationsKeptMax = 500;
/** Findings that are kept for the same reason: some ten kilobytes each at most. */
export const findingsKeptMax = 500;
/** Findings that a response lists as warnings: a person reads no more, and the first ones show what is wrong. */
export const findingsShownMax = 5;
/** `maxChange` of a guard compares with what was live so long ago: a change in many small steps is one change. */
export const msPerDay: number = 24 * 60 * 60 * 1_000;
/** Findings of one sync or import that are kept whole: more than a person reads before confirming. */
export const findingsPerWriteMax = 10_000;
/** The result "takes too long" is kept for as long as its own edit needs it, and some that repeat it at once. */
export const tooCostlyKeptMs = 30_000;
/** Issues and warnings of one kind that a response lists: an author corrects the first ones and tries again. */
export const faultsShownMax = 100;
/** Saves that a conflict lists, the newest ones: an author who is further behind must read the history anyway. */
export const betweenShownMax = 20;
