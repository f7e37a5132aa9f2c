/** Limits of experiments and of the analysis process. Sizes in bytes, times in milliseconds. */

/** How often users of running experiments that delivery processes have reported are written (D95). */
export const assignedWriteEveryMs = 4_000;
/** What they may hold until then, while the store is away for instance, bytes. Beyond it samples are halved, then reports dropped. */
export const assignedWaitingBytesMax: number = 128 * 1024 * 1024;
/** Parts in one write: of a hundred experiments with many new users, up to 20 MB. */
export const assignedPartsPerWriteMax = 20;
/** How often the parts of a day are folded into one, and how many in one write. */
export const assignedFoldEveryMs: number = 10 * 60_000;
export const assignedPartsFoldedMax = 200;
/** A day so long after its beginning is over on every server, whatever its clock: its sample joins that of the days before. */
export const assignedDayOverMs: number = 48 * 3_600_000;

/** JavaScript of the analysis process: the lines of a batch, and what is made of them. */
export const analysisHeapMegabytesMax = 512;
/** What it may have beside what DuckDB is given: its heap, buffers, and what DuckDB takes without counting it. */
export const analysisSpareBytes: number = 1024 * 1024 * 1024;
/** What DuckDB is given unless `--events-memory` says otherwise. */
export const analysisMemoryBytesDefault: number = 1024 * 1024 * 1024;
/** It says every second that its event loop turns. A machine that is too busy for this is one where players wait. */
export const analysisSilentMsMax = 30_000;
/** It keeps 100 MB; events make a job every minute. */
export const analysisIdleMsMax = 300_000;
/** People look at a few results at once; each takes seconds. */
export const analysisJobsWaitingMax = 16;
/** A batch is 64 MiB of events: seconds. Of a batch that is sent to a collector, one part. */
export const compactionMsMax = 300_000;
/** 10^8 events take half a minute on two cores. */
export const analysisMsMax = 180_000;
/** Users are looked for in all files of an environment. */
export const forgetMsMax = 600_000;
export const eventsExportMsMax = 600_000;
/** Sealed files come once a minute from each delivery process. */
export const compactionEveryMs = 60_000;
/** Shortly after a start, in which files were left. */
export const compactionFirstMs = 5_000;
/** Between two attempts, while a database or a collector is away. */
export const compactionRetryMsMax: number = 15 * 60_000;
/** Days go at midnight; room is looked after within the hour. */
export const eventRetentionEveryMs = 3_600_000;
/** The room of event files is read for metrics at most so often. */
export const eventGaugesMsMax = 10_000;
export const eventDaysKeptDefault = 180;
export const eventDaysKeptMax = 3_650;
/** 10^9 events. */
export const eventBytesDefault: number = 20 * 1024 ** 3;

/** Metrics of one page of results, those of the experiment first: each is a pass over all events of its users. */
export const resultMetricsMax = 20;
/** Days of events from which the size of a sample is computed: two weeks have each weekday twice. */
export const baselineDays = 14;
/** Names of events are asked for while a metric is defined: what a game sends, it sends every week. */
export const eventNamesDays = 7;
/** More of them is no list to choose from. */
export const eventNamesMax = 300;
/** Leads of experiments that are remembered for overviews: those of all environments that people look at, some hundred bytes each. */
export const leadsKeptMax = 5_000;
/** A lead that is older is computed again, in the background, while people look at an overview: results move by the day. */
export const leadMsMax: number = 15 * 60_000;
/** Pairs of environments whose differences are remembered, some hundred bytes each. */
export const driftKeptMax = 200;
/** For so long edits of descriptions and tags, which have no sequence, may be missing from the difference. */
export const driftMsMax = 30_000;

/** Searches at a time, and those that wait: each keeps the control thread busy in turns, of which edits wait for one or two. */
export const searchesAtOnceMax = 2;
export const searchesWaitingMax = 32;
export const searchWaitMsMax = 10_000;
/** A search that takes longer responds with what it has, and where to go on. 100 MB take some tenths of a second. */
export const searchMsMax = 5_000;
/** Contents whose texts are looked up at a time, and texts that are read at a time: some milliseconds each. */
export const searchContentsPerRead = 500;
export const searchTextsPerRead = 100;
export const searchBytesPerRead: number = 1024 * 1024;
/** Paths of hits on one page, in characters: keys may be long. */
export const searchPageCharsMax: number = 4 * 1024 * 1024;
/** What a hit takes beside its path, about. */
export const searchHitChars = 400;

/** What one response names of each kind: more cannot be told apart in a list of names. */
export const namedContentsMax = 10_000;
export const namedRulesMax = 50_000;
export const namedSegmentsMax = 10_000;
export const namedExperimentsMax = 1_000;
export const namedReleasesMax = 1_000;
/** Attributes that are named of one rule: it is recognised by the first ones. */
export const namedAttributesMax = 8;
/** Names of rules that are remembered, by their characters as JSON. */
export const namedRulesKeptCharsMax: number = 16 * 1024 * 1024;
/**
 * Reasons of rejected requests of one minute (code, key, content): any that makes up 0.8 % of them is there. With an hour of
 * them at 300 bytes, 5 MB at most.
 */
export const rejectionsKeyedMax = 256;
/** The same of requests without a key that is served. */
export const rejectionsUnkeyedMax = 64;
/** Environments whose rejected requests have series of their own in /metrics, some 30 each at most; the others share one set. */
export const refusedEnvironmentsMax = 100;
/** As long as the ids of contents. */
export const rejectedContentCharsMax = 128;
/** Keys of rejected requests whose names are looked up for one response. */
export const rejectionsLookedUpMax = 200;
