/**
 * A client of `POST /api/v1/stream` that stays connected: it keeps what it was sent, and comes back with it whenever the
 * server closes, as clients of the contract do. Whatever such a client may not see becomes a violation.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { HeldContents, type Page } from '../specification/held-contents.js';
import { EventStreamReader, type ServerSentEvent } from './event-stream.js';

export interface StreamClientOptions {
  /** Origin of the delivery port; read anew for each connection. */
  readonly origin: () => string;
  readonly key: string;
  /** `u`, `p` and `v`. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Content ids; left out: all. */
  readonly ids?: readonly string[];
  readonly mode?: 'data' | 'notify';
  /** The most that one event is to hold; left out: as the server has it. */
  readonly bytesMax?: number;
  /** For delays; 0 (included) to 1 (not). */
  readonly random: () => number;
}

/** What a complete answer brought: its last event, and the ids of all its events. */
export interface Wake {
  /** The first one of a connection comes whether or not anything has changed. */
  readonly isFirst: boolean;
  readonly sequence: number;
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** The instant whose passing caused it, ISO 8601; null: an edit did. */
  readonly at: string | null;
}

/** Why the client does not come back. */
export type End = 'closed' | 'rejected';

/** A stream that is silent for so long is dead: comments come every 25 s. */
const silentMsMax = 60_000;
const backoffMsMin = 100;
const backoffMsMax = 5_000;
const violationsMax = 20;

export class StreamClient {
  readonly held: HeldContents = new HeldContents();
  /** The first of them. */
  readonly violations: string[] = [];
  readonly #options: StreamClientOptions;
  readonly #onWake: (wake: Wake) => void;
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  #request: ClientRequest | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isFirst = true;
  #failures = 0;
  /** Milliseconds, as the server said last on this connection; -1: it did not. */
  #retryMs = -1;
  #waiting: (() => void)[] = [];
  end: End | null = null;
  /** Streams that were accepted. */
  connections = 0;
  /** Of the last complete answer; -1: there was none. */
  sequence = -1;
  /** A stream is open, and its first answer complete. */
  isUp = false;

  constructor(options: StreamClientOptions, onWake: (wake: Wake) => void = () => undefined) {
    this.#options = options;
    this.#onWake = onWake;
  }

  get context(): Readonly<Record<string, unknown>> {
    return this.#options.context;
  }

