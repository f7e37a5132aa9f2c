/** Limits of the audit. Sizes in bytes, times in milliseconds. */

/** Events that an export or a stream reads at a time: some 100 KB, and no long hold of a connection. */
export const auditRowsPerRead = 250;
/** Events that one step of a search looks at: 2 to 7 ms; then others have their turn. */
export const auditRowsLookedAt = 5_000;
/** An empty line this often keeps a proxy from closing a stream, and shows that the server is there. */
export const auditHeartbeatMs = 15_000;
/** A reader that takes nothing for this long is gone or stuck; its place is for others. */
export const auditReaderMsMax = 60_000;
/** A year: long enough to compare with the same season's last event. */
export const auditDaysKeptDefault = 365;
export const auditDaysKeptMax = 36_500;
/** Events of one name that a step of a search by name reads: their details may be long. */
export const auditNamesLookedAt = 500;
/** Changed places of one content that the index of changes takes: what changes more is another text. */
export const placesPerItemMax = 200;
/** Of one event, an import or a sync of very many contents: a megabyte of rows. */
export const placesPerEventMax = 5_000;
/** Characters of a value that are indexed: more than is shown of it in a row. */
export const placeValueCharsMax = 200;
/** Texts that the index compares for one event; what comes beyond is counted as cut. */
export const indexedBytesPerEventMax: number = 64 * 1024 * 1024;
/** Events that the index takes on at a time, and rows that one of its writes inserts: a few milliseconds. */
export const indexedEventsPerStep = 20;
export const indexRowsPerWrite = 500;
/** How long a commit waits for more before its changes are indexed: a person who looks has not got there yet. */
export const indexAfterMs = 100;
/** The index is looked after this often even without a commit of this server: of other servers, some are missed. */
export const indexEveryMs = 60_000;
/** How long a search by path or value, and how long any other reader of the audit, waits for the newest changes to be indexed. */
export const indexWaitMsMax = 2_000;
export const indexGlanceMsMax = 300;
/** Indexed places that one step of a search looks at: some 10 ms; then others have their turn. */
export const placesLookedAt = 2_000;
/** Events that it reads of those that it found. */
export const placeEventsPerStep = 500;
/** Contents of which not every change is indexed, counted for one search. */
export const cutItemsCountedMax = 100;
/** Texts that one blame compares, their bytes together, and the time after which it ends with what it has. */
export const blameTextsMax = 500;
export const blameBytesMax: number = 64 * 1024 * 1024;
export const blameMsMax = 2_000;
/** Revisions that it reads at a time. */
export const blameRevisionsPerRead = 200;
/** What removed events said of contents, removed in one transaction: a sync or import may have touched 10,000. */
export const auditedContentsPerRemoval = 2_000;
/** Events removed in one transaction: a few milliseconds, so that no edit waits noticeably. */
export const auditRowsPerRemoval = 500;
/** How often it is looked whether there are events to remove; they are removed once a day at most. */
export const auditRemovalEveryMs: number = 60 * 60 * 1_000;
