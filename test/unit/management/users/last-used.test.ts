import { describe, expect, it } from 'vitest';
import {
  lastUsedPerWriteMax,
  sessionUseEveryMsMax,
} from '../../../../src/management/limits/sessions.js';
import { hashSecret } from '../../../../src/management/store/secret.js';
import type { Store } from '../../../../src/management/store/store.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { LastUsed } from '../../../../src/management/users/last-used.js';
import { type Harness, ownerToken, startApi, startMs } from '../harness.js';

const never = 3_600_000;
const silent = { warn: () => undefined };
const timeOf = (ms: number): string => new Date(ms).toISOString();

async function lastUses(api: Harness): Promise<(string | null)[]> {
  const { body } = await api.dev('GET', '/keys');
  return body.keys.map((key: { lastUsedAt: string | null }) => key.lastUsedAt);
}

describe('when a key was used last', () => {
  it('is shown once it is written, without an audit row and without a new sequence', async () => {
    const api = await startApi();
    const { key } = (await api.dev('POST', '/keys', {})).body;
    const sequence = await api.store.sequence();
    const events = (await api.call('GET', '/admin/v1/audit')).text;
    api.lastUsed.key(hashSecret(key), startMs + 5);
    expect(await lastUses(api)).toEqual([null]);
    await api.lastUsed.write();
    expect(await lastUses(api)).toEqual([timeOf(startMs + 5)]);
    expect(await api.store.sequence()).toBe(sequence);
    expect((await api.call('GET', '/admin/v1/audit')).text).toBe(events);
  });

  it('is the latest of what several listeners report, in whatever order', async () => {
    const api = await startApi();
    const hash = hashSecret((await api.dev('POST', '/keys', {})).body.key);
    api.lastUsed.key(hash, startMs + 7);
    api.lastUsed.key(hash, startMs + 3);
    await api.lastUsed.write();
    api.lastUsed.key(hash, startMs + 5);
    await api.lastUsed.write();
    expect(await lastUses(api)).toEqual([timeOf(startMs + 7)]);
  });

  it('of a key that is gone is no fault', async () => {
    const api = await startApi();
    api.lastUsed.key(hashSecret('nobody'), startMs);
    await expect(api.lastUsed.write()).resolves.toBeUndefined();
  });

  it('waits while the store cannot be written, and is not lost', async () => {
    const api = await startApi();
    const hash = hashSecret((await api.dev('POST', '/keys', {})).body.key);
    let full = true;
    const write: Store['write'] = (actor, work) =>
      full ? Promise.reject(new StoreUnavailable('disk full')) : api.store.write(actor, work);
    const lastUsed = new LastUsed({ write }, silent, never);
    lastUsed.key(hash, startMs + 1);
    await lastUsed.write();
    expect(await lastUses(api)).toEqual([null]);
    full = false;
    await lastUsed.close();
    expect(await lastUses(api)).toEqual([timeOf(startMs + 1)]);
  });

  it('is written for many keys in several small writes', async () => {
    const sizes: number[] = [];
    const write = (async () => {
      sizes.push(1);
      return { value: undefined, sequence: 0 };
    }) as unknown as Store['write'];
    const lastUsed = new LastUsed({ write }, silent, never);
    for (let count = 0; count <= 2 * lastUsedPerWriteMax; count += 1) {
      lastUsed.key(`key ${count}`, startMs);
    }
    await lastUsed.close();
    expect(sizes).toHaveLength(3);
  });
});

describe('when a token was used last', () => {
  it('is shown with the token and to its user', async () => {
    const api = await startApi();
    const before = (await api.call('GET', '/admin/v1/me')).body;
    expect(before.token.lastUsedAt).toBeNull();
    await api.lastUsed.write();
    const after = (await api.call('GET', '/admin/v1/me')).body;
    expect(after.token.lastUsedAt).toBe(timeOf(startMs));
    const tokens = await api.call('GET', `/admin/v1/users/${after.id}/tokens`);
    expect(tokens.body.tokens).toMatchObject([{ lastUsedAt: timeOf(startMs) }]);
    expect(tokens.text).not.toContain(ownerToken);
  });
});

describe('when a session was used last', () => {
  async function usedAt(api: Harness): Promise<number | undefined> {
    const row = await api.store.read((db) =>
      db.selectFrom('sessions').select('usedAt').executeTakeFirst(),
    );
    return row?.usedAt;
  }

  async function sessionOf(api: Harness): Promise<string> {
    const fromConsole = { 'x-loadout-console': '1' };
    await api.browse('POST', '/admin/v1/session', fromConsole, { token: ownerToken });
    const row = await api.store.read((db) =>
      db.selectFrom('sessions').select('id').executeTakeFirst(),
    );
    return row?.id ?? '';
  }

  it('is written soon, however rarely the others are, and then not again for some minutes', async () => {
    const api = await startApi();
    const id = await sessionOf(api);
    api.lastUsed.session(id, startMs + 1);
    await expect.poll(() => usedAt(api)).toBe(startMs + 1);
    api.lastUsed.session(id, startMs + sessionUseEveryMsMax);
    expect(api.lastUsed.sessionUsedAt(id)).toBe(startMs + sessionUseEveryMsMax);
    expect(await usedAt(api)).toBe(startMs + 1);
    api.lastUsed.session(id, startMs + 1 + sessionUseEveryMsMax);
    await expect.poll(() => usedAt(api)).toBe(startMs + 1 + sessionUseEveryMsMax);
    await expect.poll(() => api.lastUsed.sessionUsedAt(id)).toBeUndefined();
  });

  it('is known until its write is committed, and what was used meanwhile after that', async () => {
    const api = await startApi();
    const id = await sessionOf(api);
    const seen: (number | undefined)[] = [];
    let otherMs = startMs + 1;
    const write: Store['write'] = async (actor, work) => {
      seen.push(lastUsed.sessionUsedAt(id), lastUsed.sessionUsedAt('other'));
      const written = await api.store.write(actor, work);
      seen.push(lastUsed.sessionUsedAt(id));
      otherMs += 1;
      lastUsed.session('other', otherMs);
      return written;
    };
    const lastUsed = new LastUsed({ write }, silent, never);
    lastUsed.session('other', otherMs);
    lastUsed.session(id, startMs + 1);
    await lastUsed.write();
    expect(seen.slice(0, 3)).toEqual([startMs + 1, startMs + 1, startMs + 1]);
    expect(lastUsed.sessionUsedAt(id)).toBeUndefined();
    expect(lastUsed.sessionUsedAt('other')).toBe(otherMs);
    await lastUsed.close();
  });

  it('is known while it cannot be written, and nobody is signed out for it', async () => {
    const api = await startApi();
    const id = await sessionOf(api);
    let full = true;
    const write: Store['write'] = (actor, work) =>
      full ? Promise.reject(new StoreUnavailable('disk full')) : api.store.write(actor, work);
    const lastUsed = new LastUsed({ write }, silent, never);
    lastUsed.session(id, startMs + 1);
    await lastUsed.write();
    expect(lastUsed.sessionUsedAt(id)).toBe(startMs + 1);
    full = false;
    await lastUsed.close();
    expect(await usedAt(api)).toBe(startMs + 1);
  });
});
