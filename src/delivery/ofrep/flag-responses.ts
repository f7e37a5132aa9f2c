/** Keeps evaluated flags at the slots of their bodies, bounded in bytes for the whole process, and compresses those in demand. */
import { LRUCache } from 'lru-cache';
import { flagKeptBytesMax, flagsKeptBytesMax, flagTasksMax, flagTouchMs } from '../limits.js';
import type { FlagResponse } from '../render/flag-response.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';

export class FlagResponses {
  readonly #renderer: Pick<Renderer, 'compress'>;
  readonly #kept = new LRUCache<FlagResponse, RenderSlot>({
    maxSize: flagsKeptBytesMax,
    sizeCalculation: (_slot, response) => response.size,
    dispose: (slot, response) => slot.flags?.delete(response.key),
  });
  #packing = 0;

  constructor(renderer: Pick<Renderer, 'compress'>) {
    this.#renderer = renderer;
  }

  /** What all of them hold in memory. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** @returns undefined when the flag was not evaluated for the slot's body, or is forgotten */
  find(slot: RenderSlot, key: string, nowMs: number): FlagResponse | undefined {
    const response = slot.flags?.get(key);
    if (response !== undefined && nowMs - response.touchedAtMs >= flagTouchMs) {
      response.touchedAtMs = nowMs;
      this.#kept.get(response);
    }
    return response;
  }

  keep(slot: RenderSlot, response: FlagResponse): void {
    if (response.bytes.byteLength > flagKeptBytesMax) return;
    slot.flags ??= new Map();
    slot.flags.set(response.key, response);
    this.#kept.set(response, slot);
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
      .then(
        (packed) => {
          response.packed = packed;
          // Counted again, unless it was forgotten meanwhile. The cache looks at the size of a new entry only.
          if (this.#kept.delete(response)) this.keep(slot, response);
        },
        () => undefined,
      )
      .finally(() => {
        this.#packing -= 1;
        response.isPacking = false;
      });
  }
}
