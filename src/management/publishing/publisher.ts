/**
 * Carries committed changes from the store into published.db and past every delivery process, until all of them are there:
 * this server's own and, when it is notified or polls, those of other nodes (D1).
 */

import type { Logger } from 'pino';
import { PublishedDamaged } from '../../published/damage.js';
import type {
  PublishedPosition,
  PublishedStore,
  PublishedWriter,
  RetiredKept,
} from '../../published/writer.js';
import {
  changesAtOnceMax,
  changesKept,
  changesPruneEvery,
  publishRetryMsMax,
  publishRetryMsMin,
} from '../limits/processes.js';
import { NobodyServes } from '../nobody-serves.js';
import type { Store } from '../store/store.js';
import { StoreDamaged, StoreUnavailable } from '../store/store-errors.js';
import type { Tracing } from '../tracing/tracing.js';
import { PublishCounts } from './publish-counts.js';
import type { PublishedFile, WithoutReaders } from './published-file.js';
import { RepairTimes } from './repair-times.js';

/** Announces a sequence to all delivery processes; resolves when none serves anything older. */
export type Announce = (sequence: number) => Promise<void>;

export interface PublisherParts {
  readonly store: Pick<
    Store,
    | 'id'
    | 'streamKey'
    | 'readChanges'
    | 'readManyChanges'
    | 'readEverything'
    | 'look'
    | 'moveBeyond'
    | 'pruneChanges'
  >;
  readonly file: Pick<PublishedFile, 'replace' | 'isSound'> & {
    readonly writer: Omit<PublishedWriter, 'close' | 'storeId'>;
  };
  readonly announce: Announce;
  /** Whether any delivery process serves players. */
  readonly isServed: () => boolean;
  readonly withoutReaders: WithoutReaders;
  readonly log: Logger;
  /** Whether an empty store may take the place of contents that are served. */
  readonly acceptEmpty: boolean;
  /** Texts that no content uses any more and which stay. Left out: as long as delivery processes need them. */
  readonly retiredKept?: RetiredKept;
  /** Takes what was published, for traces. Null or left out: there are none. */
  readonly spans?: Pick<Tracing, 'publishing' | 'pulled'> | null;
  /** Called when every delivery process serves another position. Left out: nobody wants to know. */
  readonly served?: () => void;
}

/** What is served would be lost: the store has nothing, which is more often a mistake than intended. */
export class EmptyStoreRejected extends StoreUnavailable {
  constructor() {
    super(
      null,
      'The store is empty, and players are served contents that were published from another one, or before it was emptied: these stay. ' +
        'Look whether --database and --data are the right ones; if it is meant, start with --accept-empty-store.',
    );
    this.name = 'EmptyStoreRefused';
  }
}

interface Waiting {
  readonly sequence: number;
  /** performance.now() */
  readonly fromMs: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function storeOf({ id, streamKey }: PublisherParts['store']): PublishedStore {
  return { id, streamKey };
}

export class Publisher {
  readonly counts: PublishCounts = new PublishCounts();
  readonly #parts: PublisherParts;
  readonly #waiting: Waiting[] = [];
  /** What must be served: the newest sequence that was requested. */
  #target = 0;
  /** What every delivery process serves, with the mark of the history that it is of; '': that is not known. */
  #served: PublishedPosition = { sequence: 0, mark: '' };
  /** Since the last success. */
  #failures = 0;
  #changesPrunedAt = 0;
  /** Another node may have written. */
  #asked = false;
  /** What was served once is to be announced again: no delivery process serves it now. */
  #again = false;
  /** published.db is to be made again from the store: it is damaged, or an earlier version made it (D82). */
  #isReplaceDue: boolean;
  readonly #repairs = new RepairTimes();
  #repair: NodeJS.Timeout | undefined;
  #storeAway = false;
  /** The store may have gone back in time: a replica cannot know. */
  #askPrimary = false;
  /** An empty store was rejected: what is written to it from now on does not make it the right one. */
  #rejected: EmptyStoreRejected | null = null;
  #rejectionLogged = false;
  /** Whether what is asked for now is noticed by the run that goes on. */
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
    this.#isReplaceDue = parts.file.writer.isOfOlderFormat;
  }

  /**
   * Whether something that was saved cannot be published for now. It is tried again until it can. That the store is
   * away is no such thing: nothing can be saved, and what was published is served.
   */
  get failing(): boolean {
    return this.#failures > 0 && !this.#storeAway;
  }

