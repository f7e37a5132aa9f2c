/** Carries committed changes from the store into published.db and past every listener, until all of them are there. */
import type { Logger } from 'pino';
import type { PublishedWriter } from '../published/writer.js';
import {
  changesAtOnceMax,
  changesKept,
  changesPruneEvery,
  publishRetryMsMax,
  publishRetryMsMin,
} from './limits.js';
import type { Store } from './store/store.js';

/** Tells all listeners of a sequence; resolves when none serves anything older. */
export type Announce = (sequence: number) => Promise<void>;

export interface PublisherParts {
  readonly store: Pick<
    Store,
    'readChanges' | 'readManyChanges' | 'readEverything' | 'pruneChanges'
  >;
  readonly writer: Pick<
    PublishedWriter,
    'sequence' | 'apply' | 'applyMany' | 'rebuild' | 'pruneBodies'
  >;
  readonly announce: Announce;
  readonly log: Logger;
}

interface Waiting {
  readonly sequence: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Publisher {
  readonly #parts: PublisherParts;
  readonly #waiting: Waiting[] = [];
  /** What must be served: the newest sequence that anybody asked for. */
  #target = 0;
  /** What is served by every listener. */
  #served = 0;
  /** Since the last success. */
  #failures = 0;
  #changesPrunedAt = 0;
  #running: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  /** Whether something that was saved cannot be published for now. It is tried again until it can. */
  get failing(): boolean {
    return this.#failures > 0;
  }

  /** Brings published.db to the store's state before any listener starts: replays what is missing, or rebuilds. */
  async start(): Promise<void> {
    await this.#advance();
    await this.#tidy();
  }

  /**
   * Resolves when everything up to `sequence` is what every listener serves. Calls that come together share the way.
   * Rejects when that fails now; it is then published later, without another call.
   */
  publish(sequence: number): Promise<void> {
    if (sequence <= this.#served) return Promise.resolve();
    if (this.#closed) return Promise.reject(new Error('The publisher is closed.'));
    this.#target = Math.max(this.#target, sequence);
    const published = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ sequence, resolve, reject });
    });
    this.#run();
    return published;
  }

  /** Ends the trying; resolves when nothing is under way any more. What is missing is published at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#running;
    this.#rejectAll(new Error('The publisher is closed.'));
  }

  #run(): void {
    if (this.#running !== null) return;
    clearTimeout(this.#retry);
    this.#running = this.#reachTarget().finally(() => {
      this.#running = null;
    });
  }

  async #reachTarget(): Promise<void> {
    while (this.#served < this.#target && !this.#closed) {
      try {
        await this.#advance();
      } catch (error) {
        this.#failed(error);
        return;
      }
      this.#settle();
      await this.#tidy();
    }
  }

  /** One step: published.db to the store's newest sequence, and that past every listener. */
  async #advance(): Promise<void> {
    await this.#write();
    const { sequence } = this.#parts.writer;
    await this.#parts.announce(sequence);
    this.#served = sequence;
    this.#failures = 0;
  }

  /** By what changed, or by everything where the change log does not say. */
  async #write(): Promise<void> {
    const { store, writer } = this.#parts;
    const published = writer.sequence;
    const changed = published === 0 ? null : await store.readChanges(published, changesAtOnceMax);
    if (changed === null) {
      await store.readEverything(({ sequence, changes }) => writer.rebuild(sequence, changes));
    } else if (changed === 'many') {
      await store.readManyChanges(published, ({ sequence, changes }) =>
        writer.applyMany(sequence, changes),
      );
    } else if (changed.sequence > published) {
      writer.apply(changed.sequence, changed.changes);
    }
  }

  #failed(error: unknown): void {
    const retryMs = Math.min(publishRetryMsMax, publishRetryMsMin * 2 ** this.#failures);
    this.#failures += 1;
    this.#parts.log.error(
      { err: error, sequence: this.#target, retryMs },
      'what is saved cannot be published; it is tried again',
    );
    this.#rejectAll(error);
    if (!this.#closed) this.#retry = setTimeout(() => this.#run(), retryMs).unref();
  }

  #settle(): void {
    for (let at = this.#waiting.length - 1; at >= 0; at -= 1) {
      const waiting = this.#waiting[at] as Waiting;
      if (waiting.sequence > this.#served) continue;
      this.#waiting.splice(at, 1);
      waiting.resolve();
    }
  }

  #rejectAll(error: unknown): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }

  /** Throws out what nobody needs. Everything is served by now: a failure here is nobody's but ours. */
  async #tidy(): Promise<void> {
    const { store, writer, log } = this.#parts;
    try {
      writer.pruneBodies();
      if (this.#served < this.#changesPrunedAt + changesPruneEvery) return;
      this.#changesPrunedAt = this.#served;
      await store.pruneChanges(this.#served - changesKept);
    } catch (error) {
      log.warn({ err: error }, 'what is no longer needed could not be removed; it is tried again');
    }
  }
}
