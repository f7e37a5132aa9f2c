/** Knows in which rules of a content's mapping a saved segment is used. */

import { LRUCache } from 'lru-cache';
import { doWork, type Work } from '../jobs/work.js';
import { segmentPlacesKept } from '../limits/evaluation.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { findMapping, type SegmentUse } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';

type Places = ReadonlyMap<string, readonly number[]>;

/** A use, with its places in the mapping of that revision. */
export interface PlacedUse extends Omit<SegmentUse, 'mapping'> {
  /** Places of the rules, from 0. */
  readonly rules: readonly number[];
}

export class SegmentPlaces {
  readonly #store: Store;
  readonly #work: Work;
  /** By digest, and what has a digest never changes. */
  readonly #known = new LRUCache<string, Places>({ max: segmentPlacesKept });

  constructor(store: Store, work: Work) {
    this.#store = store;
    this.#work = work;
  }

  /**
   * Mappings are read one by one, each in a turn of its own: thousands of them do not hold up other requests.
   * @throws WorkFailed, WorkTooLong
   */
  async place(uses: readonly SegmentUse[]): Promise<PlacedUse[]> {
    const placed: PlacedUse[] = [];
    const pace = new EventLoopYielder();
    for (const { mapping, ...use } of uses) {
      const places = this.#known.get(mapping) ?? (await this.#read(mapping));
      placed.push({ ...use, rules: places.get(use.segment) ?? [] });
      await pace.step();
    }
    return placed;
  }

  async #read(digest: string): Promise<Places> {
    const text = await this.#store.read((db) => findMapping(db, digest));
    if (text === null) return new Map();
    const found = await doWork(this.#work, 'findSavedSegments', text, text.byteLength);
    const places = new Map(found);
    this.#known.set(digest, places);
    return places;
  }
}
