/** Finds entries by some of their letters. The index is made once; a search of it takes milliseconds. Pure. */
import UFuzzy from '@leeoniya/ufuzzy';
import type { Entry } from './entry.js';

export interface FoundEntry {
  readonly entry: Entry;
  /** Where the name matches: starts and ends in turn. */
  readonly ranges: readonly number[];
}

/** Letters of a word may be left out, in ids also from one word to the next. */
const fuzzy = new UFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d'._-]",
  intraContr: "'\\p{L}{1,2}\\b",
  intraIns: Number.POSITIVE_INFINITY,
});
/** Words of a query in any order: 3! searches at most. */
const wordsInAnyOrder = 3;
/** Of more matches than this, those that begin with the query come first, and no more is compared. */
const rankedMax = 2_000;

export class PaletteIndex {
  readonly #entries: readonly Entry[];
  readonly #haystack: string[];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.#haystack = entries.map(({ name, words }) => (words === '' ? name : `${name} ${words}`));
  }

  /** The best matches first; of equal ones, in the order of the entries. */
  search(query: string, limit: number): FoundEntry[] {
    const [found, info, order] = fuzzy.search(this.#haystack, query, wordsInAnyOrder, rankedMax);
    if (found === null) return [];
    if (order === null) {
      return this.#beginningFirst(found, query, limit).map((at) => this.#foundAt(at, []));
    }
    return order
      .slice(0, limit)
      .map((at) => this.#foundAt(info.idx[at] ?? 0, info.ranges[at] ?? []));
  }

  #beginningFirst(found: readonly number[], query: string, limit: number): number[] {
    const beginning = query.trim().toLowerCase();
    const begins = (at: number): boolean =>
      this.#haystack[at]?.toLowerCase().startsWith(beginning) === true;
    const first = found.filter(begins);
    if (first.length >= limit) return first.slice(0, limit);
    return [...first, ...found.filter((at) => !begins(at))].slice(0, limit);
  }

  #foundAt(at: number, ranges: readonly number[]): FoundEntry {
    const entry = this.#entries[at] as Entry;
    return { entry, ranges: ranges.filter((end) => end <= entry.name.length) };
  }
}
