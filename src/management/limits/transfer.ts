/** Limits of exports, imports and syncs. Sizes in bytes, times in milliseconds. */
import { contentBodyBytesMax, type ManagementLimits } from './bodies.js';

/** One line of an import or export: a content with several large texts, which grow when they are quoted. */
export function transferLineBytesMax(limits: ManagementLimits): number {
  return 2 * contentBodyBytesMax(limits);
}
/** Lines up to this need no room of their own: a batch and one such line are little beside what an import takes anyway. */
export const importLineBytesFree: number = 2 * 1024 * 1024;
/** A whole import: 10,000 contents of 10 KB are 100 MB; what is far beyond is not a game's configuration. */
export const importBytesMax: number = 4 * 1024 * 1024 * 1024;
export const importContentsMax = 100_000;
/** What an import holds in memory until its transaction: descriptions, tags, schemas and conditions, not texts. */
export const importFactsBytesMax: number = 64 * 1024 * 1024;
/** Lines that travel to a worker together: enough to make the hop cheap, little enough to be done in some 10 ms. */
export const importBatchBytes: number = 256 * 1024;
/**
 * Batches of an import at the workers. With one, a core stays free for players: on two cores p99 beside an import of
 * 10,000 contents was 3 times that without it instead of 4 to 5, and the import took no longer.
 */
export const importBatchesAtOnce = 1;
/** Texts of an import that are stored in one write, ahead of the import's own: other edits wait that long. */
export const textBytesPerStage: number = 1024 * 1024;
export const textsPerStage = 200;
/** An import whose server was killed cannot say that it has ended. One that goes on is over long before (`requestMsMax`). */
export const stagedTextsMsMax: number = 60 * 60_000;
/** Ids of each kind that the audit of a sync or import names; the rest is in the history of the contents. */
export const changesAuditedMax = 1_000;
/** An export whose reader takes nothing for so long is ended: its snapshot keeps the store's log from being cut. */
export const exportStalledMsMax = 30_000;

/** A sync is checked ahead of its transaction; when the environments moved meanwhile, it is checked so often. */
export const syncTriesMax = 3;
/** Texts that an edit of many content items holds until they are stored: 1,000 items of 64 KB. */
export const editTextsBytesMax: number = 64 * 1024 * 1024;
/** Warnings shown for one of many items: people look at the items before they look at each. */
export const editWarningsMax = 10;
/** Of a segment's condition before and after, in a response for people. */
export const conditionShownCharsMax = 500;
