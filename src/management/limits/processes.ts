/** Limits of delivery processes and of publishing to them. Sizes in bytes, times in milliseconds. */

/** A delivery process that takes longer to load an edit hangs: a large import takes it a second or two. */
export const acknowledgeMsMax = 15_000;
/** A delivery process closes a damaged published.db at once, but for a body that a worker is making. */
export const releaseMsMax = 5_000;
/** How soon a published.db that is damaged again is made again: at first, and at least while damage goes on. */
export const repairAgainMsMin = 1_000;
export const repairAgainMsMax = 60_000;
/** A store that is damaged itself cannot give a sound published.db: it is asked again this often. */
export const repairStoreDamagedMs: number = 10 * 60_000;
/** And then the response is sent, also when the store hangs as it is read. */
export const fleetResponseMsMax = 12_000;
/** A scrape of /metrics does not wait for a store that is slow: it shows what was known of it last. */
export const storeGaugesMsMax = 1_000;
/** The same of a disk that is slow. */
export const fileGaugesMsMax = 1_000;
/** A caller of the metrics port that has not sent its request by then is disconnected. */
export const scrapeMsMax = 10_000;
/** A draining process finishes the requests it has (delivery allows itself 10 s); then it is ended. */
export const drainMsMax = 15_000;
/** A scrape of /metrics does not wait for a delivery process that is stuck. */
export const measureMsMax = 2_000;
/** A certificate with its chain is some 5 KB, a key 3 KB: what is larger is another file, named by mistake. */
export const certificateBytesMax: number = 1024 * 1024;
/** A renewal tool writes the certificate and the key one after the other, within milliseconds: a reload waits this long for both. */
export const certificateSettleMsMax = 2_000;
export const certificateSettleRetryMs = 100;
/** A process that cannot start is tried again at least this often. */
export const restartDelayMsMax = 5_000;
/** Processes of one slot that end one after the other before any serves: the start is given up. */
export const startFailuresMax = 3;
/** How soon what could not be published is tried again: at first, and at least. */
export const publishRetryMsMin = 100;
export const publishRetryMsMax = 5_000;
/** An admin request under way may end before the server does; a caller that sends nothing is cut off. */
export const adminCloseMsMax = 5_000;
/** Changes that are published in one turn; more are read and written bit by bit, with other work in between. */
export const changesAtOnceMax = 100;
/** Changes that the store's log keeps for a published.db that is behind; beyond it, that is rebuilt. */
export const changesKept = 100_000;
/** Published sequences after which what is beyond that is removed: rarely, as it is a write. */
export const changesPruneEvery = 1_000;
/** How long a port may still be held by the delivery processes of a control process that was just killed. */
export const portFreeMsMax = 3_000;
