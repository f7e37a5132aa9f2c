/** Requests to the servers that this one follows: to one of them, for as long as it responds; then to the next one. */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import {
  followFirstPieceMs,
  followIdleMs,
  followNextBytesMax,
  followTokenMs,
} from '../limits/follow.js';
import { StoreUnavailable } from '../store/store-errors.js';
import { awaited, linesOf, parse, textOf } from './parent-response.js';
import { followPaths, followProtocol, notWaitedForHeader, protocolHeader } from './wire.js';

export interface ParentOptions {
  /** Origins, the preferred one first. */
  readonly urls: readonly string[];
  /** Read again after a second, so that another token needs no restart. */
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

export class ParentRequests {
  readonly #options: ParentOptions;
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https: https.Agent;
  readonly #idleMs: number;
  readonly #firstPieceMs: number;
  #at = 0;
  #token: { readonly text: string; readonly readMs: number } | null = null;

  /**
   * @param idleMs a response of which nothing comes for so long while it is awaited is given up
   * @param firstPieceMs the same for the first of its lines, which may have to be made
   */
  constructor(
    options: ParentOptions,
    idleMs: number = followIdleMs,
    firstPieceMs: number = followFirstPieceMs,
  ) {
    this.#options = options;
    this.#firstPieceMs = firstPieceMs;
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
    return parse(request.schema, await this.#textOf(response));
  }

  /**
   * The question for what comes after a position, which the parent holds until there is something.
   * @returns lines of changes, the head first; one line: where the parent is
   * @throws StoreUnavailable, in words
   */
  async next(body: unknown): Promise<{
    readonly lines: readonly string[];
    readonly isWaitedFor: boolean;
  }> {
    const response = await this.#open({ path: followPaths.next, body });
    const text = await this.#textOf(response, followNextBytesMax);
    const lines = text.split('\n').filter((line) => line !== '');
    return { lines, isWaitedFor: response.headers[notWaitedForHeader] === undefined };
  }

  /**
   * Lines of a response, as they come. Who stops reading ends the transfer.
   * @throws StoreUnavailable, in words
   */
  async *lines<T extends z.ZodType>(request: ParentRequest<T>): AsyncGenerator<z.output<T>> {
    const { url } = this;
    const response = await this.#open(request);
    const isCompressed = response.headers['content-encoding'] === 'gzip';
    // Its end and its errors are those of what is read.
    const read: Readable = isCompressed
      ? pipeline(response, createGunzip(), () => undefined)
      : response;
    let isBegun = false;
    try {
      const pieces = awaited(read, response, this.#idleMs, this.#firstPieceMs);
      for await (const line of linesOf(pieces)) {
        isBegun = true;
        yield parse(request.schema, line);
      }
    } catch (error) {
      // It has heard the request, and cannot respond to it.
      if (!isBegun) this.turnFrom(url);
      throw error instanceof StoreUnavailable ? error : brokenOff(error);
    } finally {
      response.destroy();
    }
  }

  async #textOf(response: IncomingMessage, bytesMax?: number): Promise<string> {
    try {
      return await textOf(response, this.#idleMs, bytesMax);
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : brokenOff(error);
    }
  }

  async #open({
    path,
    query = {},
    body,
  }: Omit<ParentRequest<z.ZodType>, 'schema'>): Promise<IncomingMessage> {
    const { url } = this;
    try {
      const target = new URL(path, url);
      for (const [name, value] of Object.entries(query)) {
        target.searchParams.set(name, String(value));
      }
      const response = await this.#send(target, this.#readToken(), body);
      if (response.statusCode === 200) return response;
      throw await refusal(url, response, this.#idleMs);
    } catch (error) {
      this.turnFrom(url);
      this.#token = null;
      if (error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable(error, `The parent ${url} does not respond.`);
    }
  }

  #readToken(): string {
    const nowMs = performance.now();
    const known = this.#token;
    if (known !== null && nowMs - known.readMs < followTokenMs) return known.text;
    try {
      const text = readFileSync(this.#options.tokenFile, 'utf8').trim();
      this.#token = { text, readMs: nowMs };
      return text;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreUnavailable(error, `--follow-token-file cannot be read: ${reason}`);
    }
  }

  #send(target: URL, token: string, body: unknown): Promise<IncomingMessage> {
    const text = body === undefined ? null : JSON.stringify(body);
    const isTls = target.protocol === 'https:';
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
      request.setTimeout(this.#idleMs, () => request.destroy(new Error('nothing moves')));
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
