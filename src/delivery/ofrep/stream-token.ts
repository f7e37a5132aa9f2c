/**
 * Seals what a stream of OFREP needs to know into its URL: EventSource sends no header of its own and no body. A token
 * tells its holder nothing, and whatever was not sealed with the store's key does not open (D83).
 */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { makeEvaluationContext } from '../../content/evaluation-context.js';
import { tokenCharactersMax, tokenEpochMs, tokenEpochs } from '../limits.js';
import { type SealedToken, TokenSeal, tokenCharacters } from '../sealed-token.js';

/** Who a stream is for. */
export interface StreamSubject {
  /** The first `keyIdLength` digits of the hash of the API key. */
  readonly keyId: string;
  readonly environmentId: string;
  /** Null: it was too large for the token, or cannot be written. */
  readonly caller: EvaluationContext | null;
}

/** What an opened token says. */
export interface OpenedToken extends StreamSubject {
  /** When it is accepted no longer, milliseconds since the epoch. */
  readonly endsAtMs: number;
}

/** Hex digits of an API key's SHA-256: 64 bits, by which keys of a store do not collide. */
export const keyIdLength = 16;

/** Of the payload. */
const format = 1;
const keyIdForm = /^[0-9a-f]{16}$/;

export class StreamTokens {
  readonly #seal: TokenSeal;

  /** @param streamKey the store's secret of now, see `PublishedIndex.streamKey` */
  constructor(streamKey: () => Uint8Array) {
    this.#seal = new TokenSeal(streamKey, 'loadout ofrep stream token', format);
  }

  /** @param nowMs milliseconds since the epoch */
  seal({ keyId, environmentId, caller }: StreamSubject, nowMs: number): SealedToken {
    const epoch = epochOf(nowMs);
    const whole = caller === null ? null : payloadOf(keyId, environmentId, epoch, caller);
    return this.#seal.seal(
      whole !== null && tokenCharacters(whole) <= tokenCharactersMax
        ? whole
        : Buffer.from(JSON.stringify([keyId, environmentId, epoch])),
    );
  }

  /** @returns null for a token that was not sealed with this key, or is not good at `nowMs` */
  open(token: string, nowMs: number): OpenedToken | null {
    const payload = this.#seal.open(token, tokenCharactersMax);
    return payload === null ? null : subjectOf(payload, epochOf(nowMs));
  }
}

function epochOf(nowMs: number): number {
  return Math.floor(nowMs / tokenEpochMs);
}

/** Null: the context nests too deep to be written, or has a number that JSON cannot say. */
function payloadOf(
  keyId: string,
  environmentId: string,
  epoch: number,
  { u, v, p }: EvaluationContext,
): Buffer | null {
  try {
    const text = JSON.stringify([keyId, environmentId, epoch, u, v, p]);
    // It writes Infinity, which `1e400` is read as, as null.
    return text.includes('null') && hasInfinite(p) ? null : Buffer.from(text);
  } catch {
    return null;
  }
}

function hasInfinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasInfinite);
}

function subjectOf(payload: Uint8Array, now: number): OpenedToken | null {
  const parsed = JSON.parse(Buffer.from(payload).toString()) as unknown[];
  const [keyId, environmentId, epoch, u, v, p] = parsed;
  if (typeof keyId !== 'string' || !keyIdForm.test(keyId)) return null;
  if (typeof environmentId !== 'string' || typeof epoch !== 'number') return null;
  // One epoch ahead is that of a node whose clock is.
  if (epoch > now + 1 || epoch <= now - tokenEpochs) return null;
  const endsAtMs = (epoch + tokenEpochs) * tokenEpochMs;
  if (parsed.length === 3) return { keyId, environmentId, caller: null, endsAtMs };
  if (parsed.length !== 6 || typeof u !== 'string' || typeof v !== 'string') return null;
  if (typeof p !== 'object' || p === null) return null;
  const attributes = p as Readonly<Record<string, unknown>>;
  return { keyId, environmentId, caller: makeEvaluationContext(u, attributes, v), endsAtMs };
}
