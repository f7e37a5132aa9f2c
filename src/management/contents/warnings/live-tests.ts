/** Compares the A/B tests of a state that is saved or published with those that are live, for warnings. */

import { LRUCache } from 'lru-cache';
import type { ValidationIssue } from '../../../contract/problems.js';
import { doWork, type Work } from '../../jobs/work.js';
import { abTestsKeptBytesMax } from '../../limits/evaluation.js';
import { heavyBytesMin } from '../../limits/work.js';
import type { Db } from '../../store/dialect.js';
import { findMapping } from '../../store/segments/segments.js';
import type { ContentState } from '../content-state.js';
import { type AbTest, findAbTests } from './find-ab-tests.js';
import { movedPlayersWarnings } from './moved-players.js';

/** A state, and the mapping that is delivered of the same content now. */
export interface ComparedState extends ContentState {
  /** Digest; null: nothing is live, or without a mapping. */
  readonly liveMapping: string | null;
}

export class LiveTests {
  readonly #work: Work;
  readonly #now: () => number;
  /** By digest of the mapping, and what has a digest never changes. */
  readonly #known = new LRUCache<string, readonly AbTest[]>({
    maxSize: abTestsKeptBytesMax,
    sizeCalculation: (tests, digest) => JSON.stringify(tests).length + digest.length,
  });

  /** @param now milliseconds since the epoch */
  constructor(work: Work, now: () => number) {
    this.#work = work;
    this.#now = now;
  }

  /**
   * What the state does to the players of tests that run. A large mapping that was not read ahead is not read now: its
   * edit waits within a transaction, and the warning is no reason to make all others wait.
   */
  async warnings(db: Db, state: ComparedState): Promise<ValidationIssue[]> {
    const { mapping, liveMapping } = state;
    if (mapping === null || liveMapping === null || mapping === liveMapping) return [];
    const live = await this.#find(db, state, liveMapping);
    const edited = await this.#find(db, state, mapping);
    if (live === null || edited === null) return [];
    return movedPlayersWarnings(live, edited, this.#now());
  }

  /**
   * Reads the mappings of a state that is about to be checked.
   * @throws WorkFailed, WorkTooLong
   */
  async ahead(mappings: readonly LoadedMapping[]): Promise<void> {
    for (const { digest, text } of mappings) {
      this.#known.set(digest, await doWork(this.#work, 'findAbTests', text, text.byteLength));
    }
  }

  /** The mappings that are not known yet, for `ahead`. */
  async load(db: Db, state: ComparedState): Promise<LoadedMapping[]> {
    const { mapping, liveMapping } = state;
    if (mapping === null || liveMapping === null || mapping === liveMapping) return [];
    const loaded: LoadedMapping[] = [];
    for (const digest of [mapping, liveMapping]) {
      if (this.#known.has(digest)) continue;
      const text = state.texts.get(digest) ?? (await findMapping(db, digest));
      if (text !== null) loaded.push({ digest, text });
    }
    return loaded;
  }

  async #find(db: Db, state: ComparedState, digest: string): Promise<readonly AbTest[] | null> {
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    const text = state.texts.get(digest) ?? (await findMapping(db, digest));
    if (text === null || text.byteLength >= heavyBytesMin) return null;
    const tests = findAbTests(text);
    this.#known.set(digest, tests);
    return tests;
  }
}

interface LoadedMapping {
  readonly digest: string;
  readonly text: Uint8Array;
}
