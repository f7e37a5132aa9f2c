/** Carries committed changes from the store into published.db and past every listener. */
import type { PublishedWriter } from '../published/writer.js';
import { changesKept } from './limits.js';
import type { Store } from './store/store.js';

/** Tells all listeners of a sequence; resolves when none serves anything older. */
export type Announce = (sequence: number) => Promise<void>;

interface Waiting {
  readonly sequence: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Publisher {
  readonly #store: Store;
  readonly #writer: PublishedWriter;
  readonly #announce: Announce;
  readonly #waiting: Waiting[] = [];
  #served = 0;
  #running = false;

  constructor(store: Store, writer: PublishedWriter, announce: Announce) {
    this.#store = store;
    this.#writer = writer;
    this.#announce = announce;
  }

  /** Brings published.db to the store's state before any listener starts: replays what is missing, or rebuilds. */
  async start(): Promise<void> {
    await this.#write();
    this.#served = this.#writer.sequence;
    this.#writer.pruneBodies();
    await this.#store.pruneChanges(this.#served - changesKept);
  }

  /** Resolves when everything up to `sequence` is what every listener serves. Calls that come together share the way. */
  publish(sequence: number): Promise<void> {
    if (sequence <= this.#served) return Promise.resolve();
    const published = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ sequence, resolve, reject });
    });
    if (!this.#running) void this.#run();
    return published;
  }

  /** Brings published.db to the store's newest sequence: by what changed, or by everything. */
  async #write(): Promise<void> {
    const published = this.#writer.sequence;
    const changed = published === 0 ? null : await this.#store.readChanges(published);
    if (changed === null) {
      const { sequence, changes } = await this.#store.readEverything();
      await this.#writer.rebuild(sequence, changes);
    } else if (changed.sequence > published) {
      this.#writer.apply(changed.sequence, changed.changes);
    }
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#write();
        await this.#announce(this.#writer.sequence);
        this.#served = this.#writer.sequence;
        this.#settle();
        this.#writer.pruneBodies();
      }
    } catch (error) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    } finally {
      this.#running = false;
    }
  }

  #settle(): void {
    for (let at = this.#waiting.length - 1; at >= 0; at -= 1) {
      const waiting = this.#waiting[at] as Waiting;
      if (waiting.sequence > this.#served) continue;
      this.#waiting.splice(at, 1);
      waiting.resolve();
    }
  }
}
