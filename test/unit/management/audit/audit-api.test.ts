import { describe, expect, it, onTestFinished } from 'vitest';
import { auditStreamsMax } from '../../../../src/contract/limits.js';
import { auditRetention } from '../../../../src/management/audit/retention.js';
import { newestAuditId } from '../../../../src/management/audit/rows.js';
import { searchAudit, walkAudit } from '../../../../src/management/audit/search.js';
import { readAuditStep } from '../../../../src/management/audit/steps.js';
import { followAudit } from '../../../../src/management/audit/stream.js';
import { auditRowsLookedAt, auditRowsPerRemoval } from '../../../../src/management/limits/audit.js';
import { hashSecret } from '../../../../src/management/store/secret.js';
import type { Store } from '../../../../src/management/store/store.js';
import { findBearerByHash } from '../../../../src/management/store/users/tokens.js';
import type { User } from '../../../../src/management/store/users/users.js';
import { type Harness, openStore, ownerToken, startApi, startMs, tester } from '../harness.js';

const audit = '/admin/v1/audit';
const dayMs = 24 * 60 * 60_000;

interface Clock {
  ms: number;
}

function storeAt(clock: Clock): Promise<Store> {
  return openStore(undefined, () => clock.ms);
}

async function names(api: Harness, query: string, token?: string): Promise<string[]> {
  const { status, body } = await api.call('GET', `${audit}?${query}`, undefined, token);
  expect(status).toBe(200);
  return body.events.map((event: { action: string; name: string }) => {
    return `${event.action} ${event.name}`;
  });
}

/** Somebody did a thing or two in two environments. */
async function startBusyApi(clock: Clock = { ms: startMs }): Promise<Harness> {
  const api = await startApi({}, { store: await storeAt(clock) });
  await api.call('POST', '/admin/v1/environments', { id: 'prod' });
  clock.ms += 1_000;
  await api.dev('PUT', '/segments/whales', { when: {} });
  await api.dev('PUT', '/contents/shop', { text: '1' });
  clock.ms += 1_000;
  await api.call('PUT', '/admin/v1/environments/prod/contents/shop', { text: '2' });
  return api;
}

/** The lines of a stream as they come; the reader is closed when the test ends. */
async function openStream(
  api: Harness,
  path: string,
  token = ownerToken,
): Promise<{
  readonly response: Response;
  next(): Promise<string>;
  rest(): Promise<string>;
  close(): void;
}> {
  const aborted = new AbortController();
  onTestFinished(() => aborted.abort());
  const response = await fetch(api.url + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: aborted.signal,
  });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
  const chunks = reader.getReader();
  let text = '';
  return {
    response,
    close: () => aborted.abort(),
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n');
        if (end !== -1) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          return line;
        }
        const { value, done } = await chunks.read();
        if (done) throw new Error(`the stream ended with "${text}"`);
        text += value;
      }
    },
    rest: async () => {
      for (;;) {
        const { value, done } = await chunks.read();
        if (done) return text;
        text += value;
      }
    },
  };
}

