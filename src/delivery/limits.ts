/** Every limit of the delivery side, each with its reason. */

const KiB = 1024;
const MiB = 1024 * KiB;

/** Request bodies carry a user id and attributes: 64 KiB is a thousand attributes. Default of --body-bytes-max. */
export const bodyBytesMaxDefault: number = 64 * KiB;

/** Ids in one combine call, each counted once however often and in whatever case it is written. Default of --ids-max. */
export const idsMaxDefault = 100;

/**
 * Entries of one combine call, as a multiple of its ids: an id in two spellings is two entries of the response. Clients
 * have one spelling, two where names of files were used; a call in every spelling of its ids is an attack.
 */
export const spellingsPerIdMax = 4;

/**
 * One combined response: 100 of the largest contents would be 3 GiB of memory for one request. Default of
 * --combine-bytes-max, somewhat more than the largest content (32 MiB); a single entry is delivered whatever its size.
 */
export const combineBytesMaxDefault: number = 40 * MiB;

/**
 * Body of a refresh: it names what the client holds, 100 bytes for each of 10,000 content items. Default of
 * --refresh-bytes-max.
 */
export const refreshBodyBytesMaxDefault: number = MiB;
/** Entries of `have` and `ids` of one refresh together. */
export const refreshEntriesMax = 10_000;
/**
 * Members and elements in a body that is longer than --body-bytes-max, as `hasValuesWithin` counts them: the entries, and as
 * many again for the attributes. 1 MiB of brackets, or of objects with a name each, takes 60-90 ms to parse; text and
 * numbers take 1-7 ms.
 */
export const longBodyValuesMax: number = 2 * refreshEntriesMax;
/** What a refresh sends at once unless the client says otherwise, and the most that a client can ask for. */
export const refreshBytesDefault: number = 4 * MiB;
export const refreshBytesHighest: number = 32 * MiB;
/**
 * Bodies of one page that are not cached: a tenth of what may wait for the pool (`pendingTasksMax`), so that the start of one
 * client does not fill it.
 */
export const refreshMissesMax = 200;
/**
 * Lists of held ids that are remembered for each environment: those of the game's versions in use. Each is 16 bytes for each
 * content item of the environment.
 */
export const heldListsMax = 4;
/** How much a refresh chooses in one turn of the event loop: content items, and estimated nanoseconds of their rules. */
export const refreshTurnContentsMax = 1_000;
export const refreshTurnWorkMax = 2_000_000;
/** How often a refresh, or a bulk evaluation, begins again because an edit has removed what it chose (503 beyond it). */
export const refreshRestartsMax = 3;

/**
 * How far ahead of this node's clock an instant may be that a stream has told the client of: clocks of a fleet that are kept
 * by NTP differ by less. A client cannot look further ahead with it.
 */
export const echoedInstantAheadMsMax = 5_000;

/**
 * Streams that one delivery process holds unless --streams-max says otherwise: the descriptors that it may open, without a
 * tenth of them, at least 256 and at most 2,000, for ordinary requests and files.
 */
export const streamsReservedShare = 0.1;
export const streamsReservedMin = 256;
export const streamsReservedMax = 2_000;
/** Streams of one client network (IPv4 /24, IPv6 /48) in one delivery process. Default of --streams-per-address. */
export const streamsPerAddressDefault = 1_000;
/** What the contexts and lists of all open streams of a process may hold, bytes as they are estimated. */
export const streamsBytesMax: number = 512 * MiB;
/** The same for one client network, so that one of them cannot keep the others out. */
export const streamsBytesPerAddressMax: number = 128 * MiB;
/**
 * What the rules may do for one stream each time that it is looked at, estimated nanoseconds, without what ordinary
 * attributes cost: an edit looks at all of them.
 */
