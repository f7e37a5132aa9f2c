/** Indexes of rendered bodies, so that a flag is found without reading all of the JSON. Bounded in bytes. */
import { LRUCache } from 'lru-cache';
import type { JsonDocument } from '../../content/json/document.js';
import { flagIndexesBytesMax, flagTasksMax, inlineBytesMax } from '../limits.js';
import { type Problem, problems } from '../problems.js';
import type { DocumentWork } from '../render/document-work.js';
import type { RenderSlot } from '../render/render-slot.js';
import { type RenderedParts, wrapperHead } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';

const entryBytes = 500;

export class BodyIndexes {
  readonly #work: Pick<DocumentWork, 'index'>;
  readonly #renderer: Pick<Renderer, 'index'>;
  readonly #log: (error: unknown) => void;
  readonly #nodes = new LRUCache<string, Uint32Array>({
    maxSize: flagIndexesBytesMax,
    sizeCalculation: (nodes, key) => nodes.byteLength + key.length + entryBytes,
  });
  /** Bodies that the pool is indexing, by the slot's key. */
  readonly #underWay = new Map<string, Promise<JsonDocument>>();

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
  document(slot: RenderSlot, parts: RenderedParts): JsonDocument | null {
    const json = jsonOf(parts);
    let nodes = this.#nodes.get(slot.key);
    if (nodes === undefined) {
      if (json.byteLength > inlineBytesMax) return null;
      ({ nodes } = this.#work.index(json));
      this.#nodes.set(slot.key, nodes);
    }
    return { bytes: json, nodes };
  }

  /** The same for a large body, with bytes of its own. `onIndexed` is called in a later turn, or in this one with a problem. */
  indexed(
    slot: RenderSlot,
    parts: RenderedParts,
    onIndexed: (document: JsonDocument | Problem) => void,
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

  async #index(key: string, bytes: Uint8Array): Promise<JsonDocument> {
    try {
      const nodes = await this.#renderer.index(bytes);
      this.#nodes.set(key, nodes);
      return { bytes, nodes };
    } catch (error) {
      this.#log(error);
      throw error;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

function jsonOf({ raw, rawLength }: RenderedParts): Uint8Array {
  return (raw as Uint8Array).subarray(wrapperHead.length, rawLength);
}
