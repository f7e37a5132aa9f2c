/** Knows which A/B tests of an environment interfere: each mapping is compared once, as long as it is remembered. */
import { LRUCache } from 'lru-cache';
import { contentKey } from '../../content/content-id.js';
import { interferencesMax } from '../../contract/limits.js';
import type {
  FoundInterference,
  InterferenceInput,
  InterferingTests,
} from '../contents/warnings/find-interference.js';
import { findSavedSegments } from '../evaluation/find-saved-segments.js';
import { doWork, type Work } from '../jobs/work.js';
import { interferenceKeptBytesMax, interferenceMappingsMax } from '../limits/evaluation.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { type ExperimentRecord, listExperiments } from '../store/experiments/experiments.js';
import { readLayers } from '../store/layers/read-layers.js';
import { findMapping, findSegment } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';
import type { EnvironmentTests, PlacedTest } from './environment-tests.js';

/** Where two tests interfere. */
export interface PlacedInterference extends InterferingTests {
  /** Id of the content. */
  readonly content: string;
  readonly revision: number;
  readonly live: boolean;
  /** Ids of their experiments; null: there is no record. */
  readonly experimentOfA: string | null;
  readonly experimentOfB: string | null;
}

/** Comparing rules in pairs goes through their bytes more than once. */
const comparisonWeight = 8;

/** What was found with a window counts from an hour to the next. */
const msPerHour = 3_600_000;

export class EnvironmentInterference {
  readonly #store: Store;
  readonly #work: Work;
  readonly #tests: EnvironmentTests;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, FoundInterference>({
    maxSize: interferenceKeptBytesMax,
    sizeCalculation: (found, key) => JSON.stringify(found).length + key.length,
  });

  /** @param now milliseconds since the epoch */
  constructor(store: Store, work: Work, tests: EnvironmentTests, now: () => number) {
    this.#store = store;
    this.#work = work;
    this.#tests = tests;
    this.#now = now;
  }

  /**
   * By content; null: there is no such environment.
   * @param which of each content the live revision, or the newest
   * @throws WorkFailed, WorkTooLong
   */
  async list(
    environment: string,
    which: 'live' | 'newest',
  ): Promise<{ readonly pairs: readonly PlacedInterference[]; readonly cut: boolean } | null> {
    const found = await this.#tests.list(environment, which);
    if (found === null) return null;
    const experiments = await this.#store.read((db) => listExperiments(db, environment));
    const pairs: PlacedInterference[] = [];
    let { cut } = found;
    let compared = 0;
    const pace = new EventLoopYielder();
    for (const place of placesOf(found.tests)) {
      if (compared++ === interferenceMappingsMax || pairs.length >= interferencesMax) {
        return { pairs: pairs.slice(0, interferencesMax), cut: true };
      }
      const one = await this.#compare(environment, place);
      cut ||= one.cut;
      for (const pair of one.pairs) pairs.push(placed(pair, place, experiments));
      await pace.step();
    }
    return { pairs: pairs.slice(0, interferencesMax), cut: cut || pairs.length > interferencesMax };
  }

  async #compare(environment: string, place: PlacedTest): Promise<FoundInterference> {
    const nowMs = Math.floor(this.#now() / msPerHour) * msPerHour;
    const input = await this.#read(environment, place, nowMs);
    if (input === null) return nothingFound;
    const { mapping, ...others } = input;
    const key = JSON.stringify([place.mapping, others]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const weight = mapping.byteLength * comparisonWeight;
    const found = await doWork(this.#work, 'findInterference', input, weight);
    this.#known.set(key, found);
    return found;
  }

  /** Null: retention removed it a moment ago. */
  #read(
    environment: string,
    { mapping: digest }: PlacedTest,
    nowMs: number,
  ): Promise<InterferenceInput | null> {
    return this.#store.read(async (db) => {
      const mapping = await findMapping(db, digest);
      if (mapping === null) return null;
      const segments: { readonly name: string; readonly condition: string }[] = [];
      for (const [name] of findSavedSegments(mapping)) {
        const saved = await findSegment(db, environment, name);
        if (saved !== null) segments.push({ name, condition: saved.condition });
      }
      return { mapping, segments, layers: await readLayers(db, environment), nowMs };
    });
  }
}

const nothingFound: FoundInterference = { pairs: [], cut: false };

/** One test of each content that has several. */
function placesOf(tests: readonly PlacedTest[]): readonly PlacedTest[] {
  return tests.filter(
    ({ content }, at) => tests[at + 1]?.content === content && tests[at - 1]?.content !== content,
  );
}

function placed(
  pair: InterferingTests,
  { content, revision, live }: PlacedTest,
  experiments: readonly ExperimentRecord[],
): PlacedInterference {
  const idOf = (segment: string): string | null => {
    const key = contentKey(content);
    const isOf = (one: ExperimentRecord) => one.contentLower === key && one.segment === segment;
    return experiments.find((one) => isOf(one) && one.state !== 'decided')?.id ?? null;
  };
  const { a, b } = pair;
  const ids = { experimentOfA: idOf(a.segment), experimentOfB: idOf(b.segment) };
  return { ...pair, content, revision, live, ...ids };
}
