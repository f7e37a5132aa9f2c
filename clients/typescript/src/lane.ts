/** Requests of one kind: one at a time, and one timer, which is its time-out or the delay before the next one. */
import { attempt } from './attempt.js';
import type { Run } from './run.js';

/** Characters of a response: far above every page, and what a phone can hold. */
export const textCharsMax = 64 * 2 ** 20;
/** For a whole response, of slow networks as well. */
const requestMsMax = 15_000;
/** A comment comes every 20 to 30 seconds: without a byte a stream is dead, or something holds its bytes back. */
const silenceMsMax = 60_000;
/** No server that works asks for longer. */
export const retryAfterMsMax = 300_000;

export const unauthorized = 'invalid_api_key';

export interface Failure {
  /** Its code. */
  readonly reason: string;
  /** A 4xx: what is asked again is rejected again. */
  readonly isFinal?: boolean;
  /** Left out: the server did not say. */
  readonly retryAfterMs?: number;
}

export type Header = (name: string) => string | null;

/** Takes in a stream. Both say whether it is one. */
export interface StreamReader {
  opened(header: Header): boolean;
  feed(piece: string): boolean;
}

export type Lane = ReturnType<typeof createLane>;

export function createLane(run: Run) {
  let abandon: (() => void) | undefined;
  let cancelTimer: (() => void) | undefined;

  const quiet = () => {
    cancelTimer?.();
    cancelTimer = undefined;
  };

  /** Replaces the timer. */
  const later = (ms: number, call: () => void, isBackground = true) => {
    quiet();
    cancelTimer = run.clock.setTimer(
      () => {
        cancelTimer = undefined;
        call();
      },
      ms,
      isBackground,
    );
  };

  const halt = () => {
    quiet();
    abandon?.();
    abandon = undefined;
  };

  /**
   * @param done is called once, without a failure for a response of 2xx, but not after `halt`
   * @param sequence is the one to ask for; -1: any
   * @param reader takes in a response without an end, which may take its time
   */
  const post = (
    path: string,
    body: unknown,
    done: (failure: Failure | undefined, text: string, header: Header) => void,
    sequence = -1,
    reader?: StreamReader,
  ) => {
    let stream = reader;
    let isLive = true;
    let stop: (() => void) | undefined;
    let status = 0;
    let header: Header;
    let text = '';
    const finish = (failure?: Failure) => {
      if (!isLive) return;
      halt();
      done(failure, text, header);
    };
    const fail = (reason: string) => finish({ reason });
    /** Of a stream, whatever comes is enough for a while. */
    const take = (isTaken: boolean) => {
      if (!isTaken) fail('garbage');
      else if (stream && isLive) later(silenceMsMax, () => fail('timeout'));
    };
    abandon = () => {
      isLive = false;
      stop?.();
    };
    later(reader ? silenceMsMax : requestMsMax, () => fail('timeout'), !!reader);
    const request = {
      url: `${run.url.replace(/\/+$/, '')}/api/v1/${path}`,
      headers: {
        'X-Api-Key': run.key,
        'Content-Type': 'application/json',
        ...(sequence < 0 ? {} : { 'X-Min-Sequence': `${sequence}` }),
      },
      body: JSON.stringify(body),
    };
    try {
      stop = run.transport.send(request, {
        head(itsStatus, itsHeader) {
          if (!isLive) return;
          status = itsStatus;
          header = itsHeader;
          if (status !== 200) stream = undefined;
          take(stream?.opened(header) ?? true);
        },
        text(piece) {
          if (!isLive) return;
          if (!stream) text += piece;
          take(stream ? stream.feed(piece) : text.length <= textCharsMax);
        },
        end: (isWhole) => (isWhole ? finish(rejection(status, header, text)) : fail('network')),
      });
    } catch {
      later(0, () => fail('network'));
    }
  };

  return {
    quiet,
    later,
    halt,
    post,
    isBusy: () => !!abandon,
    /** For its timer, which a request has as well. */
    isWaiting: () => !!cancelTimer,
    /** After the n-th failure in a row: calls after a random delay, and not before the server permits it. */
    retryLater(
      failures: number,
      failure: Failure | undefined,
      call: () => void,
      isBackground = true,
      secondsMax = 300,
    ): void {
      const seconds = run.random() * Math.min(2 ** (failures - 1), secondsMax);
      later(seconds * 1000 + (failure?.retryAfterMs ?? 0), call, isBackground);
    },
  };
}

/** How the server rejected a request; undefined: it did not. */
function rejection(status: number, header: Header, text: string): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) return { reason: 'redirect' };
  if (status === 401) return { reason: unauthorized, isFinal: true };
  // Without one something on the way responded.
  const code = attempt(() => JSON.parse(text).code) || `http_${status}`;
  const isLater = status === 429 || status === 503;
  const seconds = (isLater && Number(header('retry-after'))) || 0;
  return {
    reason: `${code}`,
    isFinal: status < 500 && status !== 408 && status !== 429,
    retryAfterMs: Math.min(seconds * 1000, retryAfterMsMax),
  };
}

/** Whether the type is this one, with whatever parameters. */
export function hasType(header: Header, type: string): boolean {
  return header('content-type')?.split(';')[0]?.trim().toLowerCase() === type;
}
