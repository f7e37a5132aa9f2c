/** Limits of bodies of the admin API and of the texts in them. Sizes in bytes, times in milliseconds. */
import { mappingBytesMax, schemaBytesMax } from '../../contract/limits.js';

/** What an operator may change. */
export interface ManagementLimits {
  /** One stored text, comments included. */
  readonly textBytesMax: number;
  /** Nesting of a stored text. */
  readonly textLevelsMax: number;
}

/** docs/delivery-api.md: a stored text may be up to 32 MiB and 1,000 levels deep. */
export const defaultLimits: ManagementLimits = {
  textBytesMax: 32 * 1024 * 1024,
  textLevelsMax: 1_000,
};

/**
 * Nesting up to which texts that are already stored are read: a lower `textLevelsMax` must reject new
 * texts, not make old ones unreadable. It is also the most that `textLevelsMax` may be set to.
 */
export const storedLevelsMax = 10_000;

/** All texts of one state: checking it holds them in memory at once, and so does a delivery process that serves them. */
export const stateBytesMax: number = 256 * 1024 * 1024;

/** Every other body of the admin API; the largest is a sync that names all its ids. */
export const bodyBytesMax: number = 2 * 1024 * 1024;

/**
 * Body of a content PUT. A text grows when it is quoted: an escaped quote, backslash or line break is two
 * bytes for one, and no text of a game is made of control characters only, which would be six.
 */
export function contentBodyBytesMax(limits: ManagementLimits): number {
  return 2 * limits.textBytesMax + mappingBytesMax + schemaBytesMax + bodyBytesMax;
}

/**
 * Bodies up to this take no share of the memory for bodies: most edits, which must wait for nothing. The descriptors of
 * the process bound how many there are, and only requests with a valid token get so far.
 */
export const bodyBytesFree: number = 256 * 1024;
/** Bodies of the size that every route takes, together: 16 of the largest at a time, each done within a fraction of a second. */
export const ordinaryBodiesBytesMax: number = 32 * 1024 * 1024;
/**
 * Larger bodies together: two saves of 52 MB, as many as there are workers to check them. Each takes some five times its
 * size: the body, its text, the text of the content and a worker's copies.
 */
export const largeBodiesBytesMax: number = 128 * 1024 * 1024;
/** Requests that wait for room for their body, of either size: a connection and a few kilobytes each. */
export const bodyWaitersMax = 128;
/** How long they wait: 48 saves of 52 MB take one to two minutes on two cores. Well below `requestMsMax`. */
export const bodyWaitMsMax = 180_000;
/**
 * A body that has room, while others wait for it: without a byte for this long, or later than its size takes at 8 Mbit/s
 * and a grace, it is rejected. Where no other request waits, a slow line has the time of `requestMsMax`.
 */
export const bodyStalledMsMax = 10_000;
export const bodyGraceMsMax = 10_000;
export const bodyBytesPerSecondMin: number = 1024 * 1024;
/** When a client that was rejected for overload may retry: by then several large saves are done. */
export const overloadedRetrySeconds = 10;
export const pointersPerDiffMax = 5_000;
/** A slow upload of the largest body over a poor line; beyond it the connection only holds memory. */
export const requestMsMax = 300_000;
