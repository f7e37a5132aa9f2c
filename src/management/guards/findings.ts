/**
 * What a state of a content would do to its players: values that leave its guards, and values that move too far from what is
 * live. Whatever saves or publishes a state asks here; the heavy part depends on texts alone, so it is done by a worker ahead
 * of the write, and its result is kept.
 */

import { LRUCache } from 'lru-cache';
import type { Guard, GuardFinding } from '../../content/guards/guard.js';
import { digestOf } from '../../content/hash.js';
import { doWork, type Work, type WorkOptions, WorkOverloaded, WorkTooLong } from '../jobs/work.js';
import { findingsKeptMax, msPerDay, validateInWriteMsMax } from '../limits/work.js';
import { type ContentRecord, findContent } from '../store/contents/contents.js';
import { findLiveAt } from '../store/contents/publications.js';
import { findRevision } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import type { Store } from '../store/store.js';
import type { FindingsInput, StateTexts } from './find-findings.js';
import { stateWeight } from './state-weight.js';

/** A state, with the guards of its content. */
export interface GuardedState {
  readonly lines: readonly { readonly version: string; readonly textDigest: string }[];
  /** Digest of its text; null: none. */
  readonly mapping: string | null;
  /** Texts that the store may not have yet, by digest. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
  readonly guards?: readonly Guard[];
}

/** One per server: it remembers findings. */
export class Findings {
  readonly #work: Work;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, readonly GuardFinding[]>({ max: findingsKeptMax });

  /** @param now milliseconds since the epoch */
  constructor(work: Work, now: () => number) {
    this.#work = work;
    this.#now = now;
  }

  /**
   * What the state would do to the players of a content. Compared are its envelope, that of what is live, and for
   * `maxChange` that of what was live 24 hours ago.
   * @param id in any spelling; nothing need be there
   * @throws WorkFailed, WorkTooLong, WorkOverloaded: only where guards are to be checked
   */
  async findingsOf(
    db: Db,
    environment: string,
    id: string,
    state: GuardedState,
  ): Promise<readonly GuardFinding[]> {
    return this.#find(db, await this.#compare(db, environment, id, state), {});
  }

  /** The same within a write, for which all others wait: what was not computed ahead gets a moment. */
  async findingsInWrite(
    db: Db,
    environment: string,
    id: string,
    state: GuardedState,
  ): Promise<readonly GuardFinding[]> {
    const compared = await this.#compare(db, environment, id, state);
    return this.#find(db, compared, { timeMsMax: validateInWriteMsMax, waitMsMax: 0 });
  }

  /**
   * Computes findings while no transaction is held.
   * @param find the state that is about to be saved or published; null: there is none
   */
  async ahead(
    store: Store,
    environment: string,
    id: string,
    find: (db: Db) => Promise<GuardedState | null>,
  ): Promise<void> {
    const loaded = await store.read(async (db) => {
      const state = await find(db);
      const compared = state && (await this.#compare(db, environment, id, state));
      if (compared === null || this.#known.has(compared.key)) return null;
      return { compared, input: await load(db, compared) };
    });
    if (loaded !== null) await this.#run(loaded.compared, loaded.input, {});
  }

  /** Null: nothing can be found. */
  async #compare(
    db: Db,
    environment: string,
    id: string,
    state: GuardedState,
  ): Promise<Compared | null> {
    const { guards = [] } = state;
    const content = await findContent(db, environment, id);
    const number = content?.deletedAtMs === null ? content.live : null;
    const live = content && (await revisionOf(db, content, number));
    const isSame = live !== null && digestsOf(live) === digestsOf(state);
    if (guards.length === 0 && (live === null || isSame)) return null;
    const dayAgo = guards.some(({ maxChange }) => maxChange !== undefined)
      ? content && (await revisionOf(db, content, await this.#dayAgo(db, content)))
      : null;
    const digests = [state, live, dayAgo].map((each) => each && digestsOf(each));
    const key = digestOf(Buffer.from(JSON.stringify([...digests, guards])));
    return { key, now: state, live, dayAgo, guards };
  }

  async #dayAgo(db: Db, content: ContentRecord): Promise<number | null> {
    const then = await findLiveAt(db, content, this.#now() - msPerDay);
    return then.known ? then.revision : null;
  }

  async #find(
    db: Db,
    compared: Compared | null,
    options: WorkOptions,
  ): Promise<readonly GuardFinding[]> {
    if (compared === null) return [];
    const known = this.#known.get(compared.key);
    return known ?? this.#run(compared, await load(db, compared), options);
  }

  async #run(
    { key, guards }: Compared,
    input: FindingsInput,
    options: WorkOptions,
  ): Promise<readonly GuardFinding[]> {
    try {
      const findings = await doWork(this.#work, 'findFindings', input, weightOf(input), options);
      this.#known.set(key, findings);
      return findings;
    } catch (error) {
      // A warning is no reason to reject a save: it is left out.
      const isBusy = error instanceof WorkTooLong || error instanceof WorkOverloaded;
      if (isBusy && guards.length === 0) return [];
      throw error;
    }
  }
}

type State = Pick<GuardedState, 'lines' | 'mapping'> & Partial<Pick<GuardedState, 'texts'>>;

interface Compared {
  /** Of everything that the findings depend on. */
  readonly key: string;
  readonly now: State;
  readonly live: State | null;
  readonly dayAgo: State | null;
  readonly guards: readonly Guard[];
}

async function revisionOf(
  db: Db,
  { environment, idLower }: ContentRecord,
  number: number | null,
): Promise<State | null> {
  return number === null ? null : findRevision(db, environment, idLower, number);
}

function digestsOf({ lines, mapping }: State): string {
  return JSON.stringify([mapping, lines.map(({ version, textDigest }) => [version, textDigest])]);
}

async function load(db: Db, { now, live, dayAgo, guards }: Compared): Promise<FindingsInput> {
  return {
    now: await textsOf(db, now),
    live: live && (await textsOf(db, live)),
    dayAgo: dayAgo && (await textsOf(db, dayAgo)),
    guards,
  };
}

async function textsOf(db: Db, { lines, mapping, texts }: State): Promise<StateTexts> {
  const textOf = async (digest: string): Promise<Uint8Array> =>
    texts?.get(digest) ?? (await readText(db, digest));
  const loaded: { version: string; text: Uint8Array }[] = [];
  for (const { version, textDigest } of lines) {
    loaded.push({ version, text: await textOf(textDigest) });
  }
  return { lines: loaded, mapping: mapping === null ? null : await textOf(mapping) };
}

function weightOf({ now, live, dayAgo }: FindingsInput): number {
  return [now, live, dayAgo].reduce(
    (sum, state) => sum + (state === null ? 0 : stateWeight(state)),
    0,
  );
}