describe('the audit', () => {
  it('is filtered by environment, action, user, name and time', async () => {
    const api = await startBusyApi();
    const at = (ms: number): string => encodeURIComponent(new Date(ms).toISOString());
    expect(await names(api, 'environment=prod')).toEqual([
      'content.put shop',
      'environment.create prod',
    ]);
    expect(await names(api, 'action=content.put')).toHaveLength(2);
    expect(await names(api, 'action=environment')).toEqual([
      'environment.create prod',
      'environment.create dev',
    ]);
    expect(await names(api, 'action=content&environment=dev&name=shop')).toHaveLength(1);
    expect(await names(api, 'name=whales')).toEqual(['segment.put whales']);
    expect(await names(api, 'user=owner&action=segment')).toEqual(['segment.put whales']);
    expect(await names(api, 'user=nobody')).toEqual([]);
    const window = `from=${at(startMs + 1_000)}&until=${at(startMs + 2_000)}`;
    expect(await names(api, window)).toEqual(['content.put shop', 'segment.put whales']);
    const me = await api.call('GET', '/admin/v1/me');
    expect(await names(api, `user=${me.body.id}`)).toEqual(await names(api, 'user=owner'));
  });

  it('comes in pages, each event once', async () => {
    const api = await startBusyApi();
    const seen: string[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null && pages < 10; pages += 1) {
      const before: string = next === '' ? '' : `&before=${next}`;
      const { body } = await api.call('GET', `${audit}?limit=2${before}`);
      seen.push(...body.events.map((event: { id: string }) => event.id));
      next = body.next;
    }
    const all = (await api.call('GET', `${audit}?limit=1000`)).body;
    expect(seen).toEqual(all.events.map((event: { id: string }) => event.id));
    expect(all.next).toBeNull();
  });

  it.each([
    'from=yesterday',
    'until=2026-01-01',
    'action=Content',
    'action=content.*',
    'limit=0',
    'limit=1001',
  ])('refuses the query %s', async (query) => {
    const api = await startApi();
    for (const path of query.startsWith('limit') ? [audit] : [audit, `${audit}/export`]) {
      const refused = await api.call('GET', `${path}?${query}`);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    }
  });

  it('shows an owner of some environments what was done in those, and nothing else', async () => {
    const api = await startBusyApi();
    const wish = { name: 'dev owner', role: 'owner', environments: ['dev'] };
    const { token } = (await api.call('POST', '/admin/v1/users', wish)).body;
    const seen = ['content.put shop', 'segment.put whales', 'environment.create dev'];
    expect(await names(api, '', token)).toEqual(seen);
    expect(await names(api, 'environment=dev', token)).toEqual(seen);
    expect(await names(api, 'environment=prod', token)).toEqual([]);
    expect(await names(api, 'action=user', token)).toEqual([]);
    const exported = await api.call('GET', `${audit}/export`, undefined, token);
    expect(exported.text.trim().split('\n')).toHaveLength(3);
    const nobody = { name: 'no one', role: 'owner', environments: [] };
    const none = (await api.call('POST', '/admin/v1/users', nobody)).body.token;
    expect(await names(api, '', none)).toEqual([]);
  });

  it('says what keys and environments were before and are after', async () => {
    const api = await startApi();
    const key = (await api.dev('POST', '/keys', { label: 'ios' })).body;
    await api.dev('PATCH', `/keys/${key.id}`, { expiresAt: '2027-01-01T00:00:00Z' });
    await api.dev('DELETE', `/keys/${key.id}`);
    await api.dev('PATCH', '', { name: 'Development', protected: true });
    await api.dev('PATCH', '', { name: 'Development' });
    const { body, text } = await api.call('GET', `${audit}?environment=dev&limit=4`);
    const open = { label: 'ios', expiresAt: null, revokedAt: null };
    const expiring = { ...open, expiresAt: '2027-01-01T00:00:00.000Z' };
    expect(body.events.reverse()).toMatchObject([
      { action: 'key.create', name: key.id, details: { prefix: key.prefix, after: open } },
      { action: 'key.update', details: { before: open, after: expiring } },
      {
        action: 'key.revoke',
        details: { before: expiring, after: { ...expiring, revokedAt: expect.any(String) } },
      },
      {
        action: 'environment.update',
        details: {
          before: { name: 'dev', protected: false },
          after: { name: 'Development', protected: true },
        },
      },
    ]);
    expect(text).not.toContain(key.key);
  });
});

describe('a search of a long audit', () => {
  const rows = 3 * auditRowsLookedAt + 7;

  async function storeWithFew(): Promise<Store> {
    const store = await storeAt({ ms: startMs });
    await store.write(tester, async (write) => {
      for (let row = 0; row < rows; row += 1) {
        const isRare = row % auditRowsLookedAt === 5;
        await write.audit(
          isRare ? 'webhook.secret' : 'webhook.update',
          row % 2 ? 'dev' : 'prod',
          `${row}`,
        );
      }
    });
    return store;
  }

  it('finds what few events have, in both directions, and looks at a bounded number at a time', async () => {
    const store = await storeWithFew();
    const rare = ['5', '5005', '10005', '15005'];
    const filter = { environments: null, action: 'webhook.secret' };
    const down = await searchAudit(store, filter, { limit: 100 });
    expect(down.map(({ name }) => name)).toEqual(rare.toReversed());
    const two = await searchAudit(store, filter, { limit: 2 });
    const rest = await searchAudit(store, filter, { before: two[1]?.id, limit: 100 });
    expect([...two, ...rest]).toEqual(down);
    const up: string[] = [];
    for await (const events of walkAudit(store, filter, '')) {
      up.push(...events.map(({ name }) => name));
    }
    expect(up).toEqual(rare);
    const none = await searchAudit(store, { ...filter, environments: [] }, { limit: 100 });
    expect(none).toEqual([]);
    const step = await store.read((db) => readAuditStep(db, filter, { order: 'desc', limit: 100 }));
    expect(step.events).toHaveLength(1);
    expect(step.next).not.toBeNull();
  });

  it('does not look beyond the time it is asked for', async () => {
    const store = await storeWithFew();
    const later = { environments: null, fromMs: startMs + 1 };
    const step = await store.read((db) => readAuditStep(db, later, { order: 'desc', limit: 100 }));
    expect(step).toEqual({ events: [], next: null });
    const before = { environments: null, untilMs: startMs };
    const up = await store.read((db) => readAuditStep(db, before, { order: 'asc', limit: 100 }));
    expect(up).toEqual({ events: [], next: null });
  });
});

