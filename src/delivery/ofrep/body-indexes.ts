/** Indexes of rendered bodies, so that a flag is found without reading all of the JSON. Bounded in bytes. */
import { LRUCache } from 'lru-cache';
import type { FlagDocument } from '../../content/flags/locate-flag.js';
import { flagIndexesBytesMax, flagTasksMax, inlineBytesMax } from '../limits.js';
import { type Problem, problems } from '../problems.js';
import type { DocumentWork } from '../render/document-work.js';
import type { RenderSlot } from '../render/render-slot.js';
import { type FlagIndex, type RenderedParts, wrapperHead } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';

const entryBytes = 500;

export class BodyIndexes {
  readonly #work: Pick<DocumentWork, 'index'>;
  readonly #renderer: Pick<Renderer, 'index'>;
  readonly #log: (error: unknown) => void;
  readonly #indexes = new LRUCache<string, FlagIndex>({
    maxSize: flagIndexesBytesMax,
    sizeCalculation: (index, key) => bytesOf(index) + key.length + entryBytes,
    dispose: (_index, _key, reason) => {
      if (reason === 'evict') this.evictions += 1;
    },
  });
  /** Indexes that gave way to others. */
  evictions = 0;
  /** Bodies that the pool is indexing, by the slot's key. */
  readonly #underWay = new Map<string, Promise<FlagDocument>>();

  constructor(
    work: Pick<DocumentWork, 'index'>,
    renderer: Pick<Renderer, 'index'>,
    log: (error: unknown) => void,
  ) {
    this.#work = work;
    this.#renderer = renderer;
    this.#log = log;
  }

  /**
   * The JSON of a wrapped body without a coding, and its index. Its bytes hold as long as those of the parts.
   * @returns null for one that is large and not known: it must be waited for (`indexed`)
   */
  document(slot: RenderSlot, parts: RenderedParts): FlagDocument | null {
    const bytes = jsonOf(parts);
    let index = this.#indexes.get(slot.key);
    if (index === undefined) {
      if (bytes.byteLength > inlineBytesMax) return null;
      index = { nodes: this.#work.index(bytes).nodes, wide: null };
      this.#indexes.set(slot.key, index);
    }
    return { bytes, ...index };
  }

  /** The same for a large body, with bytes of its own. `onIndexed` is called in a later turn, or in this one with a problem. */
  indexed(
    slot: RenderSlot,
    parts: RenderedParts,
    onIndexed: (document: FlagDocument | Problem) => void,
  ): void {
    const { key } = slot;
    let indexing = this.#underWay.get(key);
    if (indexing === undefined) {
      if (this.#underWay.size >= flagTasksMax) {
        onIndexed(problems.overloaded);
        return;
      }
      indexing = this.#index(key, jsonOf(parts).slice());
      this.#underWay.set(key, indexing);
    }
    indexing.then(onIndexed, () => onIndexed(problems.internal));
  }

  async #index(key: string, bytes: Uint8Array): Promise<FlagDocument> {
    try {
      const index = await this.#renderer.index(bytes);
      this.#indexes.set(key, index);
      return { bytes, ...index };
    } catch (error) {
      this.#log(error);
      throw error;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

function bytesOf({ nodes, wide }: FlagIndex): number {
  return nodes.byteLength + (wide === null ? 0 : wide.entries.byteLength + wide.places.byteLength);
}

function jsonOf({ raw, rawLength }: RenderedParts): Uint8Array {
  return (raw as Uint8Array).subarray(wrapperHead.length, rawLength);
}
