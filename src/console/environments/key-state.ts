/** Whether a key is taken by delivery. */
import type { Key } from '../../contract/operations/keys.js';

export type KeyState = 'active' | 'expired' | 'revoked';

export function keyState(key: Pick<Key, 'revokedAt' | 'expiresAt'>, nowMs: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs) return 'expired';
  return 'active';
}

/** Those that work come first, the newest of them on top. */
export function sortKeys<K extends Pick<Key, 'revokedAt' | 'expiresAt' | 'createdAt'>>(
  keys: readonly K[],
  nowMs: number,
): K[] {
  const rank = (key: K): number => (keyState(key, nowMs) === 'active' ? 0 : 1);
  return keys.toSorted(
    (a, b) => rank(a) - rank(b) || Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );
}
