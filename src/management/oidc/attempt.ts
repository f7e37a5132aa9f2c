/**
 * An attempt to sign in through the OpenID provider, in a cookie of the browser that began it: no server remembers it, so any
 * server of a fleet can end it.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attemptMs, attemptsAtOnceMax } from '../limits/sessions.js';

export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE, RFC 7636. */
  readonly verifier: string;
  /** Path of the console to go back to. */
  readonly returnPath: string;
  readonly expiresAtMs: number;
}

/** 256 bits. */
const randomBytesCount = 32;
const stateForm = /^[A-Za-z0-9_-]{43}$/;
const valueForm = /^[A-Za-z0-9_-]{1,3072}\.[A-Za-z0-9_-]{43}$/;
const stateCharsShown = 8;

/** @param returnPath as `returnPathOf` returns it */
export function makeAttempt(returnPath: string, nowMs: number): Attempt {
  const random = (): string => randomBytes(randomBytesCount).toString('base64url');
  const secrets = { state: random(), nonce: random(), verifier: random() };
  return { ...secrets, returnPath, expiresAtMs: nowMs + attemptMs };
}

/** Keeps and finds attempts in cookies. A cookie that this store's servers did not make counts as none. */
export class AttemptCookies {
  readonly #store: { readonly id: string; readonly streamKey: string };
  readonly #isHttps: boolean;

  /** @param publicOrigin of the console: it says whether browsers come over https, whatever a proxy says */
  constructor(store: { readonly id: string; readonly streamKey: string }, publicOrigin: string) {
    this.#store = store;
    this.#isHttps = publicOrigin.startsWith('https:');
  }

  set(reply: FastifyReply, attempt: Attempt): void {
    const payload = Buffer.from(JSON.stringify(attempt)).toString('base64url');
    const value = `${payload}.${this.#mac(payload)}`;
    this.#send(reply, attempt.state, value, attemptMs / 1_000);
  }

  clear(reply: FastifyReply, state: string): void {
    this.#send(reply, state, '', 0);
  }

  /** Forgets all but the newest ones: a browser whose cookies fill a head gets no response any more. */
  dropOldest({ headers }: FastifyRequest, reply: FastifyReply, nowMs: number): void {
    const prefix = this.#nameOf('');
    const kept = pairsOf(headers.cookie)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => ({ name, expiresAtMs: this.#open(value)?.expiresAtMs ?? 0 }))
      .sort((a, b) => b.expiresAtMs - a.expiresAtMs);
    const isKept = ({ expiresAtMs }: { readonly expiresAtMs: number }, at: number): boolean =>
      expiresAtMs > nowMs && at < attemptsAtOnceMax - 1;
    for (const [at, attempt] of kept.entries()) {
      if (!isKept(attempt, at)) this.#send(reply, attempt.name.slice(prefix.length), '', 0);
    }
  }

  /**
   * The attempt that the provider's response is to.
   * @param state of the response, which may be anything
   * @returns null: this browser did not begin it here, or it has expired
   */
  find({ headers }: FastifyRequest, state: string, nowMs: number): Attempt | null {
    if (!stateForm.test(state)) return null;
    const own = this.#nameOf(state);
    // A cookie by the name may come from another port of this host, beside the right one.
    const attempts = pairsOf(headers.cookie)
      .filter(([name]) => name === own)
      .map(([, value]) => this.#open(value));
    const attempt = attempts.find((one) => one?.state === state) ?? null;
    return attempt !== null && nowMs < attempt.expiresAtMs ? attempt : null;
  }

  #open(value: string): Attempt | null {
    if (!valueForm.test(value)) return null;
    const [payload = '', mac = ''] = value.split('.');
    const expected = this.#mac(payload);
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return null;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Attempt;
  }

  /** With a key for this purpose alone, which all servers of a store have. */
  #mac(payload: string): string {
    const { id, streamKey } = this.#store;
    const key = hkdfSync('sha256', streamKey, id, 'attempts to sign in', randomBytesCount);
    return createHmac('sha256', new Uint8Array(key)).update(payload).digest('base64url');
  }

  /** `Lax`, unlike the session: the browser comes back from another site. One cookie for each attempt, as people have tabs. */
  #send(reply: FastifyReply, state: string, value: string, seconds: number): void {
    const secure = this.#isHttps ? '; Secure' : '';
    const attributes = `Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
    reply.header('set-cookie', `${this.#nameOf(state)}=${value}; ${attributes}`);
  }

  #nameOf(state: string): string {
    const host = this.#isHttps ? '__Host-' : '';
    const store = this.#store.id.slice(0, stateCharsShown);
    return `${host}loadout-${store}-sign-in-${state.slice(0, stateCharsShown)}`;
  }
}

/** RFC 6265, section 4.2.1. */
function pairsOf(header = ''): (readonly [name: string, value: string])[] {
  return header.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')];
  });
}
