/** Limits of servers that follow a server, and of what it serves to them. Sizes in bytes, times in milliseconds. */

/** Followers of one server that are waited for, unless the operator says otherwise. */
export const followersMaxDefault = 200;
export const followersMaxMax = 10_000;
/** How long what delivery processes have counted waits for a report at most. */
export const followReportMs = 2_000;
/**
 * How long the question for what comes next is held. The next one says that the follower lives: one that is silent for
 * `nodeLiveMs` is not waited for, as any server of a fleet.
 */
export const nextWaitMs = 3_000;
/** A follower that has said nothing for so long reports: its question may be on a connection that has died. */
export const followBeatMs = 4_000;
/** How long a follower that ends waits until its parent knows that edits need not wait for it. */
export const followLeaveMs = 2_000;
/** How long a follower that was sent changes has to serve them before it asks on, and says so in a report later. */
export const followServeMs = 2_000;
/** Things that changed which are sent with the response to the question: reading more takes too long for one that is held. */
export const followNextChangesMax = 200;
/** Changes that are sent with the response to the question for them, compressed; for longer ones the follower asks. */
export const followNextBytesMax: number = 256 * 1024;
/** And what they are decompressed: a follower holds them in memory, and parses them in one turn of the event loop. */
export const followNextTextBytesMax: number = 4 * 1024 * 1024;
/** How long the file of `--follow-token-file` may be believed. */
export const followTokenMs = 1_000;
/** What a follower says of itself, and a question for what comes next. */
export const followStateBytesMax: number = 16 * 1024;
/** A wire on which nothing moves for so long is given up. */
export const followIdleMs = 10_000;
/** A parent that has begun to respond reads and compresses everything before it sends the first of it. */
export const followFirstPieceMs = 60_000;
/** Longer changes are compressed with less effort: followers wait for them. */
export const followCarefulBytesMax: number = 4 * 1024 * 1024;
/** A follower takes no changes while it asks for their texts and writes them: a parent waits for so long until it takes more. */
export const followTransferIdleMs: number = 15 * 60_000;
/** Texts that were named to a follower stay for so long after they were replaced: it asks for the last of them after all others. */
export const followTextsKeptMs: number = 15 * 60_000;
/** And no longer than until there are so many bytes of them. */
export const followTextsKeptBytesMax: number = 1024 * 1024 * 1024;
/** The way back to a parent: soon at first, then this often, each follower at another moment. */
export const followRetryMsMin = 100;
export const followRetryMsMax = 2_000;
/** One line of changes names one thing, and a line of bodies has one text, escaped: what a string of V8 can hold. */
export const followLineCharsMax: number = 2 ** 29 - 24;
/** What a response to a question about the position may have. */
export const followAnswerBytesMax: number = 64 * 1024;
/** Texts that one request asks for. */
export const followBodiesMax = 100;
/** And what the lines that name them may add up to, unless it is one text. */
export const followBodiesBytesMax: number = 8 * 1024 * 1024;
/** A request for texts: a hundred digests. */
export const followBodiesRequestBytesMax: number = 16 * 1024;
/** A report with what delivery processes have counted. */
export const followReportBytesMax: number = 16 * 1024 * 1024;
/** How far a follower's clock may be ahead: what is said to have happened later than that is refused. */
export const relayedClockAheadMsMax: number = 24 * 3_600_000;
/** Reports of delivery processes that wait for the parent, all together; what is beyond is dropped. */
export const relayedBytesMax: number = 32 * 1024 * 1024;
/** What one report takes of them; the rest waits for the next one. */
export const relayedPerReportBytesMax: number = 4 * 1024 * 1024;
/** Texts that are sent along with changes, all together: followers need not ask for them. */
export const followInlineBytesMax: number = 64 * 1024;
/** And how many reports of delivery processes it takes. */
export const relayedPerReportMax = 500;
/** Compressed texts that are kept for the next follower that asks for them. */
export const followLinesKeptBytesMax: number = 64 * 1024 * 1024;
/** Larger ones are compressed for each follower. */
export const followTextKeptBytesMax: number = 8 * 1024 * 1024;
/** Positions of the past that followers may be at: one further behind reads everything again, without the texts it has. */
export const positionsKept = 10_000;
/** Names of servers below a follower that it passes on. */
export const followerNamesMax = 5;
/** The file of the followers that a server had: ids and names of `followersMaxMax`, of a usual length several times over. */
export const knownFollowersFileBytesMax: number = 8 * 1024 * 1024;
/** How often the file of accepted tokens is looked at. */
export const acceptedTokensMs = 1_000;
export const acceptedTokensFileBytesMax: number = 1024 * 1024;
/** Of a name or an address that a follower gives. */
export const followerNameCharsMax = 300;
