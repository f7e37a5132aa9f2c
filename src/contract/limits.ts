/** The limits of what a request of the admin API may hold and a response lists, each with its reason. Sizes in bytes, times in milliseconds. */

/** A few hundred rules with their values; every listener parses it when it starts. */
export const mappingBytesMax = 4 * 1024 * 1024;
/** A JSON Schema of a content. */
export const schemaBytesMax = 256 * 1024;
/** A saved condition: room for a list of some 50,000 tester ids. */
export const segmentBytesMax = 1024 * 1024;
/** Lines of one content: one per app version that needs its own text, not one per release. */
export const linesMax = 100;
/** Names of segments (as in a mapping), users and environments, and labels of keys. */
export const nameCharsMax = 128;
export const environmentIdCharsMax = 64;
export const descriptionCharsMax = 2_000;
export const noteCharsMax = 2_000;
/** What a column of numbers holds (PostgreSQL's `integer`): nobody saves a content so often. */
export const revisionMax = 2_147_483_647;
export const tagCharsMax = 64;
export const tagsMax = 32;
/** Rows of one listing; more are reached with its `after` parameter. */
export const listRowsMax = 10_000;
export const auditRowsMax = 1_000;
export const auditRowsDefault = 100;
/** Streams of the audit at once: each is a dashboard or a log shipper, of which a team has a few. */
export const auditStreamsMax = 32;
/** Changed JSON pointers shown per line of a diff, and in a whole diff: it is read by people. */
export const pointersPerLineMax = 100;
/** Contents whose changes an answer of a sync or import spells out. */
export const changesShownMax = 1_000;
/** Exports at a time, each with a connection of its own. */
export const exportsAtOnceMax = 4;
/** Ids that a sync may name; without ids it takes all. */
export const syncIdsMax = 10_000;
/** A key of its maker's own choice: 22 characters of 64 kinds are 132 bits when they are random. */
export const givenKeyCharsMin = 22;
export const givenKeyCharsMax = 128;
/** LOADOUT_ADMIN_TOKEN is its owner's business; below this it is a slip, not a token. */
export const givenTokenCharsMin = 8;
export const givenTokenCharsMax = 256;
/** Keys of an environment, revoked ones included: delivery holds the others in memory, people read the list. */
export const keysMax = 10_000;
export const usersMax = 10_000;
/** A token per machine and person is plenty; a script that makes one per run is stopped before it fills the store. */
export const tokensPerUserMax = 100;
/** Environments that a user's list may name. */
export const userEnvironmentsMax = 1_000;
export const attributePlacesShownMax = 20;
/** A hundred years: a typing slip is above, no wish is. */
export const deletedDaysKeptMax = 36_500;
export const revisionsKeptMax = 1_000_000;
/** One context of a test or a preview: what delivery takes as a body by default. */
export const contextBytesMax: number = 64 * 1024;
/** Contexts of one test of a condition: each is answered with its reasons. */
export const testContextsMax = 1_000;
/** Saved user contexts of an environment: a person chooses from a list; more is a log, and that is for a preview. */
export const sampleUsersMax = 100;
/** Contexts of one preview: the issue asks for as many, and they are answered within two seconds. */
export const previewContextsMax = 10_000;
/** Made-up users of one preview, as many as contexts, and how many the console and the CLI ask for. */
export const madeUpUsersMax: number = previewContextsMax;
/** Segments of one page of a listing, and the characters of their conditions together: further ones are on the next. */
export const segmentRowsMax = 1_000;
/** `?wait=fleet`: a live server serves an edit within a fraction of a second; one that takes longer is named as missing. */
export const fleetWaitMsMax = 10_000;
/** Each has a lane of its own, one message at a time: this is also how many are under way at once, besides tests. */
export const webhooksMax = 50;
export const webhookUrlCharsMax = 2_048;
export const deliveryRowsMax = 1_000;
export const deliveryRowsDefault = 100;
/**
 * Sign-ins with one token: so many at once, then so many a second. Each writes a session and rows of the audit. A team
 * that shares a token begins its day with a few; a script that signs in for every call is to use the token itself.
 */
export const signInsAtOnceMax = 20;
export const signInsPerSecondMax = 0.1;
