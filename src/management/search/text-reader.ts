/** Reads the texts of a search ahead, some at a time, and leaves out those that are known to hold no match. */
import { searchBytesPerRead, searchTextsPerRead } from '../limits/experiments.js';
import type { SearchedText } from '../store/contents/searched-texts.js';
import { listSizesOf, readTextsByDigest } from '../store/contents/texts.js';
import type { Store } from '../store/store.js';

export class TextReader {
  readonly #store: Store;
  readonly #mayMatch: (text: Uint8Array) => boolean;
  /** Digests of texts that were looked at, and whether they may match. */
  readonly #looked = new Map<string, boolean>();
  /** Those of the last read that may match. */
  #read: ReadonlyMap<string, Uint8Array> = new Map();

  /** @param mayMatch asked once for each different text */
  constructor(store: Store, mayMatch: (text: Uint8Array) => boolean) {
    this.#store = store;
    this.#mayMatch = mayMatch;
  }

  /** The text at that place if it may match; null: it does not, or is gone. Places are asked for in order. */
  async read(texts: readonly SearchedText[], place: number): Promise<Uint8Array | null> {
    const digest = texts[place]?.digest ?? '';
    if (this.#looked.get(digest) === false) return null;
    const known = this.#read.get(digest);
    if (known !== undefined) return known;
    await this.#readFrom(texts, place);
    return this.#read.get(digest) ?? null;
  }

  /** Reads the text at the place, and those after it as far as they are small. */
  async #readFrom(texts: readonly SearchedText[], place: number): Promise<void> {
    const wanted = new Set<string>();
    for (let at = place; at < texts.length && wanted.size < searchTextsPerRead; at++) {
      const digest = texts[at]?.digest ?? '';
      if (this.#looked.get(digest) !== false) wanted.add(digest);
    }
    const found = await this.#store.read(async (db) => {
      const sizes = await listSizesOf(db, [...wanted]);
      return readTextsByDigest(db, withinBytes([...wanted], sizes));
    });
    const read = new Map<string, Uint8Array>();
    for (const [digest, text] of found) {
      const mayMatch = this.#looked.get(digest) ?? this.#mayMatch(text);
      this.#looked.set(digest, mayMatch);
      if (mayMatch) read.set(digest, text);
    }
    this.#read = read;
  }
}

/** The first of them, and as many as are small together. */
function withinBytes(digests: readonly string[], sizes: ReadonlyMap<string, number>): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const digest of digests) {
    bytes += sizes.get(digest) ?? 0;
    if (taken.length > 0 && bytes > searchBytesPerRead) break;
    taken.push(digest);
  }
  return taken;
}
