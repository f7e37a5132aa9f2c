/**
 * Which id this server has in its fleet: the one of its data folder, as long as no other server that is alive holds the
 * lock of it; else a new one (D57). Asked at every beat of the session, because locks end with it.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { nodeIdContestBeats, nodeLiveMs } from '../limits/fleet.js';
import type { Db } from '../store/dialect.js';
import {
  endNodeHolder,
  findNodeHolder,
  type NodeHolder,
  releaseNodeLock,
  sessionPid,
  tryNodeLock,
} from './node-lock.js';
import { deregisterNode } from './rows.js';

export interface NodeIdentityParts {
  /** Of the data folder. */
  readonly id: string;
  /** Writes another one to the data folder. */
  readonly keep: (id: string) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Milliseconds of a clock that only runs forward. */
  readonly nowMs: () => number;
}

/** Somebody else holds the lock of our id. */
interface Contest {
  /** What is written down of the id: it changes when a server that is alive beats under it. */
  seenAtMs: number | null;
  changes: number;
  /** Since when it has not changed. */
  quietSinceMs: number;
}

export class NodeIdentity {
  readonly #parts: NodeIdentityParts;
  /** Of the data folder. */
  #kept: string;
  /** What this server reports itself under; another one while it is not clear whose `#kept` is. */
  #current: string;
  #provisional: string | null = null;
  /** Whose lock this session holds. */
  #held: string | null = null;
  #contest: Contest | null = null;
  /** Of our own sessions, the present one last. The way to an earlier one may be broken without the database knowing. */
  #pid = 0;

  constructor(parts: NodeIdentityParts) {
    this.#parts = parts;
    this.#kept = parts.id;
    this.#current = parts.id;
  }

  get id(): string {
    return this.#current;
  }

  /** The session is gone, and its locks with it as soon as the database notices. */
  lost(): void {
    this.#held = null;
  }

  /** To be asked before this server reports itself: `id` is held by it afterwards. */
  async claim(db: Db): Promise<void> {
    if (this.#held === this.#kept) return;
    const pidBefore = this.#pid;
    this.#pid = await sessionPid(db);
    if (await tryNodeLock(db, this.#kept)) return this.#adopt(db);
    const holder = await findNodeHolder(db, this.#kept);
    // Our own session, which this one has replaced: nothing is left to find out.
    if (holder !== null && holder.pid === pidBefore) {
      if (await this.#takeFrom(db, holder)) return this.#adopt(db);
    }
    await this.#standIn(db);
    if (holder !== null) await this.#decideContest(db, holder);
  }

  /** The id of the data folder is this server's. */
  async #adopt(db: Db): Promise<void> {
    const standIn = this.#current;
    this.#held = this.#kept;
    this.#current = this.#kept;
    this.#provisional = null;
    this.#contest = null;
    if (standIn === this.#kept) return;
    await deregisterNode(db, standIn);
    await releaseNodeLock(db, standIn);
  }

  /** Seen under an id of its own until it is clear: an edit that waits for the fleet waits for this server, too. */
  async #standIn(db: Db): Promise<void> {
    this.#provisional ??= randomUUID();
    if (this.#held === this.#provisional) return;
    await tryNodeLock(db, this.#provisional);
    this.#held = this.#provisional;
    this.#current = this.#provisional;
  }

  /**
   * A server that is alive beats: two beats under the id, and it is its own. A session whose server is gone does not,
   * however long the database keeps it; the lock is then taken from it.
   */
  async #decideContest(db: Db, holder: NodeHolder): Promise<void> {
    const { seenAtMs } = holder;
    const nowMs = this.#parts.nowMs();
    this.#contest ??= { seenAtMs, changes: 0, quietSinceMs: nowMs };
    const contest = this.#contest;
    if (seenAtMs !== contest.seenAtMs) {
      contest.seenAtMs = seenAtMs;
      contest.changes += 1;
      contest.quietSinceMs = nowMs;
      if (contest.changes >= nodeIdContestBeats) this.#yield();
      return;
    }
    if (nowMs - contest.quietSinceMs < nodeLiveMs) return;
    contest.quietSinceMs = nowMs;
    if (await this.#takeFrom(db, holder)) await this.#adopt(db);
  }

  /** The other server keeps the id. */
  #yield(): void {
    const { log, keep } = this.#parts;
    const other = this.#kept;
    this.#kept = this.#current;
    this.#provisional = null;
    this.#contest = null;
    log.warn(
      { event: 'node_id_taken', nodeId: this.#kept, otherNodeId: other },
      `this data folder has the node id ${other}, which another server uses that runs on a copy of it: this server is ${this.#kept} from now on`,
    );
    try {
      keep(this.#kept);
    } catch (error) {
      log.error(
        { event: 'node_id_not_stored', err: error },
        'the new node id could not be written to the data folder',
      );
    }
  }

  /** False: the database does not let us, or takes its time; it is tried again. */
  async #takeFrom(db: Db, { pid }: NodeHolder): Promise<boolean> {
    const { log } = this.#parts;
    if (!(await endNodeHolder(db, this.#kept, pid))) return false;
    log.info(
      { event: 'node_session_ended', nodeId: this.#kept },
      'a lost session of this node id was ended',
    );
    for (let tries = 0; tries < takeTriesMax; tries += 1) {
      if (await tryNodeLock(db, this.#kept)) return true;
    }
    return false;
  }
}

/** Round trips that a session which is being ended gets to let go of its locks, before the next beat looks again. */
const takeTriesMax = 20;
