/** One request, and what its response means. */
import type { TransportHandler } from './platform.js';
import type { Run } from './run.js';

/** Characters of a response: far above every page, and what a phone can hold. */
export const textCharsMax = 64 * 2 ** 20;
/** For a whole response, of slow networks as well. */
const requestMsMax = 15_000;
/** No server that works asks for longer. */
const retryAfterSecondsMax = 300;

export interface Failure {
  readonly code: string;
  /** A 4xx: what is asked again is rejected again. */
  readonly isFinal: boolean;
  /** Milliseconds. */
  readonly retryAfterMs: number;
}

export const failureOf = (code: string): Failure => ({ code, isFinal: false, retryAfterMs: 0 });

export type Header = (name: string) => string | null;

/** A response with a status of 2xx. */
export interface Response {
  readonly status: number;
  readonly header: Header;
  readonly text: string;
}

export const unauthorized = 'invalid_api_key';

/** How the server rejected a request. */
export function rejection(status: number, header: Header, text: string): Failure {
  let code = `http_${status}`;
  try {
    code = String(JSON.parse(text).code ?? code);
  } catch {
    // Something on the way responded.
  }
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const seconds = Math.min(Number(header('retry-after')) || 0, retryAfterSecondsMax);
  return {
    code: status === 401 ? unauthorized : code,
    isFinal,
    retryAfterMs: status === 429 || status === 503 ? Math.max(seconds, 0) * 1000 : 0,
  };
}

/** Whether a response has a type of JSON, or of another kind. */
export function hasType(header: Header, type: string): boolean {
  const actual = (header('content-type') ?? '').split(';')[0] as string;
  return actual.trim().toLowerCase() === type;
}

/** Sends without a limit of time. @returns what abandons it */
export function send(
  run: Run,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  handler: TransportHandler,
): () => void {
  const { url, key } = run.options;
  const request = {
    url: `${url.replace(/\/+$/, '')}/api/v1/${path}`,
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  try {
    return run.transport.send(request, handler);
  } catch {
    return run.clock.setTimer(() => handler.end(false), 0);
  }
}

/** One request with a whole response. @returns what abandons it; `done` is not called after that */
export function post(
  run: Run,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  done: (outcome: Response | Failure) => void,
): () => void {
  let status = 0;
  let header: Header = () => null;
  let text = '';
  const stop = () => {
    cancelTimer();
    abandon();
  };
  const finish = (outcome: Response | Failure) => {
    stop();
    done(outcome);
  };
  const abandon = send(run, path, body, headers, {
    head(itsStatus, itsHeader) {
      status = itsStatus;
      header = itsHeader;
    },
    text(piece) {
      text += piece;
      if (text.length > textCharsMax) finish(failureOf('garbage'));
    },
    end(isWhole) {
      if (!isWhole) finish(failureOf('network'));
      else if (status < 200 || status > 299) finish(rejection(status, header, text));
      else finish({ status, header, text });
    },
  });
  const cancelTimer = run.clock.setTimer(() => finish(failureOf('timeout')), requestMsMax);
  return stop;
}
