/** The limits of the management side, each with its reason. Sizes in bytes, times in milliseconds. */
import { mappingBytesMax, schemaBytesMax } from '../contract/limits.js';

/** What an operator may change. */
export interface ManagementLimits {
  /** One stored text, comments included. */
  readonly textBytesMax: number;
  /** Nesting of a stored text. */
  readonly textLevelsMax: number;
}

/** docs/delivery-api.md: a stored text may be up to 32 MiB and 1,000 levels deep. */
export const defaultLimits: ManagementLimits = {
  textBytesMax: 32 * 1024 * 1024,
  textLevelsMax: 1_000,
};

/**
 * Nesting up to which texts that are already stored are read: a lower `textLevelsMax` must reject new
 * texts, not make old ones unreadable. It is also the most that `textLevelsMax` may be set to.
 */
export const storedLevelsMax = 10_000;

/** All texts of one state: checking it holds them in memory at once, and so does a delivery process that serves them. */
export const stateBytesMax: number = 256 * 1024 * 1024;

/** Every other body of the admin API; the largest is a sync that names all its ids. */
export const bodyBytesMax: number = 2 * 1024 * 1024;

/**
 * Body of a content PUT. A text grows when it is quoted: an escaped quote, backslash or line break is two
 * bytes for one, and no text of a game is made of control characters only, which would be six.
 */
export function contentBodyBytesMax(limits: ManagementLimits): number {
  return 2 * limits.textBytesMax + mappingBytesMax + schemaBytesMax + bodyBytesMax;
}

/**
 * Bodies up to this take no share of the memory for bodies: most edits, which must wait for nothing. The descriptors of
 * the process bound how many there are, and only requests with a valid token get so far.
 */
export const bodyBytesFree: number = 256 * 1024;
/** Bodies of the size that every route takes, together: 16 of the largest at a time, each done within a fraction of a second. */
export const ordinaryBodiesBytesMax: number = 32 * 1024 * 1024;
/**
 * Larger bodies together: two saves of 52 MB, as many as there are workers to check them. Each takes some five times its
 * size: the body, its text, the text of the content and a worker's copies.
 */
export const largeBodiesBytesMax: number = 128 * 1024 * 1024;
/** Requests that wait for room for their body, of either size: a connection and a few kilobytes each. */
export const bodyWaitersMax = 128;
/** How long they wait: 48 saves of 52 MB take one to two minutes on two cores. Well below `requestMsMax`. */
export const bodyWaitMsMax = 180_000;
/**
 * A body that has room, while others wait for it: without a byte for this long, or later than its size takes at 8 Mbit/s
 * and a grace, it is rejected. Where no other request waits, a slow line has the time of `requestMsMax`.
 */
export const bodyStalledMsMax = 10_000;
export const bodyGraceMsMax = 10_000;
export const bodyBytesPerSecondMin: number = 1024 * 1024;
/** When a client that was rejected for overload may retry: by then several large saves are done. */
export const overloadedRetrySeconds = 10;

/** Contents that a listing reads at a time: some 10 ms, and then others have their turn. */
export const contentsPerRead = 500;
/** The same of deleted ones, where each takes one more query, for the user that deleted it. */
export const deletedContentsPerRead = 50;
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
/** What removed events said of contents, removed in one transaction: a sync or import may have touched 10,000. */
export const auditedContentsPerRemoval = 2_000;
/** Events removed in one transaction: a few milliseconds, so that no edit waits noticeably. */
export const auditRowsPerRemoval = 500;
/** How often it is looked whether there are events to remove; they are removed once a day at most. */
export const auditRemovalEveryMs: number = 60 * 60 * 1_000;
export const pointersPerDiffMax = 5_000;
/** A slow upload of the largest body over a poor line; beyond it the connection only holds memory. */
export const requestMsMax = 300_000;

