/**
 * This server as one of a fleet that shares a database: reports how far it is, receives the others' edits, waits for them
 * when a request asks for it, and does the background work of all while it holds the lock for it.
 */
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { ConditionVariable } from '../condition-variable.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  acknowledgedFreshMs,
  clockEveryBeats,
  fleetAskEveryMs,
  nodeForgottenMs,
  nodeLiveMs,
  pollEveryMs,
} from '../limits/fleet.js';
import { readLogState } from '../store/change-log.js';
import type { CommitEvent } from '../store/dialect.js';
import { schemaNewest } from '../store/migrate.js';
import { lockOfSchema, notifyNodes } from '../store/postgres/postgres.js';
import { PostgresSession } from '../store/postgres/session.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import type { Store } from '../store/store.js';
import type { NodesTable } from '../store/tables/server.js';
import type { Tables } from '../store/tables/tables.js';
import { ClockSkew } from './clock-skew.js';
import type { Fleet, FleetNode, FleetResponse, FleetStatus } from './fleet.js';
import { NodeIdentity, type NodeIdentityParts } from './node-identity.js';
import {
  databaseNowMs,
  deregisterNode,
  forgetLostNodes,
  type ListedNodes,
  leastReached,
  listNodes,
  type NodeReport,
  reportNode,
} from './rows.js';

export interface SharedStoreParts {
  readonly url: DatabaseUrl;
  readonly store: Pick<Store, 'read' | 'receive'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
  /** Whether it has just responded. */
  readonly storeAvailable: boolean;
  readonly nodeId: Pick<NodeIdentityParts, 'id' | 'keep'>;
  /** What does not change while it runs. */
  readonly self: Pick<NodeReport, 'name' | 'address' | 'version'>;
  /** What does. */
  readonly state: () => Pick<NodeReport, 'sequence' | 'mark' | 'serving'>;
  /** The number that it reports: it has followers that are behind it. Left out: that of `state`. */
  readonly reached?: () => Pick<NodeReport, 'sequence' | 'mark'>;
  /** The database responds (again), and may have more than was received. Rejects when it cannot be used. */
  readonly connected: () => Promise<void>;
  /** The store has not got what is served here. */
  readonly wentBack: () => void;
  /** Looks whether the store has something new. */
  readonly pull: () => void;
  /** Resolves when the number is served here. */
  readonly publish: (sequence: number) => Promise<void>;
  /** Background work that only one server does. */
  readonly leaderJobs: { start(): Promise<void>; stop(): Promise<void> };
  /** How often the log is polled; a replica sends no notifications. */
  readonly pollEveryMs?: number;
}

/** Any number, the same in all nodes: the holder of this lock is the leader. */
const leaderLock = 1_716_624;
/** How often, in beats, those are forgotten that were not seen for a day. */
const forgetEveryBeats = 1_000;

export class SharedStoreServer implements Fleet {
  readonly #parts: SharedStoreParts;
  readonly #session: PostgresSession;
  readonly #identity: NodeIdentity;
  readonly #startedMs = performance.now();
  readonly #clock: ClockSkew;
  readonly #poll: PeriodicJob;
  #available: boolean;
  #storeSequence = 0;
  #leads = false;
  #leading: Promise<void> = Promise.resolve();
  /** A request on another node waits for our confirmation. */
  #toAcknowledge = false;
  #beats = 0;
  /** Counts what other servers said to have reached; each one notifies. */
  #acknowledgements = 0;
  readonly #acknowledged = new ConditionVariable();
  #closing = false;

