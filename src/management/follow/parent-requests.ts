/** Requests to the servers that this one follows: to one of them, for as long as it responds; then to the next one. */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { followAnswerBytesMax, followIdleMs, followLineCharsMax } from '../limits/follow.js';
import { StoreUnavailable } from '../store/store-errors.js';
import { followProtocol, protocolHeader } from './wire.js';

export interface ParentOptions {
  /** Origins, the preferred one first. */
  readonly urls: readonly string[];
  /** Read for each request, so that another token needs no restart. */
  readonly tokenFile: string;
  /** Certificates (PEM) that parents are verified with; null: those that Node knows. */
  readonly caFile: string | null;
}

export interface ParentRequest<T extends z.ZodType> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON; left out: it is a GET. */
  readonly body?: unknown;
  /** Of the response, or of each of its lines. */
  readonly schema: T;
}

const newline = 0x0a;
const nothingMoves = 'nothing moves';

export class ParentRequests {
  readonly #options: ParentOptions;
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https: https.Agent;
  readonly #idleMs: number;
  #at = 0;

  /** @param idleMs a response of which nothing comes for so long while it is awaited is given up */
  constructor(options: ParentOptions, idleMs: number = followIdleMs) {
    this.#options = options;
    this.#idleMs = idleMs;
    const { caFile } = options;
    this.#https = new https.Agent({
      keepAlive: true,
      ...(caFile === null ? {} : { ca: readFileSync(caFile) }),
    });
  }

  /** The parent that is asked at present. */
  get url(): string {
    return this.#options.urls[this.#at] as string;
  }

  /** The next parent is asked from now on, unless another request has turned to it already. */
  turnFrom(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.#options.urls.length;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** @throws StoreUnavailable, in words */
  async json<T extends z.ZodType>(request: ParentRequest<T>): Promise<z.output<T>> {
    const response = await this.#open(request);
    try {
      return parse(request.schema, await textOf(response, this.#idleMs));
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : brokenOff(error);
    }
  }

  /**
   * Lines of a response, as they come. Who stops reading ends the transfer.
   * @throws StoreUnavailable, in words
   */
  async *lines<T extends z.ZodType>(request: ParentRequest<T>): AsyncGenerator<z.output<T>> {
    const response = await this.#open(request);
    const isCompressed = response.headers['content-encoding'] === 'gzip';
    // Its end and its errors are those of what is read.
    const read: Readable = isCompressed
      ? pipeline(response, createGunzip(), () => undefined)
      : response;
    try {
      const pieces = awaited(read, response, this.#idleMs);
      for await (const line of linesOf(pieces)) yield parse(request.schema, line);
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : brokenOff(error);
    } finally {
      response.destroy();
    }
  }

  async #open({ path, query = {}, body }: ParentRequest<z.ZodType>): Promise<IncomingMessage> {
    const { url } = this;
    try {
      const target = new URL(path, url);
      for (const [name, value] of Object.entries(query)) {
        target.searchParams.set(name, String(value));
      }
      const response = await this.#send(target, body);
      if (response.statusCode === 200) return response;
      throw await refusal(url, response, this.#idleMs);
    } catch (error) {
      this.turnFrom(url);
      if (error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable(error, `The parent ${url} does not respond.`);
    }
  }

  #send(target: URL, body: unknown): Promise<IncomingMessage> {
    const text = body === undefined ? null : JSON.stringify(body);
    const isTls = target.protocol === 'https:';
    const token = readFileSync(this.#options.tokenFile, 'utf8').trim();
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(
        target,
        {
          method: text === null ? 'GET' : 'POST',
          agent: isTls ? this.#https : this.#http,
          headers: {
            authorization: `Bearer ${token}`,
            [protocolHeader]: followProtocol,
            ...(text === null
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (response) => {
          // A reader that is busy pauses the connection, which is then idle although the parent is well.
          response.socket.setTimeout(0);
          resolve(response);
        },
      );
      request.setTimeout(this.#idleMs, () => request.destroy(new Error(nothingMoves)));
      request.on('error', reject);
      request.end(text ?? undefined);
    });
  }
}

function brokenOff(error: unknown): StoreUnavailable {
  return new StoreUnavailable(error, 'A transfer from the parent broke off.');
}

/** The parent does not take the body as it is: the same one again would be refused again. */
export class BodyRefused extends StoreUnavailable {}

const bodyStatuses: readonly (number | undefined)[] = [400, 413];

/** What the operator has to do, if the parent says it. */
async function refusal(
  url: string,
  response: IncomingMessage,
  idleMs: number,
): Promise<StoreUnavailable> {
  if (response.headers[protocolHeader] === undefined) {
    response.destroy();
    return new StoreUnavailable(
      null,
      `${url} is no port for followers (it responds ${response.statusCode}): --follow names the --follow-port of a server whose version has one.`,
    );
  }
  const text = await textOf(response, idleMs);
  let detail = '';
  try {
    detail = String((JSON.parse(text) as { readonly detail?: unknown }).detail ?? '');
  } catch {
    // It says nothing that helps.
  }
  const hint =
    response.statusCode === 401 ? ' The token of --follow-token-file is not accepted.' : '';
  const Refused = bodyStatuses.includes(response.statusCode) ? BodyRefused : StoreUnavailable;
  return new Refused(null, `The parent ${url} refuses (${response.statusCode}): ${detail}${hint}`);
}

async function textOf(response: IncomingMessage, idleMs: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of awaited(response, response, idleMs)) {
    bytes += piece.byteLength;
    if (bytes > followAnswerBytesMax) {
      throw new StoreUnavailable(null, 'The parent says more than a parent would.');
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Pieces of a response, which is given up when one is awaited for too long. The time that the reader takes does not count. */
async function* awaited(
  read: Readable,
  response: IncomingMessage,
  idleMs: number,
): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<Buffer> = read[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new Error(nothingMoves)), idleMs);
      const piece = await pieces.next().finally(() => clearTimeout(timer));
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}

async function* linesOf(read: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of read) {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      yield Buffer.concat([...pieces, piece.subarray(from, end)]).toString('utf8');
      pieces = [];
      bytes = 0;
      from = end + 1;
    }
    pieces.push(piece.subarray(from));
    bytes += piece.byteLength - from;
    if (bytes > followLineCharsMax) {
      throw new StoreUnavailable(null, 'The parent sends a line that is too long.');
    }
  }
  if (bytes > 0) throw new StoreUnavailable(null, 'A transfer from the parent broke off.');
}

function parse<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StoreUnavailable(error, 'The parent sends what is not JSON.');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StoreUnavailable(
    parsed.error,
    'The parent sends what this version does not know: upgrade this server. It goes on serving.',
  );
}
