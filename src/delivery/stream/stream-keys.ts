/** The API keys that streams were opened with: a stream ends when its key is revoked or expires. */
import type { PublishedIndex, ServedEnvironment } from '../published/published-index.js';
import type { StreamKey } from './stream.js';

export class StreamKeys {
  readonly #index: PublishedIndex;
  readonly #ended: (key: StreamKey) => void;
  readonly #byHash = new Map<string, StreamKey>();
  /** State of the keys that was compared last. */
  #version = -1;

  /** @param ended the key is good no longer; it is marked as revoked already */
  constructor(index: PublishedIndex, ended: (key: StreamKey) => void) {
    this.#index = index;
    this.#ended = ended;
  }

  /** @param hash of a key that was found good */
  of(hash: string, environment: ServedEnvironment): StreamKey {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    const key: StreamKey = {
      hash,
      environmentId: environment.id,
      expiresAtMs: this.#index.key(hash)?.expiresAtMs ?? 0,
      isRevoked: false,
      streams: 0,
    };
    this.#byHash.set(hash, key);
    return key;
  }

  forgetUnused(key: StreamKey): void {
    if (key.streams === 0 && this.#byHash.get(key.hash) === key) this.#byHash.delete(key.hash);
  }

  /** Another sequence is served. */
  applied(): void {
    if (this.#version === this.#index.keysVersion) return;
    this.#version = this.#index.keysVersion;
    for (const key of [...this.#byHash.values()]) {
      const served = this.#index.key(key.hash);
      if (served?.environment.id === key.environmentId) key.expiresAtMs = served.expiresAtMs;
      else this.#end(key);
    }
  }

  /** @param wallMs milliseconds since the epoch */
  expire(wallMs: number): void {
    for (const key of [...this.#byHash.values()]) if (key.expiresAtMs <= wallMs) this.#end(key);
  }

  #end(key: StreamKey): void {
    key.isRevoked = true;
    this.#byHash.delete(key.hash);
    this.#ended(key);
  }
}