  constructor(parts: SharedStoreParts) {
    this.#parts = parts;
    this.#available = parts.storeAvailable;
    this.#clock = new ClockSkew(parts.log);
    this.#identity = new NodeIdentity({
      ...parts.nodeId,
      log: parts.log,
      nowMs: () => performance.now(),
    });
    this.#session = new PostgresSession({
      url: parts.url,
      log: parts.log,
      received: (event) => this.#received(event),
      connected: () => parts.connected(),
      beat: (db) => this.#beat(db),
      deregister: (db) => deregisterNode(db, this.#identity.id),
      lost: () => this.#lost(),
    });
    const everyMs = parts.pollEveryMs ?? pollEveryMs;
    this.#poll = new PeriodicJob(async () => parts.pull(), {
      firstMs: everyMs,
      everyMs,
      log: parts.log,
      event: 'store_poll_failed',
      failed: 'the store could not be asked for changes; it is tried again',
    });
  }

  start(): void {
    this.#session.start();
    this.#poll.start();
  }

  /** From then on no request waits for this server, and another one becomes the leader. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#poll.stop();
    await this.#session.close();
    await this.#leading;
  }

  async nodes(): Promise<FleetNode[]> {
    return (await this.#look()).nodes;
  }

  async wait(sequence: number, msMax: number): Promise<FleetResponse> {
    const deadline = performance.now() + msMax;
    const askedAtMs = await this.#parts.store.read(async (db) => {
      const nowMs = await databaseNowMs(db);
      await notifyNodes(db, { acknowledge: sequence });
      return nowMs;
    });
    // A server that is lost while we wait has not said that it serves the edit: it is named, though not waited for.
    const seenAlive = new Set<string>();
    for (;;) {
      const before = this.#acknowledgements;
      const { nodes, nowMs, prunedTo } = await this.#look();
      for (const { id, live } of nodes) if (live) seenAlive.add(id);
      const asked = nodes.filter(({ id }) => seenAlive.has(id));
      // What a server said before it was asked, or said last a while ago, it may have said before it stopped.
      const saidSinceMs = Math.max(askedAtMs, nowMs - acknowledgedFreshMs);
      const least = leastReached(sequence, { prunedTo });
      const hasReached = (node: FleetNode): boolean =>
        node.sequence >= least && (node.self || node.seenAtMs >= saidSinceMs);
      const missing = asked.filter((node) => !hasReached(node));
      const restMs = deadline - performance.now();
      if (!missing.some(({ live }) => live) || restMs <= 0 || this.#closing) {
        return { acknowledged: asked.filter(hasReached), missing };
      }
      await this.#acknowledged.untilOrTimeout(
        () => this.#acknowledgements > before,
        Math.min(restMs, fleetAskEveryMs),
      );
    }
  }

  status(): FleetStatus {
    return {
      store: 'postgres',
      storeAvailable: this.#available,
      storeSequence: this.#storeSequence,
      leads: this.#leads,
      clockAheadMs: this.#clock.aheadMs,
      isClockSkewed: this.#clock.isSkewed,
    };
  }

  async #look(): Promise<Omit<ListedNodes, 'nodes'> & { readonly nodes: FleetNode[] }> {
    const { nodes, ...log } = await this.#parts.store.read(listNodes);
    this.#storeSequence = Math.max(this.#storeSequence, log.sequence);
    return { ...log, nodes: nodes.map((node) => this.#shown(node, log)) };
  }

  #received(event: CommitEvent): void {
    const { store, state, pull } = this.#parts;
    store.receive(event);
    if (event.sequence !== undefined) {
      this.#storeSequence = Math.max(this.#storeSequence, event.sequence);
      // Also a lower one: then the store went back in time.
      if (event.sequence !== state().sequence) pull();
    }
    if (event.acknowledged === true) {
      this.#acknowledgements += 1;
      this.#acknowledged.notify();
    }
    if (Number.isSafeInteger(event.acknowledge)) this.#acknowledge(event.acknowledge ?? 0);
  }

  #acknowledge(sequence: number): void {
    // What cannot be published now is reported by a later beat, in our row.
    this.#parts.publish(sequence).then(
      () => {
        this.#toAcknowledge = true;
        this.#session.beat();
      },
      () => undefined,
    );
  }

  async #beat(db: Kysely<Tables>): Promise<void> {
    if (this.#closing) return;
    const { self, state, leaderJobs } = this.#parts;
    await this.#identity.claim(db);
    const now = state();
    const { id } = this.#identity;
    const upMs = performance.now() - this.#startedMs;
    const report = { ...now, ...this.#parts.reached?.() };
    await reportNode(db, { id, schema: schemaNewest, ...self, ...report, upMs });
    if (this.#beats % clockEveryBeats === 0) {
      const askedMs = Date.now();
      this.#clock.compare(await databaseNowMs(db), askedMs, Date.now());
    }
    const { sequence } = await readLogState(db);
    // Behind since the last beat, although it receives every commit: its replica stands still.
    const missed = Math.min(this.#storeSequence, sequence);
    if (missed > now.sequence) this.#parts.publish(missed).catch(() => undefined);
    this.#storeSequence = sequence;
    // It went back in time, which a reader of a replica would not see.
    if (sequence < now.sequence) this.#parts.wentBack();
    // Not before: a database that takes no edits, or has no store in it, can be connected to as well.
    this.#available = true;
    if (this.#toAcknowledge) {
      this.#toAcknowledge = false;
      await notifyNodes(db, { acknowledged: true });
    }
    this.#beats += 1;
    if (this.#leads) {
      if (this.#beats % forgetEveryBeats === 0) await forgetLostNodes(db, nodeForgottenMs);
      return;
    }
    const tried = await sql<{ got: boolean }>`
      select pg_try_advisory_lock(${leaderLock}::int, ${lockOfSchema}) as got`.execute(db);
    if (tried.rows[0]?.got !== true || this.#closing) return;
    this.#leads = true;
    await forgetLostNodes(db, nodeForgottenMs);
    this.#then(() => leaderJobs.start(), 'begun');
  }

  #lost(): void {
    this.#available = false;
    this.#identity.lost();
    if (!this.#leads) return;
    this.#leads = false;
    this.#then(() => this.#parts.leaderJobs.stop(), 'left to another server');
  }

  /** One after the other: the lock may come and go faster than the work begins. */
  #then(step: () => Promise<void>, what: string): void {
    const { log } = this.#parts;
    this.#leading = this.#leading.then(step).then(
      () => log.info({ event: 'leader_changed' }, `background work is ${what}`),
      (error: unknown) =>
        log.error(
          { event: 'leader_change_failed', err: error },
          'background work could not begin or end',
        ),
    );
  }

  #shown(node: NodesTable, { nowMs, sequence }: Omit<ListedNodes, 'nodes'>): FleetNode {
    const self = node.id === this.#identity.id;
    // What we know of ourselves is newer than what we last wrote down.
    const { reached: reachedHere, state } = this.#parts;
    const here = (reachedHere ?? state)().sequence;
    const reached = self ? Math.max(node.sequence, here) : node.sequence;
    const { schema: _, startedAt: startedAtMs, seenAt: seenAtMs, ...rest } = node;
    const lag = Math.max(0, sequence - reached);
    return {
      ...{ ...rest, startedAtMs, seenAtMs, sequence: reached, lag },
      ...{ live: nowMs - seenAtMs < nodeLiveMs, self },
    };
  }
}
