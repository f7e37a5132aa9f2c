/** Limits of sign-ins, sessions and tokens. Sizes in bytes, times in milliseconds. */

/**
 * Wrong tokens: so many at once, then so many a second. A forgotten script is not cut off by its first mistakes, and
 * somebody who guesses tokens gets 86,400 guesses a day from one address. Overall it is more, as real users come from
 * many addresses; it bounds what a botnet costs us.
 */
export const wrongTokensAtOnceMax = 100;
export const wrongTokensPerSecondMax = 1;
export const wrongTokensAtOnceMaxOverall = 1_000;
export const wrongTokensPerSecondMaxOverall = 50;
/** Addresses whose wrong tokens are counted, some 200 bytes each; the one seen longest ago is forgotten first. */
export const wrongTokenAddressesMax = 10_000;
/** Tokens that were right lately, by their hashes: neighbours behind one address do not lock each other out. */
export const rightTokensRememberedMax = 10_000;
/** Wrong tokens in one go after which the audit records them, once until the address has been quiet. */
export const wrongTokensAudited = 10;
/** Rows about wrong tokens, overall: so many at once, then one a minute. */
export const wrongTokenRowsAtOnceMax = 20;
export const wrongTokenRowsPerSecondMax: number = 1 / 60;

/** How often it is written when keys and tokens were used last: for people, to whom a minute is soon. */
export const lastUsedEveryMs = 30_000;
/** The most that an operator may set it to. A session is not swept away before its last use must have been written. */
export const lastUsedEveryMsMax: number = 24 * 3_600_000;
/** Uses written in one transaction, and uses that wait for one: no game uses more keys at once. */
export const lastUsedPerWriteMax = 500;
export const lastUsedRememberedMax = 50_000;

/** A working day: the next morning everybody signs in again, unless the operator sets it otherwise. */
export const sessionHoursDefault = 12;
/** Also the end of every session, used or not: a month. A cookie that was stolen once is not good for ever. */
export const sessionHoursMax: number = 30 * 24;
/** Browsers and machines of one user; a token that a whole team shares is one user, too. */
export const sessionsPerUserMax = 50;
/** Tokens whose sign-ins are counted, some 200 bytes each; the one that signed in longest ago is forgotten first. */
export const signInTokensMax = 10_000;
/** Idle sessions that one sign-in sweeps away: more than it makes, and no long write. */
export const sessionsRemovedAtOnce = 200;
/** A use of a session is written at least this often, so a crash shortens it by no more. */
export const sessionUseEveryMsMax = 300_000;
/** A sign-in is read before anybody is known; the longest token takes a tenth of it, however it is escaped. */
export const sessionBodyBytesMax: number = 16 * 1024;

/** Hours that people who signed in through the OpenID provider stay: their groups are looked at when they sign in. */
export const providedSessionHoursDefault = 10;
/** From the button to the provider and back, with a second factor and a password that has to be found. */
export const attemptMs: number = 10 * 60_000;
/** Attempts of one browser: each tab may have one, and a cookie of up to 3 KiB. Node reads heads of 16 KiB. */
export const attemptsAtOnceMax = 4;
/** One request to the provider. The person waits for it. */
export const providerMsMax = 10_000;
/** A response of the provider. Metadata and keys have some ten kilobytes, an id token with many groups a hundred. */
export const providerBytesMax: number = 1024 * 1024;
/** How long the provider's metadata are used; its keys are asked for at each sign-in. */
export const metadataKeptMs: number = 10 * 60_000;
/** By how much clocks of provider and server may differ. */
export const clockToleranceSeconds = 30;
/** Steps of sign-ins through the provider (there, and back) from one address: so many at once, then so many a second. An office has one address. */
export const providerStepsAtOnceMax = 60;
export const providerStepsPerSecondMax = 1;
/** The same overall: each step may cost the provider three requests. */
export const providerStepsAtOnceMaxOverall = 300;
export const providerStepsPerSecondMaxOverall = 10;
/** Addresses whose steps are counted, some 200 bytes each. */
export const providerStepAddressesMax = 10_000;
/** Spent sign-ins that one sign-in sweeps away: more than it makes. */
export const spentSignInsRemovedAtOnce = 200;
