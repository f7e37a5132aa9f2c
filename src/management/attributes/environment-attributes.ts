/**
 * Knows which attributes of users an environment has to do with: what its live conditions read, what its sample users have,
 * and what requests carried. Each text is parsed once, as long as it is remembered.
 */

import { LRUCache } from 'lru-cache';
import { getOrAdd } from '../get-or-add.js';
import { doWork, type Work } from '../jobs/work.js';
import { attributesKeptCharsMax, seenAttributesMax } from '../limits/evaluation.js';
import { listMappedRevisions } from '../store/contents/mapped-revisions.js';
import type { Db } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { findMapping } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';
import { findNamingText, listNamingRows, type NamingRow } from './attribute-texts.js';
import type { NamingText } from './find-attributes.js';
import { listSeenAttributes } from './rows.js';
import { type FrequentValues, listSeenValues } from './seen-value-rows.js';

/** What has to do with one attribute. */
export interface KnownAttribute {
  /** Names of saved segments. */
  readonly segments: ReadonlySet<string>;
  /** Ids of contents whose live mapping has a condition on it. */
  readonly contents: ReadonlySet<string>;
  /** Names of sample users. */
  readonly sampleUsers: ReadonlySet<string>;
  /** Beginning of the last day on which a request carried it, milliseconds since the epoch; null: none did. */
  readonly lastSeenMs: number | null;
  /** Of requests. */
  readonly values: FrequentValues;
}

export interface KnownAttributes {
  readonly byName: ReadonlyMap<string, KnownAttribute>;
  /** Some requests carried attributes. */
  readonly hasSeenAny: boolean;
  /** Requests carry more names than are kept: that one is missing says nothing. */
  readonly isCut: boolean;
}

export class EnvironmentAttributes {
  readonly #store: Store;
  readonly #work: Work;
  readonly #now: () => number;
  /** By digest of a mapping, or by what identifies a saved text. */
  readonly #names = new LRUCache<string, readonly string[]>({
    maxSize: attributesKeptCharsMax,
    sizeCalculation: (names, key) => names.reduce((sum, name) => sum + name.length, key.length + 1),
  });

  /** @param now milliseconds since the epoch */
  constructor(store: Store, work: Work, now: () => number) {
    this.#store = store;
    this.#work = work;
    this.#now = now;
  }

  /** Names that requests carried, by name. */
  seen(environment: string): Promise<Map<string, number>> {
    return this.#store.read((db) => listSeenAttributes(db, environment, this.#now()));
  }

  /** Frequent values that requests carried, by name. */
  seenValues(environment: string): Promise<Map<string, FrequentValues>> {
    return this.#store.read((db) => listSeenValues(db, environment, this.#now()));
  }

  /** Names that the conditions of saved segments read. A segment that is not there reads none. */
  async ofSegments(
    environment: string,
    segments: readonly string[],
  ): Promise<Map<string, readonly string[]>> {
    const wanted = new Set(segments);
    const rows = await this.#store.read((db) => listNamingRows(db, environment));
    const found = new Map<string, readonly string[]>();
    for (const row of rows) {
      if (row.kind !== 'condition' || !wanted.has(row.name)) continue;
      found.set(row.name, await this.#namesInRow(environment, row));
    }
    return found;
  }

  /**
   * Null: there is no such environment, or the time is over. Texts are read one by one, each in a moment of its own.
   * @param msMax how long it may take; what was read is remembered for the next time
   * @throws WorkFailed, WorkTooLong
   */
  async list(
    environment: string,
    msMax: number = Number.POSITIVE_INFINITY,
  ): Promise<KnownAttributes | null> {
    const endMs = performance.now() + msMax;
    const revisions = await listMappedRevisions(this.#store, environment, 'live');
    if (revisions === null) return null;
    const values = await this.seenValues(environment);
    const gathered = new Gathered(await this.seen(environment), values);
    const rows = await this.#store.read(async (db) =>
      (await findEnvironment(db, environment)) === null ? [] : listNamingRows(db, environment),
    );
    const pace = new EventLoopYielder();
    for (const row of rows) {
      const place = row.kind === 'condition' ? 'segments' : 'sampleUsers';
      gathered.add(place, row.name, await this.#namesInRow(environment, row));
      if (performance.now() > endMs) return null;
      await pace.step();
    }
    for (const { id, mapping } of revisions) {
      gathered.add('contents', id, await this.#namesInMapping(mapping));
      if (performance.now() > endMs) return null;
      await pace.step();
    }
    return gathered;
  }

  #namesInRow(environment: string, row: NamingRow): Promise<readonly string[]> {
    const { kind, name, stamp } = row;
    return this.#find(`${kind} ${environment} ${stamp} ${name}`, async (db) => {
      const text = await findNamingText(db, environment, row);
      return text === null ? null : { kind, text };
    });
  }

  #namesInMapping(digest: string): Promise<readonly string[]> {
    return this.#find(digest, async (db) => {
      const text = await findMapping(db, digest);
      return text === null ? null : { kind: 'mapping', text };
    });
  }

  async #find(
    key: string,
    load: (db: Db) => Promise<NamingText | null>,
  ): Promise<readonly string[]> {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const naming = await this.#store.read(load);
    if (naming === null) return [];
    const names = await doWork(this.#work, 'findAttributes', naming, naming.text.length);
    this.#names.set(key, names);
    return names;
  }
}

type Places = KnownAttribute & Record<'segments' | 'contents' | 'sampleUsers', Set<string>>;

class Gathered implements KnownAttributes {
  readonly byName = new Map<string, Places>();
  readonly hasSeenAny: boolean;
  readonly isCut: boolean;

  constructor(seen: ReadonlyMap<string, number>, values: ReadonlyMap<string, FrequentValues>) {
    this.hasSeenAny = seen.size > 0;
    this.isCut = seen.size >= seenAttributesMax;
    for (const [name, lastSeenMs] of seen) {
      this.byName.set(name, places(lastSeenMs, values.get(name) ?? []));
    }
  }

  add(
    kind: Exclude<keyof Places, 'lastSeenMs' | 'values'>,
    of: string,
    names: readonly string[],
  ): void {
    for (const name of names) getOrAdd(this.byName, name, () => places(null, []))[kind].add(of);
  }
}

function places(lastSeenMs: number | null, values: FrequentValues): Places {
  return { segments: new Set(), contents: new Set(), sampleUsers: new Set(), lastSeenMs, values };
}