export const streamWorkMax = 300_000;
/** Refused streams are told to come back so many a second, at the earliest after, and at the latest. */
export const streamSlotsPerSecond = 500;
export const streamSlotSecondsMax = 300;
/** Clients of a network that has all its streams are told to come back within this. */
export const streamNetworkRetrySecondsMax = 30;
/** Within this all streams that an edit concerns have been told, unless --streams-wakes-per-second says otherwise. */
export const streamWakesMsMax = 8_000;
/** The fewest streams that are woken in a second, so that a small server is prompt. */
export const streamWakesPerSecondMin = 2_000;
/** Streams that wait for bodies at the same time. */
export const streamWakesUnderWayMax = 100;
/** A comment is sent on an idle stream after 25 s, 20 % more or less: proxies close what is idle for 30 to 60 s. */
export const streamBeatMsMin = 20_000;
export const streamBeatMsMax = 30_000;
/** A stream whose refresh could not be made is tried again after 2 to 5 s. */
export const streamRetryMsMin = 2_000;
export const streamRetryMsMax = 5_000;
/** A change that the clock makes is told 2 s after its instant and up to 1 s more, so that other nodes' clocks have passed it. */
export const streamEdgeDelayMs = 2_000;
export const streamEdgeJitterMs = 1_000;
/** How often due streams are looked for: the width of a slot of the timer wheels. */
export const streamTickMs = 100;
/**
 * How long ago the client of a stream of OFREP may have evaluated its flags: what was published since then it is told. It may
 * have waited for a slot meanwhile.
 */
export const streamGapMsMax: number = 1_000 * (streamSlotSecondsMax + 30);
/** How long before its token ends the client of such a stream is told to evaluate again, at the earliest and at the latest. */
export const tokenRenewMsMax: number = 6 * 3_600_000;
export const tokenRenewMsMin: number = 3 * 3_600_000;
/** Events are handed to the front end in pieces of this: what it buffers for a client that does not read. */
export const streamPieceBytes: number = 64 * KiB;
/** How long a draining process takes to close its streams, and how long their clients are told to wait, at most. */
export const streamDrainMs = 3_000;
export const streamDrainRetryMsMax = 10_000;

/** Parsed combine queries that are kept: a game has a few of some 5 KB; a hostile one may be 32 KiB (headerBytesMax). */
export const queriesKeptBytesMax: number = 4 * MiB;

/**
 * What clients may have yet to read of their responses, for the whole process; beyond it the largest ones are closed, and
 * further large ones rejected (503). Six combines of the largest size.
 */
export const unsentBytesMax: number = 256 * MiB;
/** The same for one key, which all players of a game share, and for one client network (IPv4 /24, IPv6 /48). */
export const unsentBytesPerKeyMax: number = 128 * MiB;
export const unsentBytesPerNetworkMax: number = 64 * MiB;
/** Responses from this length on are rejected while `unsentBytesMax` is passed. */
export const largeBytes: number = 256 * KiB;
/**
 * How fast a client must read a response that its socket has not taken whole, on average and after a grace period:
 * 256 KiB at 8 KiB/s pass, 40 MiB at 8 KiB/s do not. A client that reads nothing is disconnected by uWebSockets.js.
 */
export const readBytesPerSecondMin: number = 16 * KiB;
export const readGraceMs = 20_000;

/**
 * A client that sends or reads nothing for so long, or a body in a trickle, is disconnected; the clock ticks
 * every four seconds. Long enough for a phone between two cells. The bundled front end has 30 seconds unless it is set (D51).
 */
export const clientIdleSecondsMax = 10;

/** How long the trial of the front end waits for a slow client to be disconnected: twice what it may idle. */
export const slowHeadMsMax = 25_000;

/**
 * How long a body may take to arrive after its head (408 beyond it): 64 KiB at 9 KiB/s. Below `clientIdleSecondsMax`, at
 * which uWebSockets.js closes the connection without a word.
 */
