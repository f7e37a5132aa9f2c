/**
 * Keeps evaluated flags at the slots of their bodies, and which flags these lack; bounded in bytes for the whole process, and
 * forgotten with the slots. Compresses those in demand.
 */
import { LRUCache } from 'lru-cache';
import {
  flagKeptBytesMax,
  flagMissesBytesMax,
  flagsKeptBytesMax,
  flagTasksMax,
  flagTouchMs,
  turnMsMax,
} from '../limits.js';
import type { Problem } from '../problems.js';
import { FlagMiss, type FlagResponse, type KeptFlag } from '../render/flag-response.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';

/** Those of one slot, by key. The slot itself is not held: it holds the rules of its content item. */
type SlotFlags = Map<string, KeptFlag>;

export class FlagResponses {
  readonly #renderer: Pick<Renderer, 'compress'>;
  readonly #log: (error: unknown) => void;
  readonly #kept = this.#makeCache(flagsKeptBytesMax - flagMissesBytesMax);
  /** Apart, so that a client that makes keys up drives no flag out. */
  readonly #misses = this.#makeCache(flagMissesBytesMax);
  /** Responses and misses that gave way to others. */
  evictions = 0;
  /** Of slots that are gone. */
  readonly #dead: SlotFlags[] = [];
  #packing = 0;

  /** @param log receives why a response could not be compressed */
  constructor(renderer: Pick<Renderer, 'compress'>, log: (error: unknown) => void) {
    this.#renderer = renderer;
    this.#log = log;
  }

  /** What all of them hold in memory. */
  get bytes(): number {
    return this.#kept.calculatedSize + this.#misses.calculatedSize;
  }

  /** @returns undefined when the flag was not looked up in the slot's body, or that is forgotten */
  find(slot: RenderSlot, key: string, nowMs: number): KeptFlag | undefined {
    const kept = slot.flags?.get(key);
    if (kept !== undefined && nowMs - kept.touchedAtMs >= flagTouchMs) {
      kept.touchedAtMs = nowMs;
      this.#cacheOf(kept).get(kept);
    }
    return kept;
  }

  keep(slot: RenderSlot, response: FlagResponse): void {
    if (response.bytes.byteLength <= flagKeptBytesMax) this.#keep(slot, response);
  }

  /** @param problem what a request for such a flag is rejected with */
  keepMiss(slot: RenderSlot, key: string, problem: Problem): void {
    this.#keep(slot, new FlagMiss(key, problem));
  }

  /** Has the pool compress a response that is asked for again; until it has, and where that is busy, it is sent as it is. */
  pack(slot: RenderSlot, response: FlagResponse): void {
    if (!response.isProven) {
      response.isProven = true;
      return;
    }
    if (response.isPacking || this.#packing >= flagTasksMax) return;
    response.isPacking = true;
    this.#packing += 1;
    this.#renderer
      .compress(response.bytes, Coding.Gzip)
      .then((packed) => {
        response.packed = packed;
        // Counted again, unless it was forgotten meanwhile. The cache looks at the size of a new entry only.
        if (this.#kept.delete(response)) this.keep(slot, response);
      })
      .catch(this.#log)
      .finally(() => {
        this.#packing -= 1;
        response.isPacking = false;
      });
  }

  #keep(slot: RenderSlot, kept: KeptFlag): void {
    // An edit has passed the request, or the selection is made for the first time: no request would find it here.
    if (!slot.isRemembered) return;
    const flags = slot.flags ?? this.#keepAt(slot);
    const before = flags.get(kept.key);
    if (before !== undefined) this.#cacheOf(before).delete(before);
    flags.set(kept.key, kept);
    this.#cacheOf(kept).set(kept, flags);
  }

  #keepAt(slot: RenderSlot): SlotFlags {
    const flags: SlotFlags = new Map();
    slot.keepFlags(flags, () => {
      this.#dead.push(flags);
      if (this.#dead.length === 1) setImmediate(() => this.#sweep());
    });
    return flags;
  }

  /** Forgets those of slots that are gone, in short turns: there may be a hundred thousand of them. */
  #sweep(): void {
    const untilMs = performance.now() + turnMsMax;
    for (let flags = this.#dead.at(-1); flags !== undefined; flags = this.#dead.at(-1)) {
      for (const kept of flags.values()) {
        this.#cacheOf(kept).delete(kept);
        if (performance.now() < untilMs) continue;
        setImmediate(() => this.#sweep());
        return;
      }
      this.#dead.pop();
    }
  }

  #cacheOf(kept: KeptFlag): LRUCache<KeptFlag, SlotFlags> {
    return kept instanceof FlagMiss ? this.#misses : this.#kept;
  }

  #makeCache(maxSize: number): LRUCache<KeptFlag, SlotFlags> {
    return new LRUCache<KeptFlag, SlotFlags>({
      maxSize,
      sizeCalculation: (_flags, kept) => kept.size,
      dispose: (flags, kept, reason) => {
        flags.delete(kept.key);
        if (reason === 'evict') this.evictions += 1;
      },
    });
  }
}
