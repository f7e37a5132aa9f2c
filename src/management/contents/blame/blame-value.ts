/**
 * Walks the history of a content backwards and finds the revisions that set a value (D104). It reads a limited number of texts,
 * for a limited time, and says where it stopped.
 */
import { setImmediate } from 'node:timers/promises';
import { revisionMax } from '../../../contract/limits.js';
import { doWork, type Work } from '../../jobs/work.js';
import {
  blameBytesMax,
  blameMsMax,
  blameRevisionsPerRead,
  blameTextsMax,
  placeValueCharsMax,
} from '../../limits/audit.js';
import type { ContentRecord } from '../../store/contents/contents.js';
import { readText } from '../../store/contents/texts.js';
import type { Store } from '../../store/store.js';
import type { LocatedValue } from '../diff/locate-value.js';
import { type BlamedRevision, listBlamed } from './rows.js';

export interface BlameRequest {
  readonly content: ContentRecord;
  /** App version of the line. */
  readonly version: string;
  /** JSON pointer. */
  readonly path: string;
  /** Number of the revision before which it begins. */
  readonly before: number;
  /** Changes to find at most. */
  readonly limit: number;
}

/** A revision that set the value. */
export interface FoundChange {
  readonly revision: BlamedRevision;
  /** Null: there was none. */
  readonly before: LocatedValue | null;
  /** Null: it was removed. */
  readonly after: LocatedValue | null;
}

export interface Blame {
  /** In the newest revision that was looked at. */
  readonly value: LocatedValue | null;
  /** Newest first. */
  readonly changes: readonly FoundChange[];
  /** Number of the revision before which it would go on; null: it has seen the first one. */
  readonly next: number | null;
  /** The last change is the first revision that is kept. */
  readonly isOldest: boolean;
}

interface BlameDeps {
  readonly store: Pick<Store, 'read'>;
  readonly work: Work;
}

/** @throws WorkFailed, WorkTooLong */
export async function blameValue(deps: BlameDeps, request: BlameRequest): Promise<Blame> {
  const walk = new Walk(deps, request);
  const changes: FoundChange[] = [];
  let newest: LocatedValue | null = null;
  /** The oldest revision so far that has the present value. */
  let last: { readonly revision: BlamedRevision; readonly value: LocatedValue | null } | null =
    null;
  for await (const revision of walk.revisions()) {
    const value = await walk.valueOf(revision);
    if (last === null) newest = value;
    else if (last.value?.digest !== value?.digest) {
      changes.push({ revision: last.revision, before: value, after: last.value });
      if (changes.length === request.limit) {
        return { value: newest, changes, next: last.revision.number, isOldest: false };
      }
    }
    last = { revision, value };
    // What set the present value is not known yet: the next request begins with the revision that has it.
    if (walk.isSpent) {
      return { value: newest, changes, next: last.revision.number + 1, isOldest: false };
    }
  }
  if (last === null || last.value === null) {
    return { value: newest, changes, next: null, isOldest: false };
  }
  changes.push({ revision: last.revision, before: null, after: last.value });
  return { value: newest, changes, next: null, isOldest: last.revision.number > 1 };
}

class Walk {
  readonly #deps: BlameDeps;
  readonly #request: BlameRequest;
  readonly #startedMs = performance.now();
  #texts = 0;
  #bytes = 0;
  /** Of the last text: neighbours often share it. */
  #known: { readonly digest: string; readonly value: LocatedValue | null } | null = null;

  constructor(deps: BlameDeps, request: BlameRequest) {
    this.#deps = deps;
    this.#request = request;
  }

  /** It has read as much as it may, and two texts at least: each request gets on. */
  get isSpent(): boolean {
    const isMuch = this.#texts >= blameTextsMax || this.#bytes >= blameBytesMax;
    return this.#texts > 1 && (isMuch || performance.now() - this.#startedMs >= blameMsMax);
  }

  async *revisions(): AsyncGenerator<BlamedRevision> {
    const { content, version } = this.#request;
    const limit = blameRevisionsPerRead;
    for (let before = this.#request.before; ; ) {
      const page = { before, limit };
      const rows = await this.#deps.store.read((db) => listBlamed(db, content, version, page));
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      before = last.number;
      await setImmediate();
    }
  }

  async valueOf({ textDigest, textBytes }: BlamedRevision): Promise<LocatedValue | null> {
    if (textDigest === null) return null;
    if (this.#known?.digest === textDigest) return this.#known.value;
    const { store, work } = this.#deps;
    const text = await store.read((db) => readText(db, textDigest));
    const input = { text, path: this.#request.path, charsMax: placeValueCharsMax };
    const value = await doWork(work, 'locateValue', input, textBytes ?? 0);
    this.#known = { digest: textDigest, value };
    this.#texts++;
    this.#bytes += textBytes ?? 0;
    return value;
  }
}

/** Before which a blame begins that names no revision. */
export const beforeAny: number = revisionMax;