export const bodyMsMax = 7_000;
/**
 * How fast a longer body, of a refresh or a stream, must arrive beyond its first 64 KiB: 1 MiB in 55 s. Of slower ones
 * uWebSockets.js closes the connection without a word (160,000 bytes in each period of `clientIdleSecondsMax`, which its
 * clock may shorten to 8 s).
 */
export const bodyBytesPerSecondMin: number = 20 * KiB;
/**
 * What bodies of more than 64 KiB hold while they arrive, for the whole process: 64 of the longest. Beyond it the one that has
 * been arriving the longest is dropped, and its request rejected (503), so that slow clients do not keep others out.
 */
export const collectedBytesMax: number = 64 * MiB;
/** How often the deadlines of bodies and the reading rates are looked at. */
export const sweepEveryMs = 1_000;

/**
 * The body of a rejected request is read and dropped up to this length, so that the client sees the response and keeps its
 * connection: the largest text that somebody may send to the wrong port. Beyond it the connection is closed.
 */
export const droppedBodyBytesMax: number = 32 * MiB;

/** 304s of one turn of the event loop; further ones are 200s, whose bodies show whether the client reads them. */
export const notModifiedPerTurnMax = 256;

/** Responses below this are smaller than what compressing them costs either side (docs/delivery-api.md). */
export const gzipBytesMin: number = KiB;

/**
 * Up to this what stands behind the entries of a refresh is compressed, 2 ms: the ids that are gone. Longer lists, of clients
 * that name what never was, are sent as they are.
 */
export const footDeflatedBytesMax: number = 64 * KiB;

/** Rendered bodies kept by the front end of one delivery process, and the share of those asked for only once so far. */
export const renderedBytesMax: number = 256 * MiB;
export const renderedFreshBytesMax: number = 64 * MiB;

/**
 * Selections that all contents together remember, with their slots: some 25,000 of a dozen rules, which is six
 * contents in each of their 4,096 variants. What does not fit is made again, 10 us each (`http/selections`, D53).
 */
export const selectionsBytesMax: number = 64 * MiB;

/** Parsed contents (JSON and its index) kept by one pool worker. */
export const parsedBytesMax: number = 128 * MiB;

/** Parsed contents kept by the front end for splices that it makes itself. */
export const inlineDocumentsBytesMax: number = 64 * MiB;

/**
 * Bodies up to this length are spliced by the front end when the parsed content is at hand: some 25 us at 100 KB,
 * against 60 us and more for the hop to the pool and back (bench/http/cold-variants). Larger ones would
 * hold up the event loop.
 */
export const inlineBytesMax: number = 256 * KiB;

/** Deflate level 6 is where more time stops buying size on game configuration (bench/micro/gzip-tail). */
export const gzipLevel = 6;
/** Brotli 5 takes the time of gzip 6 and saves a tenth more; 11 takes a second per megabyte. */
export const brotliQuality = 5;

/** Keys whose SHA-256 is known. An entry is some 200 bytes; environments have a handful of keys each. */
export const keysVerifiedMax = 10_000;

/** The longest API key that is hashed: ours are 30 characters, given ones may be longer. */
export const keyCharactersMax = 256;

/**
 * Bodies waiting for the pool, by number and by estimated work: half a second of it at the pool's slowest (gzip of
 * 100 KB, some 2 ms). Beyond it a request is rejected at once rather than served too late.
 */
export const pendingTasksMax = 2_000;
export const pendingBytesMax: number = 64 * MiB;

/** Bodies from this length on are made in memory that evicted ones leave, of which so much is kept. */
export const recycledBytesMin: number = 16 * KiB;
export const spareBytesMax: number = 32 * MiB;

/**
 * How long one turn of the event loop may go on splicing, milliseconds: as much work as the pool's queue holds. What
 * else misses in that turn is rejected, so that hits, and the next turn, need not wait longer.
 */
export const turnBehindMsMax = 500;

/**
 * What rules may do for a request of such a turn, estimated nanoseconds (evaluation-work.ts): any ordinary selection,
 * so that hits are served, and nothing that is worth an attacker's while.
 */
