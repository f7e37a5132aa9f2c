/** One environment of a server under test: authors contents over the admin API and asks for them with the environment's key. */
import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { type Answer, type Request, send } from '../wire/exchange.js';
import type { RunningServer } from './server-process.js';

/** A request body: text and bytes go out as they are, anything else as its JSON. */
export type Body = string | Uint8Array | Readonly<Record<string, unknown>>;

export interface Put {
  readonly text?: string;
  readonly appVersion?: string;
  /** JSON text goes into the request as written (`1e400` survives); anything else as its JSON. */
  readonly mapping?: string | readonly unknown[];
  /** JSON Pointers, for OFREP's bulk evaluation. */
  readonly flags?: readonly string[];
  readonly tags?: readonly string[];
  /** JSON Schema. */
  readonly schema?: unknown;
  readonly publish?: boolean;
  readonly note?: string;
}

export interface PutAnswer {
  readonly id: string;
  readonly revision: number;
  readonly live: number | null;
  readonly hash: string;
  readonly sequence: number;
}

export interface Key {
  readonly id: string;
  readonly key: string;
}

/** A new environment with one key; no other file has its id, unless it is given. */
export async function makeEnvironment(
  server: RunningServer,
  id = `env-${randomBytes(6).toString('hex')}`,
): Promise<Environment> {
  expectDone(await server.admin('POST', '/admin/v1/environments', { id }));
  return new Environment(server, id, await makeKey(server, id));
}

/** A further key of environment `environmentId`. */
export async function makeKey(
  server: RunningServer,
  environmentId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Key> {
  return expectDone(
    await server.admin('POST', `/admin/v1/environments/${environmentId}/keys`, {
      label: 'test',
      ...more,
    }),
  ).json;
}

/** The answer itself, when management accepted the call; throws with the problem otherwise. */
export function expectDone(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`management said ${answer.status}: ${answer.text}`);
  return answer;
}

export class Environment {
  readonly server: RunningServer;
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  readonly path: string;

  constructor(server: RunningServer, id: string, key: Key) {
    this.server = server;
    this.id = id;
    this.key = key.key;
    this.keyId = key.id;
    this.path = `/admin/v1/environments/${id}`;
  }

  /** The same environment, after its server was started again. */
  on(server: RunningServer): Environment {
    return new Environment(server, this.id, { id: this.keyId, key: this.key });
  }

  /** Management's answer to a PUT of a content, accepted or refused. */
  tryPut(contentId: string, put: Put): Promise<Answer> {
    const { mapping, ...fields } = put;
    const plain = JSON.stringify(fields);
    const mappingJson = typeof mapping === 'string' ? mapping : JSON.stringify(mapping);
    const body =
      mapping === undefined
        ? plain
        : `${plain.slice(0, -1)}${plain === '{}' ? '' : ','}"mapping":${mappingJson}}`;
    return this.server.admin('PUT', `${this.path}/contents/${contentId}`, body);
  }

  /** Puts a content that must be accepted. */
  async put(contentId: string, text: string, more: Omit<Put, 'text'> = {}): Promise<PutAnswer> {
    return expectDone(await this.tryPut(contentId, { text, ...more })).json;
  }

  async putMapping(contentId: string, mapping: string | readonly unknown[]): Promise<PutAnswer> {
    return expectDone(await this.tryPut(contentId, { mapping })).json;
  }

  async putSegment(name: string, when: unknown): Promise<void> {
    expectDone(await this.server.admin('PUT', `${this.path}/segments/${name}`, { when }));
  }

  /** Asks the delivery port with this environment's key and `application/json`; `headers` add and override. */
  ask(
    method: string,
    path: string,
    body?: Body,
    headers: OutgoingHttpHeaders = {},
    agent?: Request['agent'],
  ): Promise<Answer> {
    return send(this.server.deliveryUrl, path, {
      method,
      headers: { 'x-api-key': this.key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: encodeBody(body) }),
      ...(agent === undefined ? {} : { agent }),
    });
  }

  /** Endpoint 1; `query` starts with `?`. */
  wrapped(contentId: string, body: Body = {}, query = ''): Promise<Answer> {
    return this.ask('POST', `/api/v1/config/${contentId}/dynamic${query}`, body);
  }

  /** Endpoint 2. */
  plain(contentId: string, body: Body = {}, query = ''): Promise<Answer> {
    return this.ask('POST', `/api/v1/config/${contentId}${query}`, body);
  }

  /** Endpoint 3, `c` percent-encoded; `query` starts with `&`. */
  combine(ids: readonly string[], body: Body = {}, query = ''): Promise<Answer> {
    const c = encodeURIComponent(JSON.stringify(ids));
    return this.ask('POST', `/api/v1/combine/?c=${c}${query}`, body);
  }

  /** `body` with what is held and wanted; `query` starts with `?`. */
  refresh(body: Body = {}, query = '', headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask('POST', `/api/v1/refresh${query}`, body, headers);
  }

  /** OFREP's evaluation of one flag; the key goes into the path as it is written. */
  flag(key: string, body: Body = {}, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask('POST', `/ofrep/v1/evaluate/flags/${key}`, body, headers);
  }

  /** OFREP's evaluation of all flags that contents list; `query` starts with `?`. */
  flags(body: Body = {}, headers: OutgoingHttpHeaders = {}, query = ''): Promise<Answer> {
    return this.ask('POST', `/ofrep/v1/evaluate/flags${query}`, body, headers);
  }

  /** Endpoint 4. */
  catalog(headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask('GET', '/api/v1/env/catalog', undefined, headers);
  }

  /** The names of the rules that applied to the caller, in order; a variant as `rule/variant`. */
  async segments(contentId: string, body: Body = {}): Promise<string[]> {
    const answer = await this.wrapped(contentId, body);
    return answer.json.meta.seg.map((entry: { n: string; v: string | null }) =>
      entry.v === null ? entry.n : `${entry.n}/${entry.v}`,
    );
  }
}

/** The bytes of a request body. */
export function encodeBody(body: Body): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}
