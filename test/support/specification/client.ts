/**
 * The client that the specification describes. It reads the catalog, compares each `h` with what it holds, asks again for
 * what changed and for what has `d: true`, and forgets what is gone.
 */
import type http from 'node:http';
import { rawMembers } from '../../../src/management/http/body/raw-members.js';
import type { Environment } from '../server/environment.js';
import type { Answer } from '../wire/exchange.js';

/** What a player's game sends. */
export interface Caller {
  readonly u?: string;
  readonly p?: Readonly<Record<string, unknown>>;
  readonly v?: string;
}

export interface CatalogEntry {
  readonly h: string;
  readonly d: boolean;
}

/**
 * What a client compares the catalog's `h` with: the `hash` of the response that it holds, as the specification says; or the
 * `h` at which it fetched, with its `d`, as docs/own-client.md does. What had `d: true` then and has it no more is fetched
 * once more.
 */
export type Comparison = 'hash of the response' | 'h of the catalog';

/** A content as the client keeps it. */
export interface Held {
  /** The catalog's hash when it was fetched. */
  readonly h: string;
  /** Whether the catalog called it dynamic then. */
  readonly d: boolean;
  /** Wrapped, byte for byte; null: no line of it is for the client's version. */
  readonly item: string | null;
}

export interface Fetched {
  readonly id: string;
  readonly dynamic: boolean;
  /** Data or hash differ from what the client held before, or it held nothing. */
  readonly isChanged: boolean;
}

export interface Round {
  /** The catalog was answered with 304. */
  readonly notModified: boolean;
  readonly fetched: readonly Fetched[];
}

/** Where a round goes. */
export interface Server {
  readonly game: Environment;
  readonly agent: http.Agent;
  /** The number that the responses must have reached; left out: the caller has waited for it otherwise. */
  readonly minSequence?: number | undefined;
}

export class SpecificationClient {
  readonly caller: Caller;
  readonly comparison: Comparison;
  /** By id as the catalog spells it. */
  readonly held: Map<string, Held> = new Map();
  #etag = '';
  #catalog: Readonly<Record<string, CatalogEntry>> = {};

  constructor(caller: Caller, comparison: Comparison = 'h of the catalog') {
    this.caller = caller;
    this.comparison = comparison;
  }

  /** Brings what is held up to date. */
  async round(server: Server): Promise<Round> {
    const notModified = await this.#readCatalog(server);
    for (const id of this.held.keys()) if (!(id in this.#catalog)) this.held.delete(id);
    const wanted = Object.entries(this.#catalog).filter(([id, entry]) => this.#isWanted(id, entry));
    if (wanted.length === 0) return { notModified, fetched: [] };
    const items = await this.#combine(
      server,
      wanted.map(([id]) => id),
    );
    const fetched = wanted.map(([id, { h, d }]) => {
      const item = items.get(id) ?? null;
      const before = this.held.get(id);
      this.held.set(id, { h, d, item });
      return { id, dynamic: d, isChanged: before === undefined || differ(before.item, item) };
    });
    return { notModified, fetched };
  }

  /** What endpoint 1 answers this caller now; null: 404. */
  async ask(server: Server, id: string): Promise<string | null> {
    const path = `/api/v1/config/${id}/dynamic`;
    const answer = await ask(server, 'POST', path, this.caller);
    return answer.status === 404 ? null : done(answer).text;
  }

  #isWanted(id: string, { h, d }: CatalogEntry): boolean {
    const held = this.held.get(id);
    if (d || held === undefined) return true;
    if (this.comparison === 'h of the catalog') return held.d || held.h !== h;
    return held.item === null || JSON.parse(held.item).hash !== h;
  }

  /** @returns whether it is the one that was read before */
  async #readCatalog(server: Server): Promise<boolean> {
    const known = this.#etag === '' ? {} : { 'if-none-match': this.#etag };
    const answer = await ask(server, 'GET', '/api/v1/env/catalog', undefined, known);
    if (answer.status === 304) return true;
    this.#catalog = done(answer).json.catalog;
    this.#etag = answer.header('etag');
    return false;
  }

  async #combine(server: Server, ids: readonly string[]): Promise<Map<string, string | null>> {
    const c = encodeURIComponent(JSON.stringify(ids));
    const path = `/api/v1/combine/?c=${c}&dynamic=true`;
    const answer = done(await ask(server, 'POST', path, this.caller));
    const items = [...rawMembers(answer.bytes)].map(([id, bytes]) => {
      const text = Buffer.from(bytes).toString();
      return [id, text.startsWith('"Error 404, ') ? null : text] as const;
    });
    return new Map(items);
  }
}

function ask(
  { game, agent, minSequence }: Server,
  method: string,
  path: string,
  body?: Caller,
  headers: http.OutgoingHttpHeaders = {},
): Promise<Answer> {
  const least = minSequence === undefined ? {} : { 'x-min-sequence': String(minSequence) };
  return game.ask(method, path, body as never, { ...headers, ...least }, agent);
}

function done(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`delivery said ${answer.status}: ${answer.text}`);
  return answer;
}

function differ(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before !== after;
  const [was, is] = [before, after].map((item) => rawMembers(Buffer.from(item)));
  return ['data', 'hash'].some((name) => {
    return Buffer.compare(was?.get(name) ?? none, is?.get(name) ?? none) !== 0;
  });
}

const none = Buffer.alloc(0);
