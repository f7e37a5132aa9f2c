/** Knows the A/B tests of an environment, by reading the mappings of its contents: each once, as long as it is remembered. */

import { LRUCache } from 'lru-cache';
import type { AbTest } from '../contents/warnings/find-ab-tests.js';
import { doWork, type Work } from '../jobs/work.js';
import {
  abTestsKeptBytesMax,
  abTestsShownBytesMax,
  abTestsShownMax,
  abTestVariantsShownMax,
} from '../limits/evaluation.js';
import { listMappedRevisions, type MappedRevision } from '../store/contents/mapped-revisions.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { findMapping } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';

/** A test, and the revision that it stands in. */
export interface PlacedTest extends AbTest, Omit<MappedRevision, 'id'> {
  /** Id of the content. */
  readonly content: string;
}

export interface FoundTests {
  /** By content, in the order of its rules. */
  readonly tests: readonly PlacedTest[];
  /** There are more than are shown. */
  readonly cut: boolean;
}

/** The tests of one mapping. */
interface MappingTests {
  readonly tests: readonly AbTest[];
  readonly variants: number;
  /** As JSON: a name and a remark may make a test of a hundred bytes one of some kilobytes. */
  readonly bytes: number;
}

export class EnvironmentTests {
  readonly #store: Store;
  readonly #work: Work;
  /** By digest of the mapping, and what has a digest never changes. */
  readonly #known = new LRUCache<string, MappingTests>({
    maxSize: abTestsKeptBytesMax,
    sizeCalculation: ({ bytes }, digest) => bytes + digest.length,
  });

  constructor(store: Store, work: Work) {
    this.#store = store;
    this.#work = work;
  }

  /**
   * Null: there is no such environment. Mappings are read one by one, each in a moment of its own.
   * @param which of each content the live revision, or the newest
   * @throws WorkFailed, WorkTooLong
   */
  async list(environment: string, which: 'live' | 'newest'): Promise<FoundTests | null> {
    const revisions = await listMappedRevisions(this.#store, environment, which);
    if (revisions === null) return null;
    const tests: PlacedTest[] = [];
    let variants = 0;
    let bytes = 0;
    const pace = new EventLoopYielder();
    for (const { mapping, id, revision, live } of revisions) {
      const found = this.#known.get(mapping) ?? (await this.#read(mapping));
      variants += found.variants;
      bytes += found.bytes;
      if (
        tests.length + found.tests.length > abTestsShownMax ||
        variants > abTestVariantsShownMax ||
        bytes > abTestsShownBytesMax
      ) {
        return { tests, cut: true };
      }
      for (const test of found.tests) tests.push({ content: id, revision, live, mapping, ...test });
      await pace.step();
    }
    return { tests, cut: false };
  }

  async #read(digest: string): Promise<MappingTests> {
    const text = await this.#store.read((db) => findMapping(db, digest));
    // Retention removed it a moment ago.
    if (text === null) return measured([]);
    const found = measured(await doWork(this.#work, 'findAbTests', text, text.byteLength));
    this.#known.set(digest, found);
    return found;
  }
}

function measured(tests: readonly AbTest[]): MappingTests {
  const variants = tests.reduce((sum, test) => sum + test.variants.length, 0);
  return { tests, variants, bytes: Buffer.byteLength(JSON.stringify(tests)) };
}
