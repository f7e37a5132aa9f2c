/** Writes when keys, tokens and sessions were used last. No part of history: no audit row, no sequence. */
import type { Write } from './write.js';

/**
 * @param keys by the SHA-256 of the key: milliseconds since the epoch
 * @param tokens by the token's id
 * @param sessions by the session's id
 */
export async function writeLastUsed(
  write: Write,
  keys: Iterable<readonly [hash: string, atMs: number]>,
  tokens: Iterable<readonly [id: string, atMs: number]>,
  sessions: Iterable<readonly [id: string, atMs: number]>,
): Promise<void> {
  for (const [hash, atMs] of keys) {
    await write.db
      .updateTable('apiKeys')
      .set({ lastUsedAt: atMs })
      .where('hash', '=', hash)
      // Listeners report one after the other: an older report must not take a newer one back.
      .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', atMs)]))
      .execute();
  }
  for (const [id, atMs] of tokens) {
    await write.db
      .updateTable('tokens')
      .set({ lastUsedAt: atMs })
      .where('id', '=', id)
      .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', atMs)]))
      .execute();
  }
  for (const [id, atMs] of sessions) {
    await write.db
      .updateTable('sessions')
      .set({ usedAt: atMs })
      .where('id', '=', id)
      .where('usedAt', '<', atMs)
      .execute();
  }
}
