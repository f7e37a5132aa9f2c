/** One response of server-sent events as it arrives, byte for byte; it does not come back when it ends. */
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { deferred } from '../wire/exchange.js';
import { EventStreamReader, type ServerSentEvent } from './event-stream.js';

export interface StreamRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** The address that it comes from: any of 127.0.0.0/8. */
  readonly localAddress?: string;
}

export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export class OpenedStream {
  readonly events: ServerSentEvent[] = [];
  /** What was received so far. */
  text = '';
  comments = 0;
  /** Milliseconds; -1: the server has not said when to come back. */
  retryMs = -1;
  /** Resolves with the first bytes of the body, or with its end. */
  readonly opened: Promise<Opened>;
  readonly ended: Promise<void>;
  readonly #sending: ReturnType<typeof request>;
  #waiting: (() => void)[] = [];
  #isEnded = false;

  constructor(origin: string, path: string, asked: StreamRequest = {}) {
    const { method = 'POST', headers = {}, body, localAddress } = asked;
    const opened = deferred<Opened>();
    const ended = deferred<void>();
    this.opened = opened.promise;
    this.ended = ended.promise;
    const end = (): void => {
      this.#isEnded = true;
      ended.resolve();
      this.#moved();
    };
    const reader = new EventStreamReader({
      event: (event) => this.events.push(event),
      comment: () => {
        this.comments += 1;
      },
      retry: (ms) => {
        this.retryMs = ms;
      },
    });
    const from = localAddress === undefined ? {} : { localAddress };
    this.#sending = request(`${origin}${path}`, { method, headers, agent: false, ...from });
    this.#sending.on('response', (response) => {
      const answer = { status: response.statusCode ?? 0, headers: response.headers };
      response.on('data', (piece: Buffer) => {
        this.text += piece.toString('latin1');
        reader.write(piece);
        opened.resolve(answer);
        this.#moved();
      });
      response.on('close', () => {
        opened.resolve(answer);
        end();
      });
      response.on('error', () => undefined);
    });
    this.#sending.on('error', end);
    this.#sending.end(body);
  }

  /** Events once there are as many; throws when the stream ends before. */
  async count(wanted: number): Promise<readonly ServerSentEvent[]> {
    await this.until(() => this.events.length >= wanted);
    return this.events;
  }

  /** Resolves when it is so after something was received; throws when the stream ends before. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.#isEnded) throw new Error(`the stream ended after ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    this.#sending.destroy();
  }

  #moved(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
