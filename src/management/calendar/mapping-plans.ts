/** Knows the plans of mappings (plan-mapping.ts): each is made once, as long as it is remembered. */
import { LRUCache } from 'lru-cache';
import type { Layers } from '../../content/layers.js';
import { doWork, type Work } from '../jobs/work.js';
import { calendarKeptBytesMax } from '../limits/evaluation.js';
import { readLayers } from '../store/layers/read-layers.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import { findMapping } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';
import type { MappingRef } from './calendar-facts.js';
import { emptyPlan, type MappingPlan, type SegmentedMapping } from './plan-mapping.js';

/** Comparing rules in pairs goes through their bytes more than once. */
const comparisonWeight = 8;

export class MappingPlans {
  readonly #store: Store;
  readonly #work: Work;
  readonly #known = new LRUCache<string, MappingPlan>({
    maxSize: calendarKeptBytesMax,
    sizeCalculation: (plan, key) => JSON.stringify(plan).length + key.length,
  });

  constructor(store: Store, work: Work) {
    this.#store = store;
    this.#work = work;
  }

  /**
   * @param live what it is compared with; null: it is live itself, or nothing is
   * @throws WorkFailed, WorkTooLong
   */
  async plan(environment: string, now: MappingRef, live: MappingRef | null): Promise<MappingPlan> {
    const layers = await this.#store.read((db) => readLayers(db, environment));
    const key = JSON.stringify([environment, now, live, layers]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const input = await this.#read(environment, now, layers);
    const base = live && (await this.#read(environment, live, layers));
    // Retention removed it a moment ago.
    if (input === null) return emptyPlan;
    const bytes = weightOf(input) + (base === null ? 0 : weightOf(base));
    const weight = bytes * comparisonWeight;
    const plan = await doWork(this.#work, 'planMapping', { now: input, live: base }, weight);
    this.#known.set(key, plan);
    return plan;
  }

  #read(
    environment: string,
    { mapping, segments }: MappingRef,
    layers: Layers,
  ): Promise<SegmentedMapping | null> {
    return this.#store.read(async (db) => {
      const text = await findMapping(db, mapping);
      if (text === null) return null;
      const conditions: { readonly name: string; readonly condition: string }[] = [];
      for (const { name, revision } of segments) {
        const found = await findSegmentRevision(db, environment, name, revision);
        if (found !== null) conditions.push({ name, condition: found.condition });
      }
      return { mapping: text, segments: conditions, layers };
    });
  }
}

function weightOf({ mapping, segments }: SegmentedMapping): number {
  return segments.reduce((sum, { condition }) => sum + condition.length, mapping.byteLength);
}
