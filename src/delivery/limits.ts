/** Every limit of the delivery side, each with its reason. */

const KiB = 1024;
const MiB = 1024 * KiB;

/** Request bodies carry a user id and attributes: 64 KiB is a thousand attributes. Default of --body-bytes-max. */
export const bodyBytesMaxDefault: number = 64 * KiB;

/** Ids in one combine call. Default of --ids-max. */
export const idsMaxDefault = 100;

/**
 * Request line and headers together. 100 percent-encoded ids of 128 characters are 13.5 KB; the rest is
 * for what proxies add. uWebSockets.js reads it from the environment of the process (431 beyond it).
 */
export const headerBytesMax: number = 32 * KiB;

/** One combined answer: 100 of the largest contents would be 3 GiB of memory for one request. */
export const combineBytesMax: number = 128 * MiB;

/** Answers below this are smaller than what compressing them costs either side (CONTRACT: 1 KiB). */
export const gzipBytesMin: number = KiB;

/** Rendered bodies kept by the front end of one delivery process. */
export const renderedBytesMax: number = 256 * MiB;

/** Parsed contents (JSON and its index) kept by one pool worker. */
export const parsedBytesMax: number = 128 * MiB;

/** Keys whose SHA-256 is known. An entry is some 200 bytes; environments have a handful of keys each. */
export const keysVerifiedMax = 10_000;

/** The longest API key that is hashed: ours are 30 characters, given ones may be longer. */
export const keyCharactersMax = 256;

/** Renders waiting for the pool. At ~0.1 ms each this is a second of work; more would time out anyway. */
export const rendersPendingMax = 10_000;

/** One batch to a worker: enough to share the cost of the hop, little enough not to hold back the small ones. */
export const batchTasksMax = 32;
export const batchBytesMax: number = 256 * KiB;

/** How long a request may wait for its body to be rendered before it is refused (503). */
export const renderWaitMsMax = 10_000;

/** How long a request with X-Min-Sequence may wait for that sequence (503 beyond it). */
export const sequenceWaitMsMax = 2_000;

/** How long a draining process waits for requests under way, and for keep-alive callers to move on. */
export const drainMsMax = 10_000;
export const drainIdleMs = 500;

/** Contents compiled in one go while edits are applied: keeps the event loop free in between. */
export const compiledPerTurn = 20;
