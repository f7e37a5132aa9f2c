/**
 * Finds rendered bodies in the cache and has the missing ones made: a splice of moderate size at once, by the front end
 * itself, all else by the pool, each once for all who wait (D15, D71). Compression comes with the second request for a variant.
 */
import { LRUCache } from 'lru-cache';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { JsonDocument } from '../../content/json/document.js';
import type { EventLoopLag } from '../event-loop-lag.js';
import {
  batchBytesMax,
  batchTasksMax,
  gzipBytesMin,
  inlineBytesMax,
  inlineDocumentsBytesMax,
  pendingBytesMax,
  pendingTasksMax,
  renderWaitMsMax,
} from '../limits.js';
import { Problem, problems } from '../problems.js';
import { encodeBody, renderBody } from './body-renderer.js';
import { BufferPool } from './buffer-pool.js';
import { tailBytesMax } from './caller-tail.js';
import type { DocumentWork } from './document-work.js';
import type { RenderPool } from './render-pool.js';
import type { RenderSlot } from './render-slot.js';
import {
  Coding,
  type DocumentParts,
  type FlagIndex,
  Form,
  type PoolTask,
  type RenderedParts,
  type RenderFailure,
  type RenderReply,
  type RenderTask,
} from './render-task.js';
import { type CachedBody, RenderedCache } from './rendered-cache.js';
import { responseLength } from './responses.js';

/** Called once: with the body, with null when the content it was chosen from is gone, or with why not. */
export type OnRendered = (rendered: RenderedParts | Problem | null) => void;

/** What a response is made of: a body, and the slot that it belongs to. */
export interface Choice {
  readonly slot: RenderSlot;
  /** Null: it must be waited for (`render`). */
  readonly parts: RenderedParts | Problem | null;
}

interface Waiting {
  readonly slot: RenderSlot;
  readonly onRendered: OnRendered;
}

interface Pending {
  readonly key: string;
  readonly task: RenderTask;
  /** Length of the unmutated body and of its mutations: what the work is estimated by. */
  readonly bytes: number;
  readonly waiting: Waiting[];
  readonly timer: NodeJS.Timeout;
}