/** One line of an import or export: a content with several large texts, which grow when they are quoted. */
export function transferLineBytesMax(limits: ManagementLimits): number {
  return 2 * contentBodyBytesMax(limits);
}
/** Lines up to this need no room of their own: a batch and one such line are little beside what an import takes anyway. */
export const importLineBytesFree: number = 2 * 1024 * 1024;
/** A whole import: 10,000 contents of 10 KB are 100 MB; what is far beyond is not a game's configuration. */
export const importBytesMax: number = 4 * 1024 * 1024 * 1024;
export const importContentsMax = 100_000;
/** What an import holds in memory until its transaction: descriptions, tags, schemas and conditions, not texts. */
export const importFactsBytesMax: number = 64 * 1024 * 1024;
/** Lines that travel to a worker together: enough to make the hop cheap, little enough to be done in some 10 ms. */
export const importBatchBytes: number = 256 * 1024;
/**
 * Batches of an import at the workers. With one, a core stays free for players: on two cores p99 beside an import of
 * 10,000 contents was 3 times that without it instead of 4 to 5, and the import took no longer.
 */
export const importBatchesAtOnce = 1;
/** Texts of an import that are stored in one write, ahead of the import's own: other edits wait that long. */
export const textBytesPerStage: number = 1024 * 1024;
export const textsPerStage = 200;
/** An import whose server was killed cannot say that it has ended. One that goes on is over long before (`requestMsMax`). */
export const stagedTextsMsMax: number = 60 * 60_000;
/** Ids of each kind that the audit of a sync or import names; the rest is in the history of the contents. */
export const changesAuditedMax = 1_000;
/** An export whose reader takes nothing for so long is ended: its snapshot keeps the store's log from being cut. */
export const exportStalledMsMax = 30_000;

/** A sync is checked ahead of its transaction; when the environments moved meanwhile, it is checked so often. */
export const syncTriesMax = 3;
/** Of a segment's condition before and after, in a response for people. */
export const conditionShownCharsMax = 500;

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

/** Names of attributes that are known of an environment's requests: games send a few dozen, and people look through them. */
export const seenAttributesMax = 500;
/** A name that no request has carried for this long is forgotten: a season's attribute comes back within it. */
export const seenAttributesKeptMs: number = 90 * 24 * 3_600_000;
/** How often it is looked whether there are such names, and how many one write removes. */
export const seenAttributesPruneEveryMs: number = 24 * 3_600_000;
export const seenAttributesPerRemoval = 200;
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

/**
 * Workers for heavy edits, and their heaps: a text of 32 MiB with its values as objects fits. They end when they have
 * had nothing to do for a while.
 */
export const workThreads = 2;
export const workerHeapMegabytesMax = 1_024;
/**
 * Workers of the checks against schemas, apart from the others: a slow schema delays only edits with schemas,
 * and one slow schema leaves the second worker to these.
 */
export const schemaThreads = 2;
/** Checks against schemas that wait, and for how long: three that are ended for taking too long, one after the other. */
export const schemaChecksWaitingMax = 32;
export const schemaCheckWaitMsMax = 30_000;
/**
 * A state is validated before its transaction. If it was edited in between, it is validated within, where every other write
 * waits for it: only for this long, worker start included.
 */
export const validateInWriteMsMax = 2_000;
export const workIdleMsMax = 30_000;
/** Input from which an edit's work goes to a worker: below it takes a millisecond or two, which a hop would cost too. */
export const heavyBytesMin: number = 64 * 1024;
/** Both texts of a diff that is made at once: looking for the shortest one takes the square of what differs. */
export const diffHereBytesMax: number = 8 * 1024;
/** A task of a worker that takes longer is ended: the largest text with its mapping takes a few seconds. */
export const workMsMax = 60_000;
/**
 * The same for a check against a JSON Schema: a pattern that backtracks would never end. Large lines are parsed again for
 * each rule, which takes a sound schema its time.
 */
