/** Cross-origin headers for browser games (Fetch standard, "CORS protocol"). */
import type { HttpResponse } from 'uWebSockets.js';

const methods = 'GET, POST, OPTIONS';
const headers =
  'content-type, x-api-key, authorization, if-none-match, last-event-id, x-min-sequence';
const exposed = 'Date, ETag, Retry-After, X-Sequence';
// Two hours: the longest that Chromium keeps a preflight's response.
const preflightSecondsMax = '7200';

export class Cors {
  /** The Vary header of every response: Origin matters only where the response depends on it. */
  readonly vary: string;
  /** A header line for any origin, with the line break before it; '' where the response depends on the origin. */
  readonly anyOrigin: string;
  /** Whether the Origin header has to be read at all. */
  readonly byOrigin: boolean;
  readonly enabled: boolean;
  readonly #origins: ReadonlySet<string>;

  /** @param origins such as `https://game.example`; `*` for any, none to switch it off */
  constructor(origins: readonly string[]) {
    const any = origins.includes('*');
    this.enabled = origins.length > 0;
    this.byOrigin = this.enabled && !any;
    this.anyOrigin = any ? '\r\nAccess-Control-Allow-Origin: *' : '';
    this.vary = `Accept-Encoding, X-Api-Key${this.byOrigin ? ', Origin' : ''}`;
    this.#origins = new Set(origins);
  }

  /** Lets the origin in, if it is one of those named. */
  writeOrigin(res: HttpResponse, origin: string): void {
    if (this.#origins.has(origin)) res.writeHeader('Access-Control-Allow-Origin', origin);
  }

  /** A header line that lets scripts read the headers which they may need, with the line break before it. */
  get exposing(): string {
    return this.enabled ? `\r\nAccess-Control-Expose-Headers: ${exposed}` : '';
  }

  /** The same as a header of its own. */
  writeExposed(res: HttpResponse): void {
    if (this.enabled) res.writeHeader('Access-Control-Expose-Headers', exposed);
  }

  writePreflight(res: HttpResponse, origin: string): void {
    if (this.byOrigin && !this.#origins.has(origin)) return;
    res.writeHeader('Access-Control-Allow-Methods', methods);
    res.writeHeader('Access-Control-Allow-Headers', headers);
    res.writeHeader('Access-Control-Max-Age', preflightSecondsMax);
  }
}