describe('the export of the audit', () => {
  it('has every event, oldest first, one a line', async () => {
    const api = await startBusyApi();
    const { status, text, headers } = await api.call('GET', `${audit}/export`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { body } = await api.call('GET', `${audit}?limit=1000`);
    expect(lines).toEqual(body.events.reverse());
  });

  it('goes over more events than it reads at a time', async () => {
    const api = await startApi();
    await api.store.write(tester, async (write) => {
      for (let count = 0; count < 1_001; count += 1) {
        await write.audit('webhook.update', 'dev', String(count));
      }
    });
    const { text } = await api.call('GET', `${audit}/export?action=webhook`);
    const steps = text
      .trimEnd()
      .split('\n')
      .map((line) => Number(JSON.parse(line).name));
    expect(steps).toEqual(Array.from({ length: 1_001 }, (_, step) => step));
  });
});

describe('the stream of the audit', () => {
  it('tells of an event as it happens, and of nothing that was filtered out', async () => {
    const api = await startApi();
    const stream = await openStream(api, `${audit}/stream?action=segment`);
    expect(stream.response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(await stream.next()).toBe('');
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/segments/one', { when: {} });
    expect(JSON.parse(await stream.next())).toMatchObject({ action: 'segment.put', name: 'one' });
    await api.dev('PUT', '/segments/two', { when: {} });
    expect(JSON.parse(await stream.next()).name).toBe('two');
  });

  it('goes on after an event, or from a time', async () => {
    const clock = { ms: startMs };
    const api = await startBusyApi(clock);
    const events = (await api.call('GET', audit)).body.events;
    const after = await openStream(api, `${audit}/stream?after=${events[2].id}`);
    expect(await after.next()).toBe('');
    expect(JSON.parse(await after.next()).id).toBe(events[1].id);
    expect(JSON.parse(await after.next()).id).toBe(events[0].id);
    const from = new Date(startMs + 2_000).toISOString();
    const since = await openStream(api, `${audit}/stream?from=${from}`);
    expect(await since.next()).toBe('');
    expect(JSON.parse(await since.next()).id).toBe(events[0].id);
  });

  it('ends when its token is revoked, and when its user may see less', async () => {
    const api = await startApi();
    const made = await api.call('POST', '/admin/v1/users', { name: 'eve', role: 'owner' });
    const path = `/admin/v1/users/${made.body.id}`;
    const second = (await api.call('POST', `${path}/tokens`, {})).body;
    const revoked = await openStream(api, `${audit}/stream`, second.token);
    const confined = await openStream(api, `${audit}/stream?action=content`, made.body.token);
    await revoked.next();
    await confined.next();
    await api.call('DELETE', `${path}/tokens/${second.id}`);
    expect(await revoked.rest()).toBe('');
    await api.call('PATCH', path, { environments: [] });
    expect(await confined.rest()).toBe('');
  });

  it('is open to a bounded number of readers, and its place is free when one leaves', async () => {
    const api = await startApi();
    const readers = [];
    for (let count = 0; count < auditStreamsMax; count += 1) {
      const reader = await openStream(api, `${audit}/stream`);
      expect(reader.response.status).toBe(200);
      readers.push(reader);
    }
    const refused = await api.call('GET', `${audit}/stream`);
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
    readers[0]?.close();
    // The server hears of it by the end of the connection, which nothing here can wait for.
    await expect
      .poll(async () => (await openStream(api, `${audit}/stream`)).response.status)
      .toBe(200);
  });

  it('shows that it is there when nothing happens', async () => {
    const store = await storeAt({ ms: startMs });
    await store.ensureOwner(ownerToken);
    const bearer = await store.read((db) => findBearerByHash(db, hashSecret(ownerToken)));
    const user = bearer?.user as User;
    const end = new AbortController();
    const lines = followAudit({
      store,
      filter: { environments: null },
      after: await store.read(newestAuditId),
      user,
      userNow: async () => user,
      settle: async () => undefined,
      signal: end.signal,
      heartbeatMs: 1,
    });
    const heard = [];
    for await (const line of lines) {
      heard.push(line);
      if (heard.length === 3) end.abort();
    }
    expect(heard).toEqual(['\n', '\n', '\n']);
  });

  it('ends in order with the server, which does not wait for its readers', async () => {
    const api = await startApi();
    const stream = await openStream(api, `${audit}/stream`);
    await api.close();
    expect(await stream.rest()).toBe('\n');
  });
});

describe('a HEAD', () => {
  it.each(['export', 'stream'])('of the %s is refused: it would read all of it', async (route) => {
    const api = await startApi();
    const refused = await api.call('HEAD', `${audit}/${route}`);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('keeping the audit', () => {
  async function storeWithRows(clock: Clock, count: number): Promise<Store> {
    const store = await storeAt(clock);
    await store.write(tester, async (write) => {
      for (let row = 0; row < count; row += 1)
        await write.audit('webhook.update', 'dev', String(row));
    });
    return store;
  }

  function retention(
    store: Store,
    clock: Clock,
    days: number | null,
  ): ReturnType<typeof auditRetention> {
    return auditRetention(store, { warn: () => undefined }, () => clock.ms, days);
  }

  it('forgets what is older than its days, whatever the number, and says so once', async () => {
    const clock = { ms: startMs };
    const store = await storeWithRows(clock, 2 * auditRowsPerRemoval + 1);
    clock.ms += 9 * dayMs;
    await store.write(tester, (write) => write.audit('store.backup', 'dev', ''));
    clock.ms += dayMs;
    expect(await retention(store, clock, 10).runNow()).toBe(0);
    clock.ms += 1;
    expect(await retention(store, clock, 10).runNow()).toBe(2 * auditRowsPerRemoval + 1);
    const left = await searchAudit(store, { environments: null }, { limit: 10 });
    expect(left.map(({ action }) => action)).toEqual(['audit.prune', 'store.backup']);
    expect(left[0]?.details).toMatchObject({ removed: 2 * auditRowsPerRemoval + 1, daysKept: 10 });
  });

  it('removes once a day at most, also after a restart', async () => {
    const clock = { ms: startMs };
    const store = await storeWithRows(clock, 1);
    clock.ms += dayMs + 1;
    expect(await retention(store, clock, 1).runNow()).toBe(1);
    await store.write(tester, (write) => write.audit('webhook.update', '', ''));
    clock.ms += dayMs / 2;
    expect(await retention(store, clock, 0.1).runNow()).toBe(0);
    clock.ms += dayMs / 2 + 1;
    expect(await retention(store, clock, 0.1).runNow()).toBe(2);
  });

  it('keeps everything when it is told to', async () => {
    const clock = { ms: startMs };
    const store = await storeWithRows(clock, 1);
    clock.ms += 10_000 * dayMs;
    expect(await retention(store, clock, null).runNow()).toBe(0);
  });

  it('stops between two steps when the server ends, and has said what went by then', async () => {
    const clock = { ms: startMs };
    const store = await storeWithRows(clock, 3 * auditRowsPerRemoval);
    clock.ms += 2 * dayMs;
    const old = retention(store, clock, 1);
    const begun = new Promise<void>((resolve) => store.onCommit(() => resolve()));
    old.start();
    await begun;
    await old.close();
    const all = 3 * auditRowsPerRemoval;
    const left = await searchAudit(
      store,
      { environments: null, action: 'webhook' },
      { limit: all },
    );
    const removed = all - left.length;
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(all);
    const told = await searchAudit(store, { environments: null, action: 'audit' }, { limit: 10 });
    expect(told.map(({ details }) => details['removed'])).toEqual([removed]);
  });
});
