/** The catalog of an environment: built when first asked for after a change, kept with its ETag. */
import { contentHash } from '../../content/hash.js';
import { isNoneMatch } from '../http/etag.js';
import type { Coding } from '../render/render-task.js';
import type { ServedContent } from '../render/served-content.js';

export class Catalog {
  readonly bytes: Uint8Array;
  /** Changes whenever the bytes do (it is their XXH3-64), quotes included. */
  readonly etag: string;
  /** The compressed bytes by coding, once somebody asked for them. */
  readonly #compressed = new Map<Coding, Promise<Uint8Array>>();

  /** @param contents sorted by lower-case id */
  constructor(contents: Iterable<ServedContent>) {
    const entries: string[] = [];
    for (const { catalogEntry } of contents) if (catalogEntry !== '') entries.push(catalogEntry);
    this.bytes = Buffer.from(`{"catalog":{${entries.join(',')}}}`);
    this.etag = `"${contentHash(this.bytes)}"`;
  }

  /** The compressed bytes, made once. A failure is not kept. */
  compressed(
    coding: Coding,
    compress: (bytes: Uint8Array, coding: Coding) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const known = this.#compressed.get(coding);
    if (known !== undefined) return known;
    const made = compress(this.bytes, coding);
    this.#compressed.set(coding, made);
    made.catch(() => this.#compressed.delete(coding));
    return made;
  }

  /** Whether an If-None-Match header names this catalog. */
  matches(ifNoneMatch: string): boolean {
    return isNoneMatch(ifNoneMatch, this.etag);
  }
}