  /** Connects, and again after each end until `close` or a rejected key. */
  open(): void {
    const { origin, key, context, ids, mode, bytesMax } = this.#options;
    const { have } = this.held;
    const sending = request(`${origin()}/api/v1/stream`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      agent: false,
    });
    this.#request = sending;
    this.#retryMs = -1;
    sending.on('response', (response) => this.#answered(response));
    sending.on('error', () => this.#ended(sending, null));
    sending.setTimeout(silentMsMax, () => {
      this.#say(`was silent for ${silentMsMax / 1_000} s`);
      sending.destroy();
    });
    sending.end(JSON.stringify({ ...context, have, ids, mode, bytesMax }));
  }

  /** Drops the connection as a bad network does; the client comes back. */
  cut(): void {
    this.#request?.destroy();
  }

  /** Ends the stream for good. */
  close(): void {
    this.end ??= 'closed';
    clearTimeout(this.#timer);
    this.#request?.destroy();
    this.#request = null;
    this.isUp = false;
    this.#moved();
  }

  /** Resolves when a complete answer has that sequence or a later one; rejects when the client has ended before. */
  async reached(sequence: number): Promise<void> {
    await this.until(() => this.sequence >= sequence);
  }

  /** Resolves when `isTrue` is so after an event, a new connection or an end; rejects when the client has ended before. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.end !== null) throw new Error(`the stream was ${this.end} before`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #answered(response: IncomingMessage): void {
    const sending = this.#request;
    if (sending === null) return;
    const { statusCode: status = 0, headers } = response;
    response.on('error', () => undefined);
    if (status !== 200) {
      if (status === 401) this.end = 'rejected';
      else if (status !== 429 && status !== 503) this.#say(`was refused with ${status}`);
      const retryAfter = headers['retry-after'];
      if (status === 429 && !/^\d+$/.test(retryAfter ?? '')) this.#say('429 without Retry-After');
      response.resume();
      response.on('close', () => this.#ended(sending, Number(retryAfter ?? Number.NaN)));
      return;
    }
    this.#failures = 0;
    this.connections += 1;
    this.#isFirst = true;
    this.#changed.clear();
    this.#gone.clear();
    for (const [name, expected] of expectedHeaders) {
      if (headers[name] !== expected) this.#say(`${name} is ${headers[name]}`);
    }
    const reader = new EventStreamReader({
      event: (event) => this.#take(event),
      retry: (ms) => {
        this.#retryMs = ms;
      },
      ignored: (line) => this.#say(`sent the line ${JSON.stringify(line)}`),
    });
    response.on('data', (piece: Buffer) => reader.write(piece));
    response.on('close', () => this.#ended(sending, null));
  }

  #take({ type, data, lastEventId }: ServerSentEvent): void {
    if (type !== 'refresh') {
      this.#say(`sent an event of type ${type}`);
      return;
    }
    const { at = null } = JSON.parse(data);
    const { mode, ids } = this.#options;
    const page = mode === 'notify' ? idsOf(data) : this.#pageOf(data);
    const { sequence, changed, gone, goneInVain, more } = page;
    // Pages of one answer repeat what is gone, and the first answer tells what of the named ids is not there.
    for (const id of goneInVain) {
      if (this.#gone.has(id) || (this.#isFirst && ids?.includes(id))) continue;
      this.#say(`${id} is gone, and was not held`);
    }
    if (lastEventId !== String(sequence)) this.#say(`sequence ${sequence} has id ${lastEventId}`);
    if (sequence < this.sequence) this.#say(`sequence ${sequence} after ${this.sequence}`);
    for (const id of changed) this.#changed.add(id);
    for (const id of gone) this.#gone.add(id);
    if (more) return;
    const wake = {
      ...{ isFirst: this.#isFirst, sequence, at },
      changed: [...this.#changed],
      gone: [...this.#gone],
    };
    if (!wake.isFirst && wake.changed.length + wake.gone.length === 0) {
      this.#say(`was woken for nothing at ${sequence}`);
    }
    this.#isFirst = false;
    this.#changed.clear();
    this.#gone.clear();
    this.sequence = sequence;
    this.isUp = true;
    this.#onWake(wake);
    this.#moved();
  }

  #pageOf(data: string): Page {
    return this.held.add(Buffer.from(data), (what) => this.#say(what));
  }

  /** @param retryAfter seconds, as a refusal has it; NaN or null: it has none */
  #ended(sending: ClientRequest, retryAfter: number | null): void {
    if (this.#request !== sending) return;
    this.#request = null;
    this.isUp = false;
    this.#moved();
    if (this.end !== null) return;
    this.#failures += 1;
    this.#timer = setTimeout(() => this.open(), this.#delayMs(retryAfter ?? Number.NaN));
  }

  #delayMs(retryAfter: number): number {
    const { random } = this.#options;
    if (retryAfter >= 0) return 1_000 * (retryAfter + random());
    // The server has drawn it at random.
    if (this.#retryMs >= 0) return this.#retryMs;
    return random() * Math.min(backoffMsMax, backoffMsMin * 2 ** this.#failures);
  }

  #say(what: string): void {
    const { context } = this.#options;
    if (this.violations.length < violationsMax) {
      this.violations.push(`${JSON.stringify(context)}: ${what}`);
    }
  }

  #moved(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

const expectedHeaders = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache'],
  ['x-accel-buffering', 'no'],
  ['content-encoding', undefined],
] as const;

/** What an event of the mode `notify` says. */
function idsOf(data: string): Page {
  const { sequence, ids } = JSON.parse(data);
  return { sequence, changed: ids, gone: [], goneInVain: [], more: false, changesAt: null };
}
