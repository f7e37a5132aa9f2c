/** Limits of servers that share a store. Sizes in bytes, times in milliseconds. */

/** How often a server says that it lives, and asks for the lock of the background work: one small row each time. */
export const sessionBeatMs = 2_000;
/** The way back to a database that was lost: soon at first, then this often, each server at another moment. */
export const sessionRetryMsMin = 100;
export const sessionRetryMsMax = 2_000;
/** A server that was not seen for five beats is not waited for. */
export const nodeLiveMs = 10_000;
/** A day: each working day's team sees in the console that somebody published without approvals. */
export const emergencyShownMs: number = 24 * 3_600_000;
/** A server whose clock differs more from the store's warns: windows open at another time there. */
export const clockSkewMsMax = 1_000;
/** How often the clocks are compared, in beats. */
export const clockEveryBeats = 15;
/** How often it is looked whether servers of an older version are gone. */
export const upgradeLookEveryMs = 5_000;
/**
 * Beats under our node id by which another server is known to be alive. One alone may be a last one of a session that is
 * lost, which a network delivered late.
 */
export const nodeIdContestBeats = 2;
/**
 * A server that was seen within three beats counts as having reached what it acknowledged: one that stopped since, while
 * others are waited for, is named as missing.
 */
export const acknowledgedFreshMs = 6_000;
/** And is no longer shown after a day. */
export const nodeForgottenMs: number = 24 * 3_600_000;
/** How often acknowledgements of an edit are read, beside notifications. */
export const fleetAskEveryMs = 250;
/** How often the change log is read without a notification: a missed one delays a change by this. */
export const pollEveryMs = 2_000;
/** The same for a replica, which cannot notify: one small read of one row. */
export const replicaPollEveryMs = 200;
/** A replica that did not respond is not tried again before this: finding out takes seconds where packets vanish. */
export const replicaAwayMs = 30_000;
