/** Finds rendered bodies in a bounded cache, and has the pool make the ones that are missing: each once. */
import { LRUCache } from 'lru-cache';
import type { Piscina } from 'piscina';
import { batchBytesMax, batchTasksMax, renderedBytesMax, rendersPendingMax } from './limits.js';
import { type Refusal, refusals } from './refusals.js';
import type { PoolTask, RenderedParts, RenderReply, RenderTask } from './render-task.js';

export type Rendered = RenderedParts;

/** Called once: with the body, with null when the content it was chosen from is gone, or with why not. */
export type OnRendered = (rendered: Rendered | Refusal | null) => void;

interface Pending {
  readonly key: string;
  readonly task: RenderTask;
  /** Length of the unmutated body: what the work is estimated by. */
  readonly bytes: number;
  readonly waiting: OnRendered[];
}

/** What an entry costs beside its bytes: key, objects, map slots. */
const entryBytesOverhead = 512;

export class Renderer {
  readonly #pool: Piscina;
  readonly #log: (error: unknown) => void;
  readonly #cache = new LRUCache<string, Rendered>({
    maxSize: renderedBytesMax,
    sizeCalculation: sizeOf,
  });
  readonly #pending = new Map<string, Pending>();
  #missed: Pending[] = [];
  hits = 0;
  misses = 0;
  tasks = 0;
  taskSeconds = 0;

  constructor(pool: Piscina, log: (error: unknown) => void) {
    this.#pool = pool;
    this.#log = log;
  }

  /** The rendered body, if it is at hand. */
  cached(key: string): Rendered | undefined {
    const rendered = this.#cache.get(key);
    if (rendered !== undefined) this.hits += 1;
    return rendered;
  }

  /**
   * Has a body rendered that `cached` did not have. Equal keys share one job; the jobs of one turn of the
   * event loop travel together.
   * @param bytes length of the unmutated body
   */
  render(key: string, task: RenderTask, bytes: number, onRendered: OnRendered): void {
    this.misses += 1;
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      pending.waiting.push(onRendered);
      return;
    }
    if (this.#pending.size >= rendersPendingMax) {
      onRendered(refusals.overloaded);
      return;
    }
    const missed: Pending = { key, task, bytes, waiting: [onRendered] };
    this.#pending.set(key, missed);
    if (this.#missed.length === 0) setImmediate(() => this.#send());
    this.#missed.push(missed);
  }

  /** Compresses bytes that are not worth keeping. */
  async gzip(bytes: Uint8Array): Promise<Uint8Array> {
    return (await this.#run({ type: 'gzip', bytes })) as Uint8Array;
  }

  get bytes(): number {
    return this.#cache.calculatedSize;
  }

  get entries(): number {
    return this.#cache.size;
  }

  get queued(): number {
    return this.#pending.size;
  }

  #send(): void {
    const missed = this.#missed;
    this.#missed = [];
    let from = 0;
    let bytes = 0;
    for (let at = 0; at < missed.length; at += 1) {
      bytes += (missed[at] as Pending).bytes;
      const full = bytes >= batchBytesMax || at - from + 1 >= batchTasksMax;
      if (!full && at + 1 < missed.length) continue;
      void this.#runBatch(missed.slice(from, at + 1));
      from = at + 1;
      bytes = 0;
    }
  }

  async #runBatch(batch: readonly Pending[]): Promise<void> {
    let reply: RenderReply | null = null;
    try {
      reply = (await this.#run({ type: 'render', tasks: batch.map((p) => p.task) })) as RenderReply;
    } catch (error) {
      this.#log(error);
    }
    for (let at = 0; at < batch.length; at += 1) {
      const { key, waiting } = batch[at] as Pending;
      this.#pending.delete(key);
      const rendered = reply === null ? refusals.internal : (reply[at] ?? null);
      if (reply !== null && rendered !== null) this.#cache.set(key, rendered as Rendered);
      for (const onRendered of waiting) onRendered(rendered);
    }
  }

  async #run(task: PoolTask): Promise<unknown> {
    const startedAt = performance.now();
    try {
      return await this.#pool.run(task);
    } finally {
      this.tasks += 1;
      this.taskSeconds += (performance.now() - startedAt) / 1000;
    }
  }
}

function sizeOf(rendered: Rendered, key: string): number {
  return (
    (rendered.bytes?.byteLength ?? 0) +
    (rendered.deflated?.byteLength ?? 0) +
    key.length +
    entryBytesOverhead
  );
}
