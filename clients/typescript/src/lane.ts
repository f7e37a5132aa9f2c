/** Requests of one kind: one at a time, and one timer, which is its time-out or the delay before the next one. */
import type { TransportHandler } from './platform.js';
import type { Run } from './run.js';

/** Characters of a response: far above every page, and what a phone can hold. */
export const textCharsMax = 64 * 2 ** 20;
/** For a whole response, of slow networks as well. */
const requestMsMax = 15_000;
/** No server that works asks for longer. */
export const retryAfterMsMax = 300_000;

export const unauthorized = 'invalid_api_key';

export interface Failure {
  readonly code: string;
  /** A 4xx: what is asked again is rejected again. */
  readonly isFinal?: boolean;
  readonly retryAfterMs?: number;
}

export type Header = (name: string) => string | null;

/** Called once; with null for a response of 2xx. */
export type Done = (failure: Failure | null, text: string, header: Header) => void;

export type Lane = ReturnType<typeof createLane>;

export function createLane(run: Run) {
  let abandon: (() => void) | undefined;
  let cancelTimer: (() => void) | undefined;

  const clear = () => {
    cancelTimer?.();
    cancelTimer = undefined;
  };

  /** Replaces the timer. */
  const later = (ms: number, call: () => void, isBackground = true) => {
    clear();
    const end = () => {
      cancelTimer = undefined;
      call();
    };
    cancelTimer = run.clock.setTimer(end, ms, isBackground);
  };

  const halt = () => {
    clear();
    abandon?.();
    abandon = undefined;
  };

  /** Sends without a limit of time. */
  const send = (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    handler: TransportHandler,
  ) => {
    const request = {
      url: `${run.url.replace(/\/+$/, '')}/api/v1/${path}`,
      headers: { 'X-Api-Key': run.key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    try {
      abandon = run.transport.send(request, handler);
    } catch {
      abandon = run.clock.setTimer(() => handler.end(false), 0);
    }
  };

  /** One request with a whole response. */
  const post = (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    done: Done,
  ) => {
    let status = 0;
    let header: Header = () => null;
    let text = '';
    const finish = (failure: Failure | null) => {
      halt();
      done(failure, text, header);
    };
    send(path, body, headers, {
      head(itsStatus, itsHeader) {
        status = itsStatus;
        header = itsHeader;
      },
      text(piece) {
        text += piece;
        if (text.length > textCharsMax) finish({ code: 'garbage' });
      },
      end: (isWhole) => finish(isWhole ? rejection(status, header, text) : { code: 'network' }),
    });
    later(requestMsMax, () => finish({ code: 'timeout' }), false);
  };

  return { clear, later, halt, send, post, isBusy: () => !!abandon, isWaiting: () => !!cancelTimer };
}

/** How the server rejected a request; null: it did not. */
export function rejection(status: number, header: Header, text: string): Failure | null {
  if (status >= 200 && status < 300) return null;
  if (status < 400) return { code: 'redirect' };
  let code = `http_${status}`;
  try {
    code = String(JSON.parse(text).code ?? code);
  } catch {
    // Something on the way responded.
  }
  const hasDelay = status === 429 || status === 503;
  return {
    code: status === 401 ? unauthorized : code,
    isFinal: status < 500 && status !== 408 && status !== 429,
    retryAfterMs: hasDelay ? Math.min(Number(header('retry-after')) * 1000 || 0, retryAfterMsMax) : 0,
  };
}

/** Whether the type is this one, with whatever parameters. */
export function hasType(header: Header, type: string): boolean {
  return (header('content-type') ?? '').toLowerCase().split(';')[0]?.trim() === type;
}
