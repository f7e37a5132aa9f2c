/** Limits of evaluations, previews and listings of rules. Sizes in bytes, times in milliseconds. */

/** Names of attributes that are known of an environment's requests: games send a few dozen, and people look through them. */
export const seenAttributesMax = 500;
/** A name that no request has carried for this long is forgotten: a season's attribute comes back within it. */
export const seenAttributesKeptMs: number = 90 * 24 * 3_600_000;
/** Frequent values that are kept of one attribute, and after how long a count is worth half. */
export const seenValuesMax = 20;
export const seenValuesHalfMs: number = 14 * 24 * 3_600_000;
/** How often it is looked whether there are such names, and how many one write removes. */
export const seenAttributesPruneEveryMs: number = 24 * 3_600_000;
export const seenAttributesPerRemoval = 200;
/** Contexts of recent requests that an environment has at most, for how long, and of all environments together. */
export const sampledContextsMax = 10_000;
export const sampledContextsKeptMs: number = 24 * 3_600_000;
export const sampledContextsBytesMax: number = 64 * 1024 * 1024;
/** How often it is looked whether environments still keep them: other servers of a fleet may have switched it off. */
export const sampledContextsCheckEveryMs = 60_000;
/** Environments whose names wait for the store at once; what comes beyond them is reported again the next day. */
export const seenEnvironmentsMax = 10_000;
/** Names of attributes in conditions and sample users that are remembered, in characters: each text is parsed once. */
export const attributesKeptCharsMax: number = 8 * 1024 * 1024;
/**
 * How long a save looks for other uses of an attribute: reading the conditions of thousands of contents for the first
 * time takes seconds. Beyond it the warning is left out, and what was read is known to the next save.
 */
export const attributesLookMsMax = 2_000;
/** Attributes that one listing shows, and the places that it names for each. */
export const attributesShownMax = 2_000;

/** Operands that an explanation names where no single one decided: a person reads the first few. */
export const decidersMax = 8;
/** Contexts that a comparison of two conditions names for each direction. */
export const segmentExamplesMax = 10;
/** A/B tests and variants that one listing shows, and their bytes: a map of more cannot be read. */
export const abTestsShownMax = 10_000;
export const abTestVariantsShownMax = 100_000;
export const abTestsShownBytesMax: number = 8 * 1024 * 1024;
/** Tests that are remembered, by their bytes as JSON; the objects take a few times as much. */
export const abTestsKeptBytesMax: number = 16 * 1024 * 1024;
/** What is remembered of interfering tests, by its bytes as JSON; a mapping whose tests do not interfere takes some 200. */
export const interferenceKeptBytesMax: number = 8 * 1024 * 1024;
/** Contents with several tests of which one map is made: each is a task of some milliseconds. */
export const interferenceMappingsMax = 2_000;
export const interferencePathsShownMax = 20;
/** What is remembered of mappings for calendars, by its bytes as JSON; a mapping without windows takes some 200. */
export const calendarKeptBytesMax: number = 16 * 1024 * 1024;
/** Contexts of one preview together: 1.6 KiB for each of the most there may be. */
export const previewContextsBytesMax: number = 16 * 1024 * 1024;
/** Stored texts that one preview may need: a worker holds each twice, and their results. */
export const previewTextBytesMax: number = 128 * 1024 * 1024;
/** Faulty contexts that a preview names; the others are counted. */
export const previewErrorsMax = 100;
/** Kinds of changes that a preview shows, the most frequent first, and contexts that it names for each. */
export const previewChangesMax = 50;
export const previewExamplesMax = 3;
export const madeUpUsersDefault = 1_000;
/** Players without a user id are all in bucket 0: more of them would show nothing else. */
export const madeUpAnonymousMax = 50;
/** Values that one test of a condition adds for its attribute; of a list of 50,000 ids, some at even distances. */
export const madeUpValuesPerTestMax = 24;
/** Characters of such a value, as JSON: an attribute is a name, a number or a short list. */
export const madeUpValueCharsMax = 1_000;
/** Attributes that a made-up user is given besides those that its rule asks for. */
export const madeUpAttributesMax = 200;
/** Members of the conditions that are taken apart: 500 rules have some 2,000; 20,000 take 1.4 s for 10,000 users. */
export const madeUpMembersMax = 20_000;
/** Steps of the search for users who match the rules, over a whole preview and for one user: 0.4 s where nothing is found. */
export const madeUpStepsMax = 100_000;
export const madeUpStepsPerUserMax = 2_000;
/** Sample users whose values are taken, by the bytes of their contexts. */
export const madeUpSampleBytesMax: number = 1024 * 1024;
/** A preview over conditions with costly regular expressions is ended after this. */
export const previewMsMax = 30_000;
/** Contents that a problem names; the listing has them all. */
export const namesShownMax = 20;
export const segmentPageCharsMax: number = 8 * 1024 * 1024;
/** Mappings of which it is remembered which saved segments they use where: some 100 bytes for each segment. */
export const segmentPlacesKept = 10_000;
/** A page of what a player was given ends after this, and with these bytes: the next one goes on. */
export const playerLookUpMsMax = 3_000;
export const playerLookUpBytesMax: number = 16 * 1024 * 1024;
/**
 * A page of a cohort ends this long after its states are read, and so does each task of a worker for it: then others have
 * their turn, and the client is looked for.
 */
export const cohortPageMsMax = 5_000;
export const cohortTaskMsMax = 500;
/** The period, and the changes within: a task must get through one player. */
export const cohortDaysMax = 92;
export const cohortMomentsMax = 2_000;
/** Texts that one task holds. */
export const cohortTextBytesMax: number = 32 * 1024 * 1024;
/** Cohorts that are evaluated at once: the other worker is left to edits. */
export const cohortsAtOnceMax = 1;
export const cohortsWaitingMax = 20;
export const cohortWaitMsMax = 30_000;