export const turnBehindWorkMax = 100_000;

/**
 * What the front end splices for one combine call in one turn of the event loop, bytes: 20 bodies of 100 KB, 2-4 ms. A
 * small body counts as 8 KiB, for the cost of a splice. A call of 100 contents of `inlineBytesMax` takes 13 turns; where
 * bodies are evicted before the last is there, the turns end, and the rest is spliced at once.
 */
export const inlineTurnBytesMax: number = 2 * MiB;
export const inlineBytesMin: number = 8 * KiB;
export const gatherTurnsMax = 32;

/** One batch to a worker: enough to share the cost of the hop, little enough not to hold back the small ones. */
export const batchTasksMax = 32;
export const batchBytesMax: number = 256 * KiB;

/** How long a request may wait for its body to be rendered before it is rejected (503). */
export const renderWaitMsMax = 10_000;

/** A worker that is busy with one batch for so long hangs; it is ended, and another takes its place. */
export const batchMsMax = 30_000;

/** Bodies under way when published.db is to be let go of: most take milliseconds, the largest a second or two. */
export const poolReleaseMsMax = 3_000;

/** How long a request with X-Min-Sequence may wait for that sequence (503 beyond it). */
export const sequenceWaitMsMax = 2_000;

/** How long a draining process waits for requests under way, and for keep-alive callers to move on. */
export const drainMsMax = 10_000;
export const drainIdleMs = 500;
/** Responses up to this leave at once: they fit what the kernel keeps for any connection. */
export const promptBytes: number = 16 * KiB;

/**
 * Names of attributes that are remembered per environment. Games send a few dozen; a client that makes names up gets a
 * process to keep 500 of 100 characters, some 75 KB.
 */
export const attributeNamesMax = 500;
export const attributeNameCharsMax = 100;
/** Names of one request that are looked at, the first ones: 200 take 7 us, a dozen 0.14. */
export const attributeNamesPerRequestMax = 200;
/** Requests of an environment that are all looked at, and of how many one is from then on: 5 ns a request on average. */
export const attributeRequestsFirst = 500;
export const attributeSampleEvery = 64;

/**
 * Attributes of an environment whose values are counted, counters for each, and the values that are reported: 100 attributes
 * with 64 counters take 2 MB where clients make values up, and some kilobytes where they do not.
 */
export const valueAttributesMax = 100;
export const valueCountersMax = 64;
export const valuesPerAttributeMax = 20;
/** Of requests whose names are looked at, one in so many has its values counted: 2 us for a dozen, 8 ns a request on average. */
export const valueSampleEvery = 4;
/** Longer texts are messages and tokens, and no one picks them from a list. */
export const valueCharsMax = 40;
/** Different users who must have had a value before it is reported, by distinct bits of their hashes: 10 of 64. */
export const valueUsersMin = 10;
/** Part of the requests with an attribute that must have had a value. */
export const valueShareMin = 0.01;
/** Part of the requests that the counters must account for: below it, most values occur once. */
export const valuesCoveredMin = 0.5;
/** How often counts of values that are known are reported: each report is a write. */
export const valueReportEveryMs: number = 3_600_000;

/** Contexts of one report, for environments that keep a sample: 200 KB a minute in messages between processes. */
export const sampledContextsPerReportMax = 500;
/** A kept context, its attributes, their texts, and the elements and levels of their lists and objects. */
export const keptContextBytesMax = 1_500;
export const keptAttributesMax = 60;
export const keptTextCharsMax = 100;
export const keptElementsMax = 20;
export const keptLevelsMax = 3;

/** Work on an edit gives way to requests after this long. */
export const turnMsMax = 1;

