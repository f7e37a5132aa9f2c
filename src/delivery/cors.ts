/** Cross-origin headers for browser games (Fetch standard, "CORS protocol"). */
import type { HttpResponse } from 'uWebSockets.js';

const methods = 'GET, POST, OPTIONS';
const headers = 'content-type, x-api-key, if-none-match, x-min-sequence';
const exposed = 'ETag, Retry-After, X-Sequence';
// Two hours: the longest that Chromium keeps a preflight's answer.
const preflightSecondsMax = '7200';

export class Cors {
  /** The Vary header of every answer: Origin matters only where the answer depends on it. */
  readonly vary: string;
  readonly #any: boolean;
  readonly #origins: ReadonlySet<string>;

  /** @param origins such as `https://game.example`; `*` for any, none to switch it off */
  constructor(origins: readonly string[]) {
    this.#any = origins.includes('*');
    this.#origins = new Set(origins);
    const byOrigin = !this.#any && origins.length > 0;
    this.vary = `Accept-Encoding, X-Api-Key${byOrigin ? ', Origin' : ''}`;
  }

  get enabled(): boolean {
    return this.#origins.size > 0;
  }

  /** @param origin the request's Origin header, '' without one */
  write(res: HttpResponse, origin: string, preflight: boolean): void {
    if (!this.#any && !this.#origins.has(origin)) return;
    res.writeHeader('Access-Control-Allow-Origin', this.#any ? '*' : origin);
    res.writeHeader('Access-Control-Expose-Headers', exposed);
    if (!preflight) return;
    res.writeHeader('Access-Control-Allow-Methods', methods);
    res.writeHeader('Access-Control-Allow-Headers', headers);
    res.writeHeader('Access-Control-Max-Age', preflightSecondsMax);
  }
}
