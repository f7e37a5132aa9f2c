/** API keys: listed, created, changed, revoked. */
import { parseInstant } from '../../content/mapping/instant.js';
import { keysMax } from '../../contract/limits.js';
import {
  createKey,
  type Key,
  listKeys,
  revokeKey,
  updateKey,
} from '../../contract/operations/keys.js';
import { Problem } from '../../contract/problems.js';
import { type Handler, handleChange, handleRead } from '../http/handlers.js';
import { toIso } from '../to-iso.js';
import * as rows from './rows.js';

export const keyHandlers: readonly Handler[] = [
  handleRead(listKeys, async ({ environment }, db) => {
    const keys = await rows.listKeys(db, environment.id);
    return { keys: keys.map(keyJson) };
  }),

  handleChange(createKey, async ({ environment, body }, write) => {
    const { label, expiresAt, key, purpose } = body;
    if ((await rows.countKeys(write.db, environment.id)) >= keysMax) {
      return new Problem('limit_reached', `"${environment.id}" has ${keysMax} keys already.`);
    }
    const expiresAtMs = expiresAt === null ? null : parseInstant(expiresAt);
    const made = await rows.insertKey(write, environment.id, { label, expiresAtMs, key, purpose });
    if (made !== null) return { ...keyJson(made), key: made.key };
    // It does not name the environment: guessing a key must not show where it is valid.
    return new Problem('key_exists', 'This key was created before; choose another one.');
  }),

  handleChange(updateKey, async ({ environment, params, body }, write) => {
    const key = await rows.findKey(write.db, environment.id, params.keyId);
    if (key === null) return keyUnknown(environment.id, params.keyId);
    if (key.revokedAtMs !== null) {
      const detail = `The key ${key.prefix}… is revoked for good; create another one.`;
      return new Problem('key_revoked', detail);
    }
    const { label, expiresAt } = body;
    const expiresAtMs = typeof expiresAt === 'string' ? parseInstant(expiresAt) : expiresAt;
    return keyJson(await rows.updateKey(write, key, { label, expiresAtMs }));
  }),

  handleChange(revokeKey, async ({ environment, params }, write) => {
    await rows.revokeKey(write, environment.id, params.keyId);
    const key = await rows.findKey(write.db, environment.id, params.keyId);
    return key === null ? keyUnknown(environment.id, params.keyId) : keyJson(key);
  }),
];

function keyUnknown(environment: string, id: string): Problem {
  return new Problem('key_not_found', `The environment "${environment}" has no key "${id}".`);
}

function keyJson(key: rows.ApiKey): Key {
  return {
    id: key.id,
    label: key.label,
    purpose: key.purpose,
    prefix: key.prefix,
    createdAt: toIso(key.createdAtMs),
    expiresAt: toIso(key.expiresAtMs),
    revokedAt: toIso(key.revokedAtMs),
    lastUsedAt: toIso(key.lastUsedAtMs),
  };
}