/** Longer than any flag that a bulk evaluation can list: a content id, and a JSON Pointer of 1,024 characters. */
export const flagKeyCharactersMax = 2_048;
/** Flags of one bulk evaluation: the values that a game reads at its start, not all of its content. */
export const bulkFlagsMax = 1_000;
/** Evaluations of flags that are kept as ready responses, and the largest that is: larger values are copied each time. */
export const flagsKeptBytesMax: number = 64 * MiB;
export const flagKeptBytesMax: number = MiB;
/** Of these, for keys that name no flag: some 2,000 of them, so that SDKs that ask for one again and again are rejected at once. */
export const flagMissesBytesMax: number = 4 * MiB;
/** Bulk evaluations that are kept without the caller's part, and the largest that is. */
export const bulksKeptBytesMax: number = 64 * MiB;
export const bulkKeptBytesMax: number = 4 * MiB;
/**
 * Bulk evaluations up to this are compressed at once: 2 ms, once for each that is asked for again. Larger ones are sent as
 * they are.
 */
export const bulkInlineGzipBytesMax: number = 64 * KiB;
/** Bodies that one bulk evaluation has rendered at a time, bytes of work; a larger one is alone. */
export const bulkBodiesBytesMax: number = 8 * MiB;
/**
 * What bulk evaluations hold that go on in a later turn: their flags, the body at hand, and copies of bodies while others
 * are rendered. Six of the largest; beyond it further ones are rejected.
 */
export const bulksUnderWayBytesMax: number = 256 * MiB;
/** Indexes of bodies that flags are looked up in: four to eight words for each value, up to four times as large as the JSON. */
export const flagIndexesBytesMax: number = 64 * MiB;
/** Bodies that the pool indexes or compresses for flags at the same time; further requests are rejected or not compressed. */
export const flagTasksMax = 16;
/** How often a kept evaluation in use is moved to the front, milliseconds. */
export const flagTouchMs = 250;

/** How often the tokens of OFREP's streams change, and how many such periods each is good for, its own one included. */
export const tokenEpochMs: number = 6 * 60 * 60 * 1_000;
export const tokenEpochs = 4;
/** A longer token, base64url, holds no evaluation context: it is part of a URL, of which servers accept 4 to 8 KiB. */
export const tokenCharactersMax = 2_048;

/**
 * Receipts of one client network (IPv4 /24, IPv6 /48) in each delivery process, at once and in a second. One start of a game
 * sends one: this is a mobile network's gateway in the minutes after a push notification.
 */
export const receiptsBurstMax = 500;
export const receiptsPerSecondMax = 50;
/**
 * The same of one API key, which all players of a game share. It is what a process can report: `countedUsersPendingMax` users
 * every `receiptsEveryMs`. Opening a receipt takes some 30 us, so forged ones take about a third of a process's time at most.
 * Five million starts within five minutes in a 50 % step are below it with two processes.
 */
export const receiptsPerKeyBurstMax = 20_000;
export const receiptsPerKeyPerSecondMax = 10_000;
/** Networks whose rates are remembered: some 100 bytes each. */
export const receiptNetworksMax = 20_000;
/** More than a receipt for `receiptEntriesMax` ramps takes. */
export const receiptCharactersMax = 4 * KiB;
/** Ramps that one receipt covers. No two ramps reach the same content item, so an environment rarely has more. */
export const receiptEntriesMax = 16;
/** How often starts and receipts are reported to the control process. */
export const receiptsEveryMs = 2_000;
/** How often users of running experiments are reported. With `assignedWriteEveryMs` of management: lost after a kill. */
export const assignedReportEveryMs = 4_000;
/**
 * What the counts of users of running experiments may hold: some 50 experiments with two variants and full samples, or 7,000
 * variants without. Beyond it samples are halved, then further experiments are not counted.
 */
export const assignedBytesMax: number = 128 * MiB;
/** Users that wait for that report: some 3 MB. Beyond that, those with the lowest hashes are reported. */
export const countedUsersPendingMax = 20_000;

/** Attributes that --event-attributes can list: each adds to every line of an event file. */
export const eventAttributesMax = 20;

