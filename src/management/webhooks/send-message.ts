/** Sends one message to one webhook, once: a POST on a connection of its own, limited in time and in what it reads. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { WebhookFormat } from '../../contract/events.js';
import {
  webhookResponseBytesMax,
  webhookResponseMsMax,
  webhookRetryAfterMsMax,
} from '../limits/webhooks.js';
import { describeFailure, ResponseLate, wordStatus } from './describe-failure.js';
import { sign } from './signature.js';
import { lookUpAllowed, rejectedTarget } from './target-address.js';

export interface Message {
  /** The same in every attempt, so that a receiver recognises a message that it has had. */
  readonly id: string;
  readonly url: string;
  readonly format: WebhookFormat;
  /** Each signs: more than one for a while after a change; none of a chat. */
  readonly secrets: readonly string[];
  readonly body: string;
}

export interface SendOptions {
  /** Loopback and link-local addresses too. */
  readonly toLocal: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Gives the attempt up: the server ends. */
  readonly signal: AbortSignal;
  /** Milliseconds from the look-up of the name to the head of the response. */
  readonly attemptMsMax: number;
}

export interface Attempt {
  /** HTTP status; null: there was no response. */
  readonly status: number | null;
  /** In plain words; '' when it was delivered. */
  readonly error: string;
  readonly durationMs: number;
  /** How long the receiver asks to be left alone; 0 when it does not. */
  readonly retryAfterMs: number;
}

/** Never rejects: whatever happens is the attempt's outcome. */
export async function sendMessage(message: Message, options: SendOptions): Promise<Attempt> {
  const startedMs = performance.now();
  const attempt = (status: number | null, error: string, retryAfterMs = 0): Attempt => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startedMs),
    retryAfterMs,
  });
  // Asked again: the server may have been started with another option since it was made.
  const rejected = rejectedTarget(message.url, options.toLocal);
  if (rejected !== null) return attempt(null, `Its URL ${rejected}.`);
  try {
    const { status, retryAfter } = await post(message, options);
    return attempt(
      status,
      wordStatus(status, message.format),
      retryAfterMs(retryAfter, options.now()),
    );
  } catch (error) {
    return attempt(null, describeFailure(error));
  }
}

function signatureHeaders({ id, secrets, body }: Message, atSeconds: number) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': sign(secrets, id, atSeconds, body),
  };
}

interface Head {
  readonly status: number;
  readonly retryAfter: string;
}

function post(
  message: Message,
  { toLocal, now, signal, attemptMsMax }: SendOptions,
): Promise<Head> {
  const url = new URL(message.url);
  const body = Buffer.from(message.body);
  const atSeconds = Math.floor(now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'user-agent': 'Loadout-Webhooks/1',
    ...(message.format === 'loadout' ? signatureHeaders(message, atSeconds) : {}),
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers,
      // A connection of its own: one that is kept would be to an address that was checked long ago.
      agent: false,
      rejectUnauthorized: true,
      ...(toLocal ? {} : { lookup: lookUpAllowed }),
    });
    let responded = false;
    // Once its status has arrived nothing that happens to the connection matters.
    const fail = (error: Error): void => {
      if (!responded) reject(error);
    };
    const giveUp = (): void => void request.destroy(new ResponseLate(attemptMsMax));
    const deadline = setTimeout(giveUp, attemptMsMax);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    request.on('error', fail);
    request.on('response', (response) => {
      responded = true;
      clearTimeout(deadline);
      const { statusCode: status = 0, headers } = response;
      void readResponse(response).then(() => {
        resolve({ status, retryAfter: headers['retry-after'] ?? '' });
      });
    });
    request.on('close', () => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', giveUp);
      // Nothing failed and no response came: it wanted to switch protocols.
      fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
    request.end(body);
  });
}

/** Lets the receiver finish its response, within limits. */
function readResponse(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const enough = setTimeout(() => response.destroy(), webhookResponseMsMax);
    response.on('data', (piece: Buffer) => {
      bytes += piece.byteLength;
      if (bytes > webhookResponseBytesMax) response.destroy();
    });
    // Its status has arrived: how its body ends does not matter.
    response.on('error', () => undefined);
    response.on('close', () => {
      clearTimeout(enough);
      resolve();
    });
  });
}

/** Seconds or a date, as HTTP has it. */
function retryAfterMs(text: string, nowMs: number): number {
  const seconds = Number(text === '' ? Number.NaN : text);
  const wanted = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1000;
  // Whole: it is added to a time that the store holds as a whole number.
  return Number.isNaN(wanted)
    ? 0
    : Math.ceil(Math.max(0, Math.min(wanted, webhookRetryAfterMsMax)));
}
