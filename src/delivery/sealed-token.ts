/**
 * Seals what a client carries for the server. A token tells its holder nothing, and whatever was not sealed with the
 * store's key, for the same purpose, does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

export interface SealedToken {
  /** base64url. Equal for equal payloads. */
  readonly text: string;
  /** Differs whenever the text does, lower-case hex. */
  readonly digest: string;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const tokenForm = /^[A-Za-z0-9_-]+$/;

interface Keys {
  readonly seal: Uint8Array;
  readonly nonce: Uint8Array;
}

export class TokenSeal {
  readonly #streamKey: () => Uint8Array;
  readonly #purpose: string;
  readonly #format: Uint8Array;
  /** What `#keys` were derived from. */
  #derivedFrom: Uint8Array | null = null;
  #keys: Keys | null = null;

  /**
   * @param streamKey the store's secret of now, see `PublishedIndex.streamKey`
   * @param purpose what the tokens are for
   * @param format goes up when the payload is of another form; part of what is authenticated
   */
  constructor(streamKey: () => Uint8Array, purpose: string, format: number) {
    this.#streamKey = streamKey;
    this.#purpose = purpose;
    this.#format = Uint8Array.of(format);
  }

  seal(payload: Uint8Array): SealedToken {
    const keys = this.#derived();
    const mac = createHmac('sha256', keys.nonce).update(payload).digest();
    // Made from what it seals, so equal payloads give equal tokens, and no two payloads share a nonce by design.
    const nonce = mac.subarray(0, nonceBytes);
    const cipher = createCipheriv(algorithm, keys.seal, nonce);
    cipher.setAAD(this.#format);
    const text = Buffer.concat([
      nonce,
      cipher.update(payload),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64url');
    return { text, digest: nonce.toString('hex') };
  }

  /** @returns the payload; null for a token that was not sealed with this key for this purpose */
  open(token: string, charactersMax: number): Uint8Array | null {
    if (token.length > charactersMax || !tokenForm.test(token)) return null;
    const sealed = Buffer.from(token, 'base64url');
    // More than one text stands for the same bytes: only the one that was made counts.
    return sealed.toString('base64url') === token ? this.#unseal(sealed) : null;
  }

  #unseal(sealed: Uint8Array): Uint8Array | null {
    const length = sealed.byteLength - nonceBytes - tagBytes;
    if (length <= 0) return null;
    const nonce = sealed.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, this.#derived().seal, nonce, {
      authTagLength: tagBytes,
    });
    decipher.setAAD(this.#format);
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
        seal: deriveKey(streamKey, `${this.#purpose}: seal`),
        nonce: deriveKey(streamKey, `${this.#purpose}: nonce`),
      };
      this.#derivedFrom = streamKey;
    }
    return this.#keys;
  }
}

/** A key for one purpose, which says nothing about the store's key or those for other purposes. */
export function deriveKey(streamKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', streamKey, noSalt, purpose, keyBytes));
}

const noSalt = new Uint8Array(0);

/** Of the token with that payload. */
export function tokenCharacters({ byteLength }: Uint8Array): number {
  return Math.ceil(((nonceBytes + byteLength + tagBytes) * 4) / 3);
}
