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
/** Of them, streams of users that are no owners: some are left for log shippers, which owners set up. */
export const auditReaderStreamsMax = 24;
/** Words, a path or a value that the audit is searched for: as long as a note's first lines or a deep path. */
export const auditSearchCharsMax = 512;
/** Words of one search: each is looked for in every event. */
export const auditWordsMax = 8;
/** Items and, for each, places that an event of a listing shows: people open the event for the rest. */
export const auditItemsShownMax = 5;
export const auditPlacesShownMax = 5;
/** Changes of one value that a blame lists: people look at the last few. */
export const blameChangesMax = 50;
/** A JSON Pointer in a query. */
export const pointerCharsMax = 1_024;
/** Changed JSON pointers shown per line of a diff, and in a whole diff: people read it. */
export const pointersPerLineMax = 100;
/** Contents whose changes the report of a sync or import lists. */
export const changesShownMax = 1_000;
/** Exports at a time, each with a connection of its own. */
export const exportsAtOnceMax = 4;
/** Ids that a sync may name; without ids it takes all. */
export const syncIdsMax = 10_000;
/** Ids that one edit of many content items may name: all that a list shows. Most of them may have nothing to change. */
export const editedIdsMax = 10_000;
/** Items to which one edit gives new revisions or another live state: as many as a release holds. Tags have no such limit. */
export const editedItemsMax = 1_000;
/** A value that is set in many texts at once: it is multiplied by their number. */
export const setValueBytesMax: number = 64 * 1024;
/** A path of a value, in characters. */
export const pathCharsMax = 2_000;
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
/** Changes of a release whose warnings one response lists: a person reads the first few. */
export const releaseWarningsMax = 50;
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
/** A year and a month of a calendar: the next season can be planned on the evening before this one begins. */
export const calendarDaysMax = 400;
/** Four weeks. */
export const calendarDaysDefault = 28;
/** Entries of one calendar: a screen shows some hundreds. */
export const calendarEntriesMax = 5_000;
/** Occurrences of all windows of one calendar: every day of the longest range for fifty windows. */
export const calendarOccurrencesMax = 20_000;
/** Conflicts of one calendar: people look at each. */
export const calendarConflictsMax = 1_000;
/** JSON Pointers shown for each conflict. */
export const calendarPathsShownMax = 20;
/** Contents named for each release of a calendar. */
export const calendarContentsShownMax = 100;
/** Days that an overview looks back: what was published before the last week is in the history. */
export const overviewDays = 7;
/** Rows of each list of an overview: what people read at a glance; each has a screen of its own with all of them. */
export const overviewDraftsMax = 10;
export const overviewReleasesMax = 20;
export const overviewExperimentsMax = 50;
export const overviewPublicationsMax = 30;
export const overviewSyncedMax = 5;
export const overviewWebhooksMax = 5;
/** Contents named for each publication of an overview. */
export const overviewContentsNamedMax = 3;
/** Ids of experiments stand in URLs and commands. */
export const experimentIdCharsMax = 64;
/** Experiments of an environment, old ones included: a new one each working day for years. */
export const experimentsMax = 2_000;
/** Experiments that run at once in an environment: delivery counts the users of each. */
export const runningExperimentsMax = 200;
/** Variants of one experiment: each needs players of its own. */
export const experimentVariantsMax = 20;
/** Phases of one experiment: with that many changes it answers nothing. */
export const experimentPhasesMax = 100;
/** Lines of the log of one experiment that people cause. */
export const experimentLogMax = 1_000;
/** Guard metrics of one experiment: each makes the correction for all of them stronger. */
export const guardMetricsMax = 20;
/** A year. */
export const plannedDaysMax = 365;
/** Ten times as much. Whatever is found is within it. */
export const smallestEffectMax = 10;
/** Metrics of an environment: each is computed for every experiment that names it. */
export const metricsMax = 200;
export const metricNameCharsMax = 64;
/** The longest window of a conversion: data of phases are kept for at least as long. */
export const metricWindowDaysMax = 90;
/** Events of one user and day that a metric may count. */
export const metricEventsPerDayMax = 1_000_000;
/** Name of an attribute that events carry. */
export const attributeNameCharsMax = 128;
/** Layers of an environment: a request looks each bucket up among those that it has computed. */
export const layersMax = 32;
export const layerNameCharsMax = 64;
/** Pairs of one interference map: people look at each. */
export const interferencesMax = 500;
/** Minutes for which rejected requests are counted by reason. */
export const rejectionMinutes = 60;
/** Minutes that decide whether that is alarming: one that fails now shows, one that failed before lunch does not. */
export const rejectionStateMinutes = 10;
/** Reasons of rejected requests that a response lists: people look at each. */
export const rejectionReasonsMax = 20;
/** Between two points of a server's history. */
export const historyStepMs = 10_000;
/** An hour of them. */
export const historyPointsMax = 360;
/** Changes that charts mark: more would be a wall of lines. */
export const publishMarksMax = 100;
/** What is looked for in texts: a sentence. Longer than this is a document. */
export const searchTextCharsMax = 200;
/** Hits on one page of a search: people look at the first, scripts ask for the next page. */
export const searchHitsMax = 1_000;
export const searchHitsDefault = 100;
/** A found value as it is shown: two lines of a list. */
export const searchSnippetCharsMax = 160;
/** Where a search goes on: an id of 128 characters and a few numbers, encoded. */
export const searchCursorCharsMax = 512;

/** Content items of a page of what a player was given, and of those that are named with their responses. */
export const playerItemsMax = 500;
export const playerItemsDefault = 100;
export const playerItemsNamedMax = 20;

/** Players of one question who was given a value: a support ticket lists hundreds, an incident thousands. */
export const cohortPlayersMax = 10_000;
export const cohortPathCharsMax = 4_096;