/** Body of a request with events: what client kits send at once. */
export const eventsBodyBytesMax: number = 64 * KiB;
/** A user id with events; each line of an event file has it, so a request with many events must not have a long one. */
export const eventUserCharsMax = 256;
/** `eid` of an event: kits send 16 digits. */
export const eventIdCharsMax = 64;
/** Name of a metric event: as long as kits send it. */
export const eventNameCharsMax = 100;
/** Tags are 16 digits. */
export const eventTagCharsMax = 64;
/** Size of a metric event's value: sums of squares of it stay far below what a double can hold. */
export const eventValueMax = 1e12;
/** How long ago an event may have happened: a device that was offline for a week. */
export const eventAgeMsMax: number = 7 * 24 * 3_600_000;
/** How far ahead of this node's clock an event may be; it is then taken to have happened when it was received. */
export const eventAheadMsMax = 3_600_000;
/** Refused events that a response lists. */
export const rejectionsShownMax = 100;
/** The attributes that are stored with one event, JSON characters: each line of an event file has them. */
export const eventAttributesCharsMax = 512;
/**
 * Distinct names of metric events that a process takes for one environment in a day (UTC): games have a few dozen. A client
 * that makes names up gets a process to keep 2,000 of 100 characters, some 300 KB.
 */
export const eventNamesMax = 2_000;
/**
 * Requests with events of one client network (IPv4 /24, IPv6 /48) in each delivery process, at once and in a second. A game
 * that runs sends one in ten seconds: this is 5,000 players behind a mobile network's gateway. An events key has no such
 * limit: it does not leave the studio.
 */
export const eventsBurstMax = 2_000;
export const eventsPerSecondMax = 500;
/** The same of one API key, which all players of a game share: what a process can write. */
export const eventsPerKeyBurstMax = 40_000;
export const eventsPerKeyPerSecondMax = 40_000;
/** Events of one user, at once (twice what a kit keeps) and in a second. */
export const eventsPerUserBurstMax = 2_000;
export const eventsPerUserPerSecondMax = 10;
/** Networks and users whose rates are remembered: some 100 to 200 bytes each. */
export const eventNetworksMax = 20_000;
export const eventUsersMax = 50_000;
/** Lines that wait to be written; beyond it requests are rejected: a second of what one process can take. */
export const eventQueueBytesMax: number = 16 * MiB;
/** Lines are gathered in pieces of so much. */
export const eventPieceBytes: number = 256 * KiB;
/** How soon a line is handed to the kernel, so how much the end of a process by SIGKILL can lose. */
export const eventWriteMs = 100;
/** How soon what was written is on the disk, so how much a power failure can lose; with the time that it takes, a second. */
export const eventSyncMs = 500;
/** How long, and how large, an event file becomes before it is sealed. */
export const eventFileMsMax = 60_000;
export const eventFileBytesMax: number = 16 * MiB;
/** How often a write that failed is tried again. */
export const eventRetryMs = 1_000;
/** When clients are to come back while the disk takes no events, seconds: spread, since it takes an operator to make room. */
export const eventsRetrySecondsMin = 10;
export const eventsRetrySecondsMax = 60;
/**
 * What event files leave of their disk for the store, its backups and the log: events are refused before an edit is. The
 * store of a game rarely grows by so much in a day.
 */
export const eventDiskReserveBytes: number = 64 * MiB;
/**
 * Reasons of rejected requests that a process keeps between two reports (code, key, content): any that makes up 0.8 % of
 * them is there. Some 300 bytes each.
 */
export const rejectionsKeyedMax = 256;
/** The same of requests without a key that is served. */
export const rejectionsUnkeyedMax = 64;
/** As long as the ids of contents. What a client requests may have 32 KB. */
export const rejectedContentCharsMax = 128;
/** How often requests are reported: people watch them live. */
export const requestsReportedEveryMs = 2_000;