export const schemaCheckMsMax = 10_000;
export const schemaCheckMsPerMegabyte = 500;
/** Results of validation that are kept, so that what was checked ahead of a transaction is not checked again in it. */
export const validationsKeptMax = 500;
/** Findings that are kept for the same reason: some ten kilobytes each at most. */
export const findingsKeptMax = 500;
/** Findings that a response lists as warnings: a person reads no more, and the first ones show what is wrong. */
export const findingsShownMax = 5;
/** `maxChange` of a guard compares with what was live so long ago: a change in many small steps is one change. */
export const msPerDay: number = 24 * 60 * 60 * 1_000;
/** Findings of one sync or import that are kept whole: more than a person reads before confirming. */
export const findingsPerWriteMax = 10_000;
/** The result "takes too long" is kept for as long as its own edit needs it, and some that repeat it at once. */
export const tooCostlyKeptMs = 30_000;
/** Issues and warnings of one kind that a response lists: an author corrects the first ones and tries again. */
export const faultsShownMax = 100;
/** Saves that a conflict lists, the newest ones: an author who is further behind must read the history anyway. */
export const betweenShownMax = 20;

/** A season's worth of time to notice that a deleted content is missed. */
export const deletedDaysKeptDefault = 90;
/** Housekeeping looks at this many rows at a time: some milliseconds of reading. */
export const housekeepingRowsPerPage = 500;
/** And removes this much in one write, so that an edit that comes meanwhile waits for milliseconds. */
export const housekeepingRowsPerWrite = 200;
export const housekeepingTextBytesPerWrite: number = 4 * 1024 * 1024;
/** How long it then leaves the store to others. */
export const housekeepingPauseMs = 20;
/** It begins when a start has settled, and comes back often enough that no run has much to do. */
export const housekeepingFirstMs = 60_000;
export const housekeepingEveryMs: number = 60 * 60_000;
/** A run that somebody waits for ends early, well before their HTTP client gives up, and is asked for again. */
export const housekeepingAskedMsMax = 20_000;
/** Ids of removed contents that its audit row names. */
export const housekeepingIdsNamedMax = 100;

/**
 * The texts of the store are compared with their digests in steps: 1 MiB takes some 2 ms to read and to hash, so with the
 * pause after it a pass takes 2 % of a core, and 10 GiB half an hour.
 */
export const textCheckBytesPerStep: number = 1024 * 1024;
export const textCheckRowsPerStep = 200;
export const textCheckPauseMs = 100;
/** It begins when a start has settled, and comes round once a day: backups of before the damage are younger than that. */
export const textCheckFirstMs = 60_000;
export const textCheckEveryMs: number = 24 * 3_600_000;
/** Contents that are named for one damaged text. */
export const textCheckNamesMax = 10;

/** 4 MiB of the store at a time: a backup reports its progress in between. */
export const backupPagesPerStep = 1_024;

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

/** Another connection holds the database only for a moment (a backup, an operator's shell). */
export const storeBusyMs = 5_000;

/**
 * PostgreSQL: connections of one node that write and that read, besides one that listens and one that follows. Writes take
 * turns anyway; a node has 20 at most, with its exports, and mostly three.
 */
export const databaseWritersMax = 3;
export const databaseReadersMax = 4;
/** Statements whose plans the server keeps for the connections that follow the log: these are a dozen. */
export const databasePlansMax = 64;
/** Idle connections are closed after this. */
export const databaseIdleMs = 60_000;
/** A host that does not respond in this time is skipped for the next one. */
export const databaseConnectMsMax = 5_000;
/**
 * A write waits this long for the write of another: an import's own transaction takes some seconds. PostgreSQL counts
 * twice, in the queue for the row and then for its holder: together less than a query may take.
 */
export const databaseLockMsMax = 7_000;
/** No statement takes as long, except a commit whose standby is away: then the response says that it is in doubt. */
export const databaseQueryMsMax = 15_000;
/** A node that stops in the middle of a write is cut off, so that the others can go on. */
export const databaseIdleInTransactionMsMax = 30_000;

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

/** A store is moved to another database in pages of so many rows, and of so many bytes unless one row alone has more. */
export const copyPageRowsMax = 500;
export const copyPageBytesMax: number = 8 * 1024 * 1024;
/** Rows that one query counts: some tens of milliseconds, where a count of millions might take longer than a query may. */
export const copyCountedAtOnce = 100_000;

