/**
 * Searches the texts of an environment. Bytes come first: a text is parsed only where its bytes may hold a match. Texts are read a
 * megabyte at a time with other work in between (D103), and what is shared by several states or contents is looked at once.
 */
import type { SearchHit, SearchResults } from '../../contract/operations/search/search-content.js';
import { doWork, type Work } from '../jobs/work.js';
import { searchContentsPerRead, searchMsMax, searchPageCharsMax } from '../limits/experiments.js';
import { listSearchedTexts, type SearchedText } from '../store/contents/searched-texts.js';
import { findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { Store } from '../store/store.js';
import type { FoundInMapping } from './find-in-mapping.js';
import type { TextSearch } from './find-in-text.js';
import { encodeCursor, type SearchCursor } from './search-cursor.js';
import { SearchPattern } from './search-pattern.js';
import { TextReader } from './text-reader.js';

export interface SearchRequest {
  readonly environment: string;
  readonly query: string;
  readonly begin: SearchCursor;
  readonly limit: number;
  /** The request is gone. */
  readonly signal: AbortSignal;
}

interface SearchParts {
  readonly store: Store;
  readonly work: Work;
  readonly request: SearchRequest;
}

/**
 * Null: there is no such environment.
 * @throws WorkFailed, WorkTooLong
 */
export async function searchContent(
  store: Store,
  work: Work,
  request: SearchRequest,
): Promise<SearchResults | null> {
  return new ContentSearch({ store, work, request }).run();
}

class ContentSearch {
  readonly #store: Store;
  readonly #work: Work;
  readonly #request: SearchRequest;
  readonly #pattern: SearchPattern;
  readonly #reader: TextReader;
  readonly #endMs = performance.now() + searchMsMax;
  readonly #pace = new EventLoopYielder();
  readonly #hits: SearchHit[] = [];
  /** Of the paths of the hits. */
  #characters = 0;

  constructor({ store, work, request }: SearchParts) {
    this.#store = store;
    this.#work = work;
    this.#request = request;
    this.#pattern = new SearchPattern(request.query);
    this.#reader = new TextReader(store, (text) => this.#pattern.mayBeIn(text));
  }

  async run(): Promise<SearchResults | null> {
    const { environment, begin } = this.#request;
    let from = { id: begin.idLower, isIncluded: true };
    for (;;) {
      const page = await this.#store.read(async (db) =>
        (await findEnvironment(db, environment)) === null
          ? null
          : listSearchedTexts(db, environment, from, searchContentsPerRead),
      );
      if (page === null) return null;
      const ended = await this.#searchAll(page.texts);
      if (ended !== null) return ended;
      if (page.last === null) return this.#end(null, false);
      from = { id: page.last, isIncluded: false };
    }
  }

  /** Null: there may be more in other texts. */
  async #searchAll(texts: readonly SearchedText[]): Promise<SearchResults | null> {
    const { begin, signal } = this.#request;
    for (const [place, text] of texts.entries()) {
      const cursor = cursorOf(texts, place, begin);
      if (cursor === null) continue;
      if (signal.aborted || performance.now() > this.#endMs) return this.#end(cursor, true);
      const bytes = await this.#reader.read(texts, place);
      await this.#pace.step();
      if (bytes === null) continue;
      const offset = await this.#searchText(text, bytes, cursor.offset);
      if (offset !== null) return this.#end({ ...cursor, offset }, false);
    }
    return null;
  }

  /** Adds the hits of one text. @returns the offset of a hit that has no room on this page; null: there is none */
  async #searchText(
    { id, state, revision, appVersion, digest: _ }: SearchedText,
    text: Uint8Array,
    from: number,
  ): Promise<number | null> {
    const { query, limit } = this.#request;
    const isFull = this.#characters >= searchPageCharsMax;
    const room = isFull ? 0 : limit - this.#hits.length;
    const { hits, next } = await this.#find(appVersion, { text, query, from, limit: room });
    const part = appVersion === null ? 'mapping' : 'text';
    for (const hit of hits) {
      this.#characters += hit.path.length;
      this.#hits.push({ content: id, state, revision, part, appVersion, ...hit });
    }
    return next;
  }

  async #find(appVersion: string | null, search: TextSearch): Promise<FoundInMapping> {
    const { byteLength } = search.text;
    if (appVersion === null) return doWork(this.#work, 'findInMapping', search, byteLength);
    const { hits, next } = await doWork(this.#work, 'findInText', search, byteLength);
    return { hits: hits.map((hit) => ({ ...hit, rule: null })), next };
  }

  #end(next: SearchCursor | null, timedOut: boolean): SearchResults {
    return { hits: this.#hits, next: next === null ? null : encodeCursor(next), timedOut };
  }
}

/** Where in the search that text is; null: the search begins after it. */
function cursorOf(
  texts: readonly SearchedText[],
  place: number,
  begin: SearchCursor,
): SearchCursor | null {
  const idLower = texts[place]?.idLower ?? '';
  let first = place;
  while (texts[first - 1]?.idLower === idLower) first--;
  const text = place - first;
  if (idLower !== begin.idLower || text > begin.text) return { idLower, text, offset: 0 };
  return text < begin.text ? null : begin;
}
