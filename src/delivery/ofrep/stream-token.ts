/**
 * Seals what a stream of OFREP needs to know into its URL: EventSource sends no header of its own and no body. A token
 * tells its holder nothing, and whatever was not sealed with the store's key does not open (D83).
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { makeEvaluationContext } from '../../content/evaluation-context.js';
import { tokenCharactersMax, tokenEpochMs, tokenEpochs } from '../limits.js';

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

export interface SealedToken {
  /** base64url. Equal for equal subjects in one epoch. */
  readonly text: string;
  /** Differs whenever the text does, lower-case hex. */
  readonly digest: string;
}

/** Hex digits of an API key's SHA-256: 64 bits, by which keys of a store do not collide. */
export const keyIdLength = 16;

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Goes up when the payload is of another form; part of what is authenticated. */
const format = Uint8Array.of(1);
const tokenForm = /^[A-Za-z0-9_-]+$/;
const keyIdForm = /^[0-9a-f]{16}$/;

interface Keys {
  readonly seal: Uint8Array;
  readonly nonce: Uint8Array;
}

export class StreamTokens {
  readonly #streamKey: () => Uint8Array;
  /** What `#keys` were derived from. */
  #derivedFrom: Uint8Array | null = null;
  #keys: Keys | null = null;

  /** @param streamKey the store's secret of now, see `PublishedIndex.streamKey` */
  constructor(streamKey: () => Uint8Array) {
    this.#streamKey = streamKey;
  }

  /** @param nowMs milliseconds since the epoch */
  seal({ keyId, environmentId, caller }: StreamSubject, nowMs: number): SealedToken {
    const epoch = epochOf(nowMs);
    const whole = caller === null ? null : payloadOf(keyId, environmentId, epoch, caller);
    return this.#seal(
      whole !== null && charactersOf(whole) <= tokenCharactersMax
        ? whole
        : Buffer.from(JSON.stringify([keyId, environmentId, epoch])),
    );
  }

  /** @returns null for a token that was not sealed with this key, or is not good at `nowMs` */
  open(token: string, nowMs: number): OpenedToken | null {
    if (token.length > tokenCharactersMax || !tokenForm.test(token)) return null;
    const sealed = Buffer.from(token, 'base64url');
    // More than one text stands for the same bytes: only the one that was made counts.
    if (sealed.toString('base64url') !== token) return null;
    const payload = this.#unseal(sealed);
    return payload === null ? null : subjectOf(payload, epochOf(nowMs));
  }

  #seal(payload: Uint8Array): SealedToken {
    const keys = this.#derived();
    const mac = createHmac('sha256', keys.nonce).update(payload).digest();
    // Made from what it seals, so equal payloads give equal tokens, and no two payloads share a nonce by design.
    const nonce = mac.subarray(0, nonceBytes);
    const cipher = createCipheriv(algorithm, keys.seal, nonce);
    cipher.setAAD(format);
    const text = Buffer.concat([
      nonce,
      cipher.update(payload),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64url');
    return { text, digest: nonce.toString('hex') };
  }

  #unseal(sealed: Uint8Array): Uint8Array | null {
    const length = sealed.byteLength - nonceBytes - tagBytes;
    if (length <= 0) return null;
    const nonce = sealed.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, this.#derived().seal, nonce, {
      authTagLength: tagBytes,
    });
    decipher.setAAD(format);
    decipher.setAuthTag(sealed.subarray(nonceBytes + length));
    try {
      const payload = decipher.update(sealed.subarray(nonceBytes, nonceBytes + length));
      decipher.final();
      return payload;
    } catch {
      return null;
    }
  }

  /** Another store has another key. */
  #derived(): Keys {
    const streamKey = this.#streamKey();
    if (this.#keys === null || this.#derivedFrom !== streamKey) {
      this.#keys = {
        seal: derive(streamKey, 'loadout ofrep stream token: seal'),
        nonce: derive(streamKey, 'loadout ofrep stream token: nonce'),
      };
      this.#derivedFrom = streamKey;
    }
    return this.#keys;
  }
}

function derive(streamKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', streamKey, noSalt, purpose, keyBytes));
}

const noSalt = new Uint8Array(0);

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

/** Of the token with that payload. */
function charactersOf({ byteLength }: Uint8Array): number {
  return Math.ceil(((nonceBytes + byteLength + tagBytes) * 4) / 3);
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