  /**
   * The newest sequence that every delivery process serves. Its mark tells it from the same number of another history,
   * which they serve until what was read again is announced (D44).
   */
  get served(): PublishedPosition {
    return this.#served;
  }

  /** Whether the store could not be read when it was tried last. */
  get storeAway(): boolean {
    return this.#storeAway;
  }

  /** Of the present file: a repair replaces it. */
  get #writer(): PublisherParts['file']['writer'] {
    return this.#parts.file.writer;
  }

  /**
   * Brings published.db to the store's state before any delivery process starts: replays what is missing, or rebuilds. Where
   * that cannot be done, what was published before is served, and it is tried again.
   */
  async start(): Promise<void> {
    try {
      await this.#advance();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || this.#writer.position.sequence === 0) throw error;
      await this.#parts.announce(this.#writer.sequence);
      this.#served = this.#writer.position;
      this.#asked = true;
      this.#failed(error);
      return;
    }
    await this.#tidy();
  }

  /** Looks whether there is something new in the store: another node may have written. */
  pull(): void {
    this.#asked = true;
    // What failed is tried again soon enough: a request in between does not make it sooner.
    if (this.#failures === 0) this.#run();
  }

  /** The store responds again: what waits for its next try need not wait. */
  resume(): void {
    this.#asked = true;
    this.#askPrimary = true;
    this.#run();
  }

  /** Why the store is not taken for the right one; null: it is. */
  get refusal(): Error | null {
    return this.#rejected;
  }

  /**
   * Resolves when everything up to `sequence` is what every delivery process serves. Simultaneous calls share the work.
   * Rejects when that fails now; it is then published later, without another call.
   */
  publish(sequence: number): Promise<void> {
    if (sequence <= this.#served.sequence && this.#parts.isServed()) return Promise.resolve();
    if (this.#closed) return Promise.reject(new Error('The publisher is closed.'));
    this.#target = Math.max(this.#target, sequence);
    this.#again ||= sequence <= this.#served.sequence;
    const published = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ sequence, fromMs: performance.now(), resolve, reject });
    });
    this.#parts.spans?.publishing(sequence, published);
    this.#run();
    return published;
  }

  /**
   * published.db is not what was written to it: it is made again from the store, at once or as soon as one may be.
   * @param damage null: it may be; it is looked at first
   */
  repair(damage: PublishedDamaged | null): void {
    if (this.#isReplaceDue || this.#closed) return;
    if (damage === null && this.#isSound()) return;
    this.#isReplaceDue = true;
    this.counts.damages += 1;
    const err = damage ?? new PublishedDamaged('published.db is damaged.');
    this.#parts.log.error(
      { event: 'published_damaged', err },
      'published.db is damaged; it is rebuilt from the store',
    );
    this.#runRepair();
  }

  #isSound(): boolean {
    try {
      return this.#parts.file.isSound();
    } catch (error) {
      // It cannot be checked now. Its readers will report more.
      this.#parts.log.warn(
        { event: 'published_check_failed', err: error },
        'published.db cannot be checked',
      );
      return true;
    }
  }

  #runRepair(): void {
    clearTimeout(this.#repair);
    const waitMs = this.#repairs.waitMs(performance.now());
    if (waitMs === 0) this.#run();
    else this.#repair = setTimeout(() => this.#runRepair(), waitMs).unref();
  }

  /** Ends the trying; resolves when nothing is under way any more. What is missing is published at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#repair);
    await this.#running;
    this.#rejectAll(new Error('The publisher is closed.'));
  }

  #run(): void {
    if (this.#isRunning) return;
    clearTimeout(this.#retry);
    this.#isRunning = true;
    this.#running = this.#reachTarget();
  }

  async #reachTarget(): Promise<void> {
    while (this.#hasWork && !this.#closed) {
      const before = this.#served;
      const wanted = this.#target;
      const isPull = this.#asked;
      const startedAtMs = Date.now();
      try {
        this.#asked = false;
        this.#again = false;
        await this.#advance();
      } catch (error) {
        this.#failed(error);
        break;
      }
      this.#settle();
      this.#giveUp(wanted);
      const { sequence } = this.#served;
      // No call of this server waits for it: another one has written it.
      if (isPull && sequence > Math.max(before.sequence, this.#target)) {
        this.#parts.spans?.pulled({ from: before.sequence, sequence, startedAtMs });
      }
      if (this.#served.sequence !== before.sequence) await this.#tidy();
    }
    this.#isRunning = false;
  }

  get #hasWork(): boolean {
    return this.#asked || this.#again || this.#served.sequence < this.#target || this.#mayRepair;
  }

  get #mayRepair(): boolean {
    return this.#isReplaceDue && this.#repairs.waitMs(performance.now()) === 0;
  }

  /** A number that the store has not got was lost with a server of it, or never was: its waiters are rejected. */
  #giveUp(wanted: number): void {
    if (this.#served.sequence >= wanted) return;
    if (this.#target === wanted) this.#target = this.#served.sequence;
    const lost = this.#waiting.filter(({ sequence }) => sequence <= wanted);
    for (const waiting of lost) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.reject(new StoreUnavailable(null, `The store has no sequence ${waiting.sequence}.`));
    }
  }

  /** One step: published.db to the store's newest sequence, and that past every delivery process. */
  async #advance(): Promise<void> {
    const isNew = await this.#writeSound();
    const { isServed, announce } = this.#parts;
    try {
      if (isNew || this.#writer.sequence !== this.#served.sequence || !isServed())
        await announce(this.#writer.sequence);
    } catch (error) {
      this.#throwUnlessRepairable(error);
      if (!(await this.#replace())) throw error;
      await announce(this.#writer.sequence);
    }
    this.#served = this.#writer.position;
    this.#parts.served?.();
    if (this.#failures > 0) {
      const { sequence } = this.#served;
      this.#parts.log.info({ event: 'published_again', sequence }, 'published again');
    }
    this.#failures = 0;
    this.#storeAway = false;
  }

  /** To a sound file; true: to another one than before. */
  async #writeSound(): Promise<boolean> {
    try {
      await this.#write();
    } catch (error) {
      this.#throwUnlessRepairable(error);
    }
    return this.#mayRepair && (await this.#replace());
  }

  /** Nothing more can be published to a damaged file. */
  #throwUnlessRepairable(error: unknown): void {
    if (!(error instanceof PublishedDamaged)) throw error;
    this.repair(error);
    if (!this.#mayRepair) throw error;
  }

  async #replace(): Promise<boolean> {
    const { store, file, log, withoutReaders } = this.#parts;
    const { position, isOfOlderFormat } = this.#writer;
    try {
      await this.#rejectEmpty();
      await store.readEverything(position.sequence, async (found) => {
        if (found.sequence < position.sequence) {
          throw new StoreUnavailable(null, 'The store moved meanwhile.');
        }
        await file.replace(found, storeOf(store), found.changes, withoutReaders);
      });
      this.#isReplaceDue = false;
      this.#repairs.done(performance.now(), null);
      log[isOfOlderFormat ? 'info' : 'warn'](
        { event: 'published_rebuilt', sequence: this.#writer.sequence },
        'published.db was rebuilt from the store',
      );
      return true;
    } catch (error) {
      this.#repairs.done(performance.now(), error);
      this.#runRepair();
      if (isOfOlderFormat && !(error instanceof StoreUnavailable)) {
        log.warn(
          { event: 'published_upgrade_postponed', err: error },
          'published.db is of an earlier version, and cannot be made again now; it is served as it is, and tried again',
        );
        return false;
      }
      // Edits go on where they can be written to the damaged file.
      if (!(error instanceof StoreDamaged)) throw error;
      log.error(
        { event: 'store_damaged' },
        `published.db cannot be rebuilt: the store is damaged. ${error.message}`,
      );
      return false;
    }
  }

  /** By what changed, or by everything where the change log does not say. */
  async #write(): Promise<void> {
    const { store } = this.#parts;
    const { position } = this.#writer;
    const askPrimary = this.#askPrimary;
    // It may be set again while this goes on; a failure restores it.
    this.#askPrimary = false;
    try {
      await this.#catchUp(position, Math.max(this.#target, askPrimary ? position.sequence + 1 : 0));
    } catch (error) {
      this.#askPrimary ||= askPrimary;
      throw error;
    }
    if (this.#rejected !== null) this.#writer.setRefused('');
    this.#rejected = null;
    // A file of an earlier version goes on being one until it is replaced.
    const isOlder = this.#isReplaceDue && this.#writer.isOfOlderFormat;
    const { id, streamKey } = storeOf(store);
    this.#writer.setStore({ id, streamKey: isOlder ? '' : streamKey });
  }

  /** @param atLeast beyond the position: what is read must not be late */
  async #catchUp(position: PublishedPosition, atLeast: number): Promise<void> {
    const { store } = this.#parts;
    const found = await store.readChanges(position, changesAtOnceMax, atLeast);
    // Where nothing was published yet there is nothing that single changes would spare.
    const isFirst = position.sequence === 0 && (typeof found === 'string' || found.sequence > 0);
    const changed = isFirst ? 'lost' : found;
    if (changed === 'lost' || changed === 'ahead') {
      await this.#rejectEmpty();
      if (changed === 'ahead') await store.moveBeyond(position);
      await this.#rebuild();
    } else if (changed === 'many') {
      await store.readManyChanges(position, atLeast, (all) =>
        this.#writer.applyMany(all, all.changes),
      );
    } else if (changed.sequence > position.sequence) {
      this.#writer.apply(changed, changed.changes);
    }
  }

  async #rebuild(): Promise<void> {
    const { store, log } = this.#parts;
    const from = this.#writer.sequence;
    // The numbers of delivery processes only grow.
    const atLeast = from === 0 ? 0 : from + 1;
    await store.readEverything(atLeast, async (found) => {
      if (found.sequence < atLeast) throw new StoreUnavailable(null, 'The store moved meanwhile.');
      await this.#writer.rebuild(found, found.changes);
    });
    if (from > 0) {
      log.warn(
        { event: 'published_reread', from, sequence: this.#writer.sequence },
        'everything was read again',
      );
    }
  }

  async #rejectEmpty(): Promise<void> {
    const { store, acceptEmpty } = this.#parts;
    if (acceptEmpty || this.#writer.servesNothing) return;
    const { id, servesNothing } = await store.look();
    if (!servesNothing && id !== this.#writer.refused) return;
    if (id !== this.#writer.refused) this.#writer.setRefused(id);
    this.#rejected ??= new EmptyStoreRejected();
    throw this.#rejected;
  }

  #failed(error: unknown): void {
    const retryMs = Math.min(publishRetryMsMax, publishRetryMsMin * 2 ** this.#failures);
    const wasAway = this.#storeAway;
    this.#failures += 1;
    this.#storeAway = error instanceof StoreUnavailable;
    // Tried every few seconds for as long as the database is away: one line says so.
    const isNew = !wasAway || (error instanceof EmptyStoreRejected && !this.#rejectionLogged);
    const isStopping = error instanceof NobodyServes && error.isStopping;
    if (!this.#storeAway && !isStopping) this.counts.failures += 1;
    const level = this.#storeAway ? (isNew ? 'warn' : 'debug') : isStopping ? 'debug' : 'error';
    this.#rejectionLogged ||= error instanceof EmptyStoreRejected;
    this.#parts.log[level](
      {
        event: this.#storeAway ? 'store_away' : 'publish_failed',
        ...{ err: error, sequence: this.#target, retryMs },
      },
      this.#storeAway
        ? 'the store is away: players are served what was published last'
        : 'what is saved cannot be published; it is tried again',
    );
    this.#rejectAll(error);
    if (this.#closed) return;
    // Many nodes lost the same database: they do not all come back at the same moment.
    const jitteredMs = retryMs * (0.5 + Math.random());
    this.#asked = true;
    this.#retry = setTimeout(() => this.#run(), jitteredMs).unref();
  }

  #settle(): void {
    for (let at = this.#waiting.length - 1; at >= 0; at -= 1) {
      const waiting = this.#waiting[at] as Waiting;
      if (waiting.sequence > this.#served.sequence) continue;
      this.#waiting.splice(at, 1);
      this.counts.times.note((performance.now() - waiting.fromMs) / 1_000);
      waiting.resolve();
    }
  }

  #rejectAll(error: unknown): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }

  /** Removes what is not needed any more. Everything is served by now: no edit fails because of a failure here. */
  async #tidy(): Promise<void> {
    const { store, retiredKept, log } = this.#parts;
    try {
      this.#writer.pruneBodies(retiredKept);
      const { sequence } = this.#served;
      if (sequence < this.#changesPrunedAt + changesPruneEvery) return;
      this.#changesPrunedAt = sequence;
      await store.pruneChanges(sequence - changesKept);
    } catch (error) {
      if (error instanceof PublishedDamaged) this.repair(error);
      log.warn(
        { event: 'published_cleanup_failed', err: error },
        'what is no longer needed could not be removed; it is tried again',
      );
    }
  }
}
