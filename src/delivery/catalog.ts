/** The catalog of an environment: built when first asked for after a change, kept with its ETag. */
import { contentHash } from '../content/hash.js';
import type { ServedContent } from './served-content.js';

export class Catalog {
  readonly bytes: Uint8Array;
  /** Changes whenever the bytes do (it is their XXH3-64), quotes included. */
  readonly etag: string;
  /** The compressed bytes, once somebody asked for them. */
  gzipped: Promise<Uint8Array> | null = null;

  /** @param contents sorted by lower-case id */
  constructor(contents: Iterable<ServedContent>) {
    const entries: string[] = [];
    for (const content of contents) entries.push(content.catalogEntry);
    this.bytes = Buffer.from(`{"catalog":{${entries.join(',')}}}`);
    this.etag = `"${contentHash(this.bytes)}"`;
  }

  /** Whether an If-None-Match header names this catalog (RFC 9110 13.1.2, weak comparison). */
  matches(ifNoneMatch: string): boolean {
    if (ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace('W/', '') === this.etag);
  }
}
