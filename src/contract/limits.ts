/** Limits of what a request of the admin API may contain and a response lists, each with its reason. Sizes in bytes, times in milliseconds. */

/** A few hundred rules with their values; every delivery process parses it when it starts. */
export const mappingBytesMax = 4 * 1024 * 1024;
/** The JSON Schema of one content. */
export const schemaBytesMax = 256 * 1024;
/** A saved condition: room for a list of some 50,000 tester ids. */
export const segmentBytesMax = 1024 * 1024;
/** Flags of one content: as many as a bulk evaluation lists. */
export const flagsMax = 1_000;
/** A JSON Pointer: longer than the names and depth of any content that people edit. */
export const flagCharsMax = 1_024;
/** All flags of one content as JSON: each revision holds them. */
export const flagsBytesMax: number = 256 * 1024;
/** Guards of one content: as many as it has kinds of values; each is compared with every path that it matches. */
export const guardsMax = 200;
/** A pattern of a JSON Pointer, as long as a flag may be. */
export const guardPathCharsMax = 1_024;
/** Values that a guard lists: names of a game's currencies or slots, not of its items. */
export const guardEnumMax = 100;
/** All guards of one content as JSON: each is compared in every save. */
export const guardsCharsMax: number = 64 * 1024;
/** Contents whose guards one change of a release replaces. */
export const guardedContentsMax = 100;
/** Findings that a response lists: people read them before they confirm. */
export const findingsShownMax = 100;
/** A SHA-256 in hex. */
export const confirmCharsMax = 64;
/** Version lines of one content: one for each app version that needs its own text, not one per release. */
export const linesMax = 100;
/** Names of segments (as in a mapping), users and environments, and labels of keys. */
export const nameCharsMax = 128;
export const environmentIdCharsMax = 64;
export const descriptionCharsMax = 2_000;
export const noteCharsMax = 2_000;
/** What a column of numbers holds (PostgreSQL's `integer`). No content is saved that often. */
export const revisionMax = 2_147_483_647;
export const tagCharsMax = 64;
export const tagsMax = 32;
/** Rows of one listing; `after` gives the next ones. */
export const listRowsMax = 10_000;
export const auditRowsMax = 1_000;
export const auditRowsDefault = 100;
/** Streams of the audit at once: each is a dashboard or a log shipper, and a team has a few. */
export const auditStreamsMax = 32;
/** Changed JSON pointers shown per line of a diff, and in a whole diff: people read it. */
export const pointersPerLineMax = 100;
/** Contents whose changes the report of a sync or import lists. */
export const changesShownMax = 1_000;
/** Exports at a time, each with a connection of its own. */
export const exportsAtOnceMax = 4;
/** Ids that a sync may name; without ids it takes all. */
export const syncIdsMax = 10_000;
/** A key that the user chose: 22 random characters out of 64 are 132 bits. */
export const givenKeyCharsMin = 22;
export const givenKeyCharsMax = 128;
/** Operators choose LOADOUT_ADMIN_TOKEN themselves; anything shorter is a typo. */
export const givenTokenCharsMin = 8;
export const givenTokenCharsMax = 256;
/** Keys of an environment, revoked ones included: delivery keeps the others in memory, people read the list. */
export const keysMax = 10_000;
export const usersMax = 10_000;
/** One token per machine and person. The limit stops a script that makes one per run before it fills the store. */
export const tokensPerUserMax = 100;
/** Environments that a user's list may name. */
export const userEnvironmentsMax = 1_000;
export const attributePlacesShownMax = 20;
/** 100 years. Anything larger is a typo. */
export const deletedDaysKeptMax = 36_500;
export const revisionsKeptMax = 1_000_000;
/** One context of a test or a preview: as large as a delivery request's body by default. */
export const contextBytesMax: number = 64 * 1024;
/** Contexts of one test of a condition: the response explains each. */
export const testContextsMax = 1_000;
/** Saved user contexts of an environment: a person chooses from a list. More than that is a log, which a preview takes. */
export const sampleUsersMax = 100;
/** Contexts of one preview: two seconds of work. */
export const previewContextsMax = 10_000;
/** Users that one preview makes up. The console and the CLI ask for as many. */
export const madeUpUsersMax: number = previewContextsMax;
/** Segments on one page of a listing, and the characters of their conditions together; the next page has the rest. */
export const segmentRowsMax = 1_000;
/** `?wait=fleet`: a live server serves an edit within a fraction of a second; one that takes longer is named as missing. */
export const fleetWaitMsMax = 10_000;
/** Each has a queue of its own, one message at a time: this is also how many are sent at once, besides tests. */
export const webhooksMax = 50;
export const webhookUrlCharsMax = 2_048;
export const deliveryRowsMax = 1_000;
export const deliveryRowsDefault = 100;
/**
 * Sign-ins with one token: how many at once, then how many per second. Each writes a session and rows of the audit. A team
 * that shares a token starts its day with a few; a script should send the token itself instead.
 */
export const signInsAtOnceMax = 20;
export const signInsPerSecondMax = 0.1;
/** Changes of one release: one commit holds them all, and people review them. */
export const releaseChangesMax = 1_000;
export const releaseTitleCharsMax = 200;
/** Releases on one page of a listing. */
export const releaseRowsMax = 1_000;
/** Steps of a ramp: more of them than hours in a day are a typo. */
export const releaseStepsMax = 20;
/** 30 days. A step that lasts longer is a release of its own. */
export const holdMinutesMax: number = 30 * 24 * 60;
/** A day: a player who starts the game has reached its menu by then. */
export const receiptMinutesMax: number = 24 * 60;
export const promqlCharsMax = 2_000;
/** Approvals that an environment can ask for. */
export const reviewersMax = 5;
/** A week: how late a scheduled release may start. */
export const toleranceMinutesMax: number = 7 * 24 * 60;
/** Releases that are neither live nor ended, of one environment: people oversee a few dozen. */
export const openReleasesMax = 500;
/** Lines of one timeline that people write: comments. */
export const releaseCommentsMax = 1_000;
