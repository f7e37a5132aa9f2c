/** Names what there is in an environment. Mappings are read one by one, each once as long as its rules are remembered. */
import { LRUCache } from 'lru-cache';
import type { NamedContent, NamedRule, Names } from '../../contract/operations/search/names.js';
import { doWork, type Work } from '../jobs/work.js';
import {
  namedContentsMax,
  namedExperimentsMax,
  namedReleasesMax,
  namedRulesKeptCharsMax,
  namedRulesMax,
  namedSegmentsMax,
} from '../limits/experiments.js';
import type { Db } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { listExperiments } from '../store/experiments/experiments.js';
import { listReleases } from '../store/releases/releases.js';
import { findMapping } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';
import { listNamedContents, type NamedContentRow } from './rows.js';

type Truncated = Names['truncated'][number];

/** The names, with contents as JSON texts. */
export interface FoundNames extends Omit<Names, 'contents'> {
  readonly contents: readonly Buffer[];
}

export class EnvironmentNames {
  readonly #store: Store;
  readonly #work: Work;
  /** By digest of the mapping, and what has a digest never changes. */
  readonly #rules = new LRUCache<string, readonly NamedRule[]>({
    maxSize: namedRulesKeptCharsMax,
    sizeCalculation: (rules, digest) => JSON.stringify(rules).length + digest.length,
  });

  constructor(store: Store, work: Work) {
    this.#store = store;
    this.#work = work;
  }

  /**
   * Null: there is no such environment. Read in several snapshots, so that no other work waits for it.
   * @throws WorkFailed, WorkTooLong
   */
  async list(environment: string): Promise<FoundNames | null> {
    const others = await this.#store.read(async (db) =>
      (await findEnvironment(db, environment)) === null ? null : listOthers(db, environment),
    );
    if (others === null) return null;
    const truncated = new Set(others.truncated);
    const contents: Buffer[] = [];
    let [contentCount, ruleCount] = [0, 0];
    const pace = new EventLoopYielder();
    for await (const rows of this.#pages(environment)) {
      const named: NamedContent[] = [];
      for (const { mapping, idLower: _, ...content } of rows) {
        const rules = mapping === null ? [] : await this.#rulesOf(mapping);
        ruleCount += rules.length;
        if (ruleCount > namedRulesMax) truncated.add('rules');
        named.push({ ...content, rules: ruleCount > namedRulesMax ? [] : rules });
        await pace.step();
      }
      contentCount += named.length;
      // Validating each against its schema would take longer than everything else.
      if (named.length > 0) contents.push(Buffer.from(JSON.stringify(named).slice(1, -1)));
      if (contentCount >= namedContentsMax) {
        truncated.add('contents');
        break;
      }
    }
    return { ...others, contents, truncated: [...truncated] };
  }

  async *#pages(environment: string): AsyncGenerator<NamedContentRow[]> {
    for (let after = ''; ; ) {
      const rows = await this.#store.read((db) => listNamedContents(db, environment, after));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.idLower;
    }
  }

  async #rulesOf(digest: string): Promise<readonly NamedRule[]> {
    const known = this.#rules.get(digest);
    if (known !== undefined) return known;
    const text = await this.#store.read((db) => findMapping(db, digest));
    // Retention removed it a moment ago.
    if (text === null) return [];
    const rules = await doWork(this.#work, 'nameRules', text, text.byteLength);
    this.#rules.set(digest, rules);
    return rules;
  }
}

/** Everything but contents. One more of each is read than is named: then there are more. */
async function listOthers(db: Db, environment: string): Promise<Omit<Names, 'contents'>> {
  const truncated: Truncated[] = [];
  const cut = <T>(kind: Truncated, rows: readonly T[], max: number): readonly T[] => {
    if (rows.length > max) truncated.push(kind);
    return rows.slice(0, max);
  };
  const segments = await db
    .selectFrom('segments')
    .select(['name', 'description'])
    .where('environment', '=', environment)
    .orderBy('name')
    .limit(namedSegmentsMax + 1)
    .execute();
  const experiments = await listExperiments(db, environment);
  const limit = namedReleasesMax + 1;
  const releases = await listReleases(db, environment, { isOpen: false, limit });
  return {
    segments: [...cut('segments', segments, namedSegmentsMax)],
    experiments: cut('experiments', experiments, namedExperimentsMax).map(
      ({ id, name, state }) => ({ id, name, state }),
    ),
    releases: cut('releases', releases, namedReleasesMax).map(({ release, title, state }) => {
      return { release, title, state };
    }),
    truncated,
  };
}
