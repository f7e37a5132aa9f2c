/** One connection of `POST /api/v1/stream`, or of another stream, as a test sees it: the head, every byte, every event, and how it ended. */
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import type { Environment } from '../server/environment.js';
import { type Body, encodeBody } from '../server/environment.js';
import { EventStreamReader, type ServerSentEvent } from './event-stream.js';

/** Longer than a comment or an edge takes to come. */
const waitMillisMax = 45_000;

export interface OpenStreamOptions {
  readonly method?: string;
  /** With its query, where it is another stream. */
  readonly path?: string;
  /** Starts with `?`. */
  readonly query?: string;
  /** Added to the key and the type of the body, or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An address of this machine to send from. */
  readonly localAddress?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every shape; a wrong one fails the assertion.
type Json = any;

/** Opens streams of an environment, and closes what is open of them. */
export class OpenStreams {
  readonly #all: OpenStream[] = [];

  /** Resolves with the head of the response, whatever its status. */
  open(game: Environment, body: Body = {}, options: OpenStreamOptions = {}): Promise<OpenStream> {
    const stream = new OpenStream(game, body, options);
    this.#all.push(stream);
    return stream.answered;
  }

  /** Opens a stream that must be accepted, and takes its first event. */
  async first(
    game: Environment,
    body: Body = {},
    options: OpenStreamOptions = {},
  ): Promise<OpenStream> {
    const stream = await this.open(game, body, options);
    if (stream.status !== 200) throw new Error(`${stream.status}: ${await stream.text()}`);
    await stream.next();
    return stream;
  }

  closeAll(): void {
    for (const stream of this.#all.splice(0)) stream.close();
  }
}

export class OpenStream {
  readonly answered: Promise<this>;
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** Every event so far, and every comment and delay. */
  readonly events: ServerSentEvent[] = [];
  readonly comments: string[] = [];
  readonly retries: number[] = [];
  /** Lines that clients ignore: there must be none. */
  readonly ignored: string[] = [];
  /** The connection has ended; null: not yet. `whole`: the body was ended as HTTP has it. */
  end: 'whole' | 'cut' | null = null;
  readonly #request: ClientRequest;
  readonly #pieces: Buffer[] = [];
  #taken = 0;
  #waiting: (() => void)[] = [];

  constructor(game: Environment, body: Body, options: OpenStreamOptions) {
    const { query = '', path = `/api/v1/stream${query}`, headers, localAddress } = options;
    const sending = request(`${game.server.deliveryUrl}${path}`, {
      method: options.method ?? 'POST',
      headers: { 'x-api-key': game.key, 'content-type': 'application/json', ...headers },
      agent: false,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    this.#request = sending;
    const reader = new EventStreamReader({
      event: (event) => this.events.push(event),
      comment: (text) => this.comments.push(text),
      retry: (ms) => this.retries.push(ms),
      ignored: (line) => this.ignored.push(line),
    });
    this.answered = new Promise((resolve, reject) => {
      sending.on('error', (error) => {
        reject(error);
        this.#ended('cut');
      });
      sending.on('response', (response) => {
        this.status = response.statusCode ?? 0;
        this.headers = response.headers;
        response.on('data', (piece: Buffer) => {
          this.#pieces.push(piece);
          if (this.status === 200) reader.write(piece);
          this.#moved();
        });
        response.on('error', () => this.#ended('cut'));
        response.on('end', () => this.#ended('whole'));
        response.on('close', () => this.#ended('cut'));
        resolve(this);
      });
    });
    sending.end(encodeBody(body));
  }

  /** Everything that has arrived. */
  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** The body of a response that ends. */
  async text(): Promise<string> {
    await this.ended();
    return this.bytes.toString();
  }

  /** Data of the next event that was not taken yet. */
  async next(): Promise<Json> {
    await this.until('an event', () => this.events.length > this.#taken);
    this.#taken += 1;
    return JSON.parse((this.events[this.#taken - 1] as ServerSentEvent).data);
  }

  /** Data of the events that have arrived and were not taken yet. */
  rest(): Json[] {
    const rest = this.events.slice(this.#taken).map(({ data }) => JSON.parse(data));
    this.#taken = this.events.length;
    return rest;
  }

  async ended(): Promise<'whole' | 'cut'> {
    await this.until('an end', () => this.end !== null, true);
    return this.end as 'whole' | 'cut';
  }

  /** Resolves when it is so after something has arrived; rejects when the stream has ended before, or after 45 s. */
  async until(what: string, isTrue: () => boolean, mayEnd = false): Promise<void> {
    const deadline = performance.now() + waitMillisMax;
    while (!isTrue()) {
      if (this.end !== null && !mayEnd) throw new Error(`the stream has ended before ${what}`);
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`${what} did not come within ${waitMillisMax} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** The client leaves. */
  close(): void {
    this.#request.destroy();
  }

  #ended(how: 'whole' | 'cut'): void {
    this.end ??= how;
    this.#moved();
  }

  #moved(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