/** A delivery process that takes longer to load an edit hangs: a large import takes it a second or two. */
export const acknowledgeMsMax = 15_000;
/** A delivery process closes a damaged published.db at once, but for a body that a worker is making. */
export const releaseMsMax = 5_000;
/** How soon a published.db that is damaged again is made again: at first, and at least while damage goes on. */
export const repairAgainMsMin = 1_000;
export const repairAgainMsMax = 60_000;
/** A store that is damaged itself cannot give a sound published.db: it is asked again this often. */
export const repairStoreDamagedMs: number = 10 * 60_000;
/** And then the response is sent, also when the store hangs as it is read. */
export const fleetResponseMsMax = 12_000;
/** A scrape of /metrics does not wait for a store that is slow: it shows what was known of it last. */
export const storeGaugesMsMax = 1_000;
/** A draining process finishes the requests it has (delivery allows itself 10 s); then it is ended. */
export const drainMsMax = 15_000;
/** A scrape of /metrics does not wait for a delivery process that is stuck. */
export const measureMsMax = 2_000;
/** A certificate with its chain is some 5 KB, a key 3 KB: what is larger is another file, named by mistake. */
export const certificateBytesMax: number = 1024 * 1024;
/** A renewal tool writes the certificate and the key one after the other, within milliseconds: a reload waits this long for both. */
export const certificateSettleMsMax = 2_000;
export const certificateSettleRetryMs = 100;
/** A process that cannot start is tried again at least this often. */
export const restartDelayMsMax = 5_000;
/** Processes of one slot that end one after the other before any serves: the start is given up. */
export const startFailuresMax = 3;
/** How soon what could not be published is tried again: at first, and at least. */
export const publishRetryMsMin = 100;
export const publishRetryMsMax = 5_000;
/** An admin request under way may end before the server does; a caller that sends nothing is cut off. */
export const adminCloseMsMax = 5_000;
/** Changes that are published in one turn; more are read and written bit by bit, with other work in between. */
export const changesAtOnceMax = 100;
/** Changes that the store's log keeps for a published.db that is behind; beyond it, that is rebuilt. */
export const changesKept = 100_000;
/** Published sequences after which what is beyond that is removed: rarely, as it is a write. */
export const changesPruneEvery = 1_000;
/** How long a port may still be held by the delivery processes of a control process that was just killed. */
export const portFreeMsMax = 3_000;

/** Contents, deleted contents and segments that the event of a sync or an import names: some 64 KiB of body. */
export const eventIdsMax = 500;
/** Time of one attempt, from the look-up of the name to the head of the response. */
export const webhookAttemptMsMax = 10_000;
/** Only the status counts. What follows it is read to be polite, this far and this long. */
export const webhookResponseBytesMax: number = 64 * 1024;
export const webhookResponseMsMax = 1_000;
/** A receiver that asks for patience gets this much of it, not days. */
export const webhookRetryAfterMsMax = 3_600_000;
/**
 * A webhook is switched off when this many attempts failed one after the other and the first of them is this long
 * ago: by then a message has been through its whole schedule (retry-schedule.ts).
 */
export const webhookFailuresMax = 10;
export const webhookFailingMsMax: number = 24 * 3_600_000;
/** After a change of the secret both sign, for as long as it takes to change it at the receiver. */
export const webhookSecretOverlapMs: number = 24 * 3_600_000;
/** What was sent is shown for this long, and not more of it per webhook; it is removed this many at a time. */
export const deliveriesKeptMs: number = 30 * 24 * 3_600_000;
export const deliveriesKeptMax = 10_000;
export const deliveriesRemovedAtOnce = 500;
export const deliveriesPruneEveryMs = 3_600_000;
/** The store could not be read or written: its disk may be full. Soon enough, and no busy loop. */
export const webhookErrorRetryMs = 5_000;
/** Clocks jump: what waits is looked at again at least this often. */
export const webhookSleepMsMax = 60_000;
/** A message under way may arrive before the server ends; else it is sent again after the next start. */
export const webhookCloseMsMax = 3_000;
/** What another server of the fleet wrote is usually announced at once; what was missed waits this long. */
export const webhookLookEveryMs = 10_000;

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
