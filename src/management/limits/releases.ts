/** Limits of releases and their brakes. Sizes in bytes, times in milliseconds. */

/**
 * Users of one step of a ramp that are counted, of both slices together: a fault of 2 in 100 shows with a tenth of them. 20 MB
 * of rows. Of more users, those with the lower hashes are counted.
 */
export const countedUsersMax: number = 2 ** 17;
/** Of one client network: 2 % of a slice. */
export const countedUsersPerNetworkMax: number = Math.floor(countedUsersMax / 100);
/** Users in one write. */
export const countedUsersPerWriteMax = 5_000;
/** Users that wait for a write, while the store is away for instance: some 30 MB. Later reports are dropped. */
export const countedUsersWaitingMax = 100_000;
/** How often users that delivery processes have reported are written. */
export const countedUsersEveryMs = 2_000;
/**
 * How often a healthy start is written whose start is not there yet: another delivery process, or another node, reports the
 * start, and each of them has up to `countedUsersEveryMs` for it.
 */
export const receiptTriesMax = 3;
/** Reports are on their way for so long, and clocks of a fleet differ: only then a player's time has passed. */
export const receiptGraceMs = 30_000;
/** Users of ramps that are over: looked for so often, and removed so many at a time. */
export const countedUsersPruneEveryMs: number = 10 * 60_000;
export const countedUsersRemovedAtOnce = 2_000;
/** Issues that the check of a release names: people correct them one after the other. */
export const releaseIssuesMax = 100;
/** How late a release starts or takes its step at most, beside the work itself. A look costs one query. */
export const releaseLookEveryMs = 1_000;
/** Brakes count users and ask other servers: often enough to stop within seconds. */
export const brakeLookEveryMs = 5_000;
/** A query of a brake: Prometheus is near, and a slower one must not be asked twice at a time. */
export const prometheusMsMax = 5_000;
/** A query for a brake has a handful of samples; each takes some 200 bytes with its labels. */
export const prometheusResponseBytesMax: number = 1024 * 1024;
export const prometheusTokenBytesMax: number = 16 * 1024;
/** How often the query of a ramp is asked: Prometheus scrapes no more often. */
export const queryEveryMs = 5_000;
/** Of all ramps. */
export const queriesAtOnceMax = 20;
/** Two results that are further apart say nothing of the time between them. */
export const queryGapMsMax = 60_000;
/** A ramp that was not looked at for so long is over, or another server leads. */
export const watchForgottenMs: number = 10 * 60_000;