export class Renderer {
  readonly #pool: Pick<RenderPool, 'run'>;
  readonly #work: DocumentWork;
  readonly #turns: EventLoopLag;
  readonly #log: (error: unknown) => void;
  readonly #damaged: (detail: string) => void;
  readonly #spares = new BufferPool();
  readonly #cache = new RenderedCache((bytes) => this.#spares.give(bytes));
  readonly #pending = new Map<string, Pending>();
  /** Parsed contents for splices at once, and the digests of those that the pool is asked for. */
  readonly #documents = new LRUCache<string, JsonDocument>({
    maxSize: inlineDocumentsBytesMax,
    sizeCalculation: (document) => document.bytes.byteLength + document.nodes.byteLength + 256,
    dispose: (_document, _digest, reason) => {
      if (reason === 'evict') this.#documentsEvicted += 1;
    },
  });
  #documentsEvicted = 0;
  readonly #documentsAsked = new Set<string>();
  #missed: Pending[] = [];
  #pendingBytes = 0;
  hits = 0;
  misses = 0;
  inline = 0;
  tasks = 0;
  taskSeconds = 0;

  /** @param damaged receives that a worker found published.db damaged: what it had to load is not delivered */
  constructor(
    pool: Pick<RenderPool, 'run'>,
    work: DocumentWork,
    turns: EventLoopLag,
    log: (error: unknown) => void,
    damaged: (detail: string) => void = () => undefined,
  ) {
    this.#pool = pool;
    this.#work = work;
    this.#turns = turns;
    this.#log = log;
    this.#damaged = damaged;
  }

  /** Whether the cache has the body in some coding, so that none must be made from the stored text. */
  isCached(slot: RenderSlot): boolean {
    return (
      (slot.body !== null && slot.body.parts !== null) ||
      this.#cache.peek(slot.key) !== undefined ||
      this.#uncompressedBody(slot) !== null
    );
  }

  /** The body, if the cache has it; its bytes hold for this turn of the event loop. */
  cached(slot: RenderSlot, nowMs: number): RenderedParts | null {
    const held = slot.body;
    const parts = held === null ? null : held.parts;
    if (held === null || parts === null) return this.#found(slot, nowMs);
    this.hits += 1;
    this.#cache.touch(held, nowMs);
    return parts;
  }

  #found(slot: RenderSlot, nowMs: number): RenderedParts | null {
    const body = this.#cache.peek(slot.key);
    return body === undefined ? null : this.#hit(slot, body, nowMs);
  }

  #hit(slot: RenderSlot, body: CachedBody, nowMs: number): RenderedParts | null {
    this.hits += 1;
    this.#cache.touch(body, nowMs);
    slot.body = body;
    return body.parts;
  }

  /**
   * Chooses the body of a response when `cached` has none in the request's coding. The first response of a
   * variant that can be spliced at once is not compressed, and no response below 1 KiB ever is. Where only the
   * uncompressed body is cached and the response is larger, the request waits for the compressed one.
   */
  choose(slot: RenderSlot, caller: EvaluationContext, nowMs: number): Choice {
    const body = this.#uncompressedBody(slot);
    const parts = body === null ? null : body.parts;
    if (body === null || parts === null) return this.#first(slot);
    const { uncompressed } = slot;
    if (responseLength(uncompressed, parts, caller) >= gzipBytesMin) return { slot, parts: null };
    // Where that holds for every caller, the next hit is found by `cached`.
    const isSmall =
      slot.form === Form.Plain ||
      parts.rawLength + tailBytesMax(slot.head, uncompressed.suffix(parts.missed)) < gzipBytesMin;
    const of = isSmall ? slot : uncompressed;
    return { slot: of, parts: this.#hit(of, body, nowMs) };
  }

  /** The same for an entry of a combined response: its small bodies are compressed too, for together they are large. */
  chooseEntry(slot: RenderSlot): Choice {
    const parts = this.#uncompressedBody(slot)?.parts ?? null;
    if (parts === null) return this.#first(slot);
    return { slot, parts: parts.rawLength < gzipBytesMin ? this.#deflated(slot, parts) : null };
  }

  /** Nothing is cached. What may be below 1 KiB is made uncompressed too: compressing it might be in vain. */
  #first(slot: RenderSlot): Choice {
    const { coding, workBytes } = slot;
    let first = slot;
    if (coding !== Coding.Identity) {
      const mayBeSmall = workBytes < gzipBytesMin;
      if (mayBeSmall || isInline(slot.uncompressed)) first = slot.uncompressed;
    }
    return { slot: first, parts: this.spliced(first) };
  }

  /** Null: the cache has none, or the slot is of such a body itself. */
  #uncompressedBody(slot: RenderSlot): CachedBody | null {
    if (slot.coding === Coding.Identity) return null;
    const { body, key } = slot.uncompressed;
    if (body !== null && body.parts !== null) return body;
    return this.#cache.peek(key) ?? null;
  }

  /** Compresses a small body at once: it takes 20 us, less than the hop to the pool. */
  #deflated(slot: RenderSlot, parts: RenderedParts): RenderedParts {
    const raw = (parts.raw as Uint8Array).slice();
    this.inline += 1;
    const deflated = encodeBody(parts, raw, slot.task);
    slot.body = this.#cache.set(slot.key, deflated, false);
    return deflated;
  }

  /**
   * A mutated body of moderate size, made at once from a document that is at hand: the hop to the pool would cost
   * several times the splice. Its bytes hold for this turn of the event loop. Null: it must be waited for (`render`).
   */
  spliced(slot: RenderSlot): RenderedParts | Problem | null {
    if (!isInline(slot)) return null;
    const document = this.#documents.get(slot.line.digest);
    if (document === undefined) return null;
    if (this.#turns.isBehind()) return problems.overloaded;
    this.inline += 1;
    const allocate = (length: number): Uint8Array => this.#spares.take(length);
    const parts = renderBody(this.#work, slot.task, document, slot.mutations, allocate);
    slot.body = this.#cache.set(slot.key, parts, true);
    return parts;
  }

  /** Has the pool make a body that is neither. Equal ones share one job; those of one turn travel together. */
  render(slot: RenderSlot, onRendered: OnRendered): void {
    this.misses += 1;
    const pending = this.#pending.get(slot.key);
    if (pending !== undefined) {
      pending.waiting.push({ slot, onRendered });
      return;
    }
    const bytes = slot.workBytes;
    const full = this.#pending.size >= pendingTasksMax;
    if (full || (this.#pendingBytes > 0 && this.#pendingBytes + bytes > pendingBytesMax)) {
      onRendered(problems.overloaded);
      return;
    }
    const missed: Pending = {
      key: slot.key,
      task: slot.task,
      bytes,
      waiting: [{ slot, onRendered }],
      timer: setTimeout(() => this.#giveUp(missed), renderWaitMsMax),
    };
    this.#pending.set(slot.key, missed);
    this.#pendingBytes += bytes;
    if (this.#missed.length === 0) setImmediate(() => this.#send());
    this.#missed.push(missed);
    this.#askDocument(slot);
  }

  /** Compresses bytes that are no rendered body. */
  async compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
    return (await this.#run({ type: 'compress', bytes, coding })) as Uint8Array;
  }

  /** Has the pool index a JSON text for flags. */
  async index(json: Uint8Array): Promise<FlagIndex> {
    return (await this.#run({ type: 'index', json })) as FlagIndex;
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  get entries(): number {
    return this.#cache.entries;
  }

  /** Rendered bodies and parsed contents that gave way to others. */
  get evictions(): { readonly rendered: number; readonly documents: number } {
    return { rendered: this.#cache.evictions, documents: this.#documentsEvicted };
  }

  get queued(): number {
    return this.#pending.size;
  }

  /** So that the next splice of this content can be made at once. */
  #askDocument(slot: RenderSlot): void {
    const { digest } = slot.line;
    if (!isInline(slot) || this.#documentsAsked.has(digest)) return;
    this.#documentsAsked.add(digest);
    this.#run({ type: 'document', bodyDigest: digest })
      .then((document) => {
        const parts = document as DocumentParts | RenderFailure | null;
        if (parts === null) return;
        if ('failure' in parts) this.#failed(parts);
        else this.#documents.set(digest, parts);
      })
      .catch(this.#log)
      .finally(() => this.#documentsAsked.delete(digest));
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
      const pending = batch[at] as Pending;
      const result = reply === null ? problems.internal : this.#resultOf(reply[at] ?? null);
      if (result !== null && !(result instanceof Problem)) this.#keep(pending, result);
      this.#settle(pending, result);
    }
  }

  /** The slots that waited must have the body's place, which knows what was written behind the body (CachedTail). */
  #keep({ key, waiting }: Pending, parts: RenderedParts): void {
    const body = this.#cache.set(key, parts, false);
    for (const { slot } of waiting) slot.body = body;
  }

  #resultOf(reply: RenderReply[number]): RenderedParts | Problem | null {
    if (reply === null || !('failure' in reply)) return reply;
    this.#failed(reply);
    return problems.internal;
  }

  #failed({ failure, damaged }: RenderFailure): void {
    if (damaged) this.#damaged(failure);
    else this.#log(new Error(failure));
  }

  #giveUp(pending: Pending): void {
    this.#settle(pending, problems.overloaded);
  }

  #settle(pending: Pending, result: RenderedParts | Problem | null): void {
    if (this.#pending.get(pending.key) !== pending) return;
    this.#pending.delete(pending.key);
    this.#pendingBytes -= pending.bytes;
    clearTimeout(pending.timer);
    for (const { onRendered } of pending.waiting) onRendered(result);
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

/** Compressing, quoting a whole document, and putting a large one in its place, is work of another order: the pool's. */
function isInline({ form, coding, mutations, workBytes }: RenderSlot): boolean {
  if (form !== Form.Wrapped || coding !== Coding.Identity) return false;
  return mutations.length > 0 && workBytes <= inlineBytesMax;
}
