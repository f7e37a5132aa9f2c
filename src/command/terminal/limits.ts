/** The limits of the command line, each with its reason. */

/** Files and standard input. Well above the server's own limit of 32 MiB for a text (which an operator may raise), and below what one string of the engine holds. */
export const inputBytesMax: number = 256 * 1024 * 1024;

/** Responses of the admin API: a content with several large lines arrives in one piece. */
export const responseBytesMax: number = 256 * 1024 * 1024;

/** Nesting of a mapping or condition file; the server has the same default for contents. */
export const inputLevelsMax = 1000;

/** Work shorter than this shows no progress: a line that flashes by only distracts. */
export const progressAfterMs = 1000;
/** A share that changes faster cannot be read. */
export const progressEveryMs = 200;

/** Pages of one listing. A page has up to 10,000 contents, so only a faulty server exceeds this. */
export const listPagesMax = 1000;

/** Revisions listed without `--limit`: older ones are rarely needed. */
export const revisionsShownDefault = 20;
export const revisionsShownMax = 10_000;

/** Audit events listed without `--limit`; `--all` lists all. */
export const auditShownDefault = 50;
export const auditShownMax = 1_000;

/** Deliveries of a webhook listed without `--limit`; the maximum is the server's. */
export const deliveriesShownDefault = 20;
export const deliveriesShownMax = 1_000;

/** How long a file must be left alone before it is read again: editors write in several steps. In milliseconds. */
export const settleMs = 50;

/** Of an export, as much as is handled in one go before the progress is shown again. */
export const exportBatchBytes: number = 256 * 1024;

/** Releases listed without `--limit`; the maximum is the server's. */
export const releasesShownDefault = 20;

/** How often a release that is followed is looked at: a step lasts minutes, and people watch the counts. In milliseconds. */
export const followEveryMs = 1000;

/** How long the server of a release that is followed may be out of reach: an upgrade takes less. In milliseconds. */
export const followOutageMsMax: number = 5 * 60_000;
