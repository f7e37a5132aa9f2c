/*
 * Goal: the audit of one content shows the syncs and imports that touched it, with what they did to it.
 * Method: contents that travel between two environments, in small and in thousands; then the audit by their names.
 */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { auditRetention } from '../../../../src/management/audit/retention.js';
import type { AuditEvent } from '../../../../src/management/audit/rows.js';
import { searchAudit, walkAudit } from '../../../../src/management/audit/search.js';
import { readAuditStep } from '../../../../src/management/audit/steps.js';
import {
  auditedContentsPerRemoval,
  auditNamesLookedAt,
} from '../../../../src/management/limits/audit.js';
import { noteContents } from '../../../../src/management/store/contents/audited-contents.js';
import type { Store } from '../../../../src/management/store/store.js';
import { backToStep4 } from '../../../support/postgres/step-back.js';
import {
  type Harness,
  openStore,
  ownerToken,
  startApi,
  startMs,
  temporaryFolder,
  tester,
} from '../harness.js';

const prod = '/admin/v1/environments/prod';
const dayMs = 24 * 60 * 60_000;

interface Shown {
  readonly action: string;
  readonly content?: object;
}

async function eventsOf(api: Harness, name: string, more = ''): Promise<Shown[]> {
  const { status, body } = await api.call('GET', `/admin/v1/audit?name=${name}${more}`);
  expect(status).toBe(200);
  return body.events.map(({ action, content }: Shown) => ({
    action,
    ...(content === undefined ? {} : { content }),
  }));
}

/** `shop` is edited in dev, synced into prod twice, and removed there by an import. */
async function startTravelled(api: Harness): Promise<void> {
  await api.call('POST', '/admin/v1/environments', { id: 'prod' });
  await api.dev('PUT', '/contents/Shop', { text: '1' });
  await api.dev('PUT', '/contents/other', { text: '1' });
  await api.dev('PUT', '/contents/Shop', { text: '2' });
  await api.call('POST', `${prod}/sync`, { from: 'dev' });
  await api.dev('PUT', '/contents/Shop', { text: '3' });
  await api.call('POST', `${prod}/sync`, { from: 'dev' });
  const line = { kind: 'end', segments: 0, contents: 0 };
  const file = `${JSON.stringify(line)}\n`;
  await importInto(api, file, 'replace');
}

async function importInto(api: Harness, file: string, mode: string): Promise<void> {
  const response = await fetch(`${api.url}${prod}/import?mode=${mode}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body: file,
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

const travelled = [
  {
    action: 'environment.import',
    content: { id: 'Shop', change: 'removed', before: 2, after: null, newest: 2, from: null },
  },
  {
    action: 'environment.sync',
    content: { id: 'Shop', change: 'changed', before: 1, after: 2, newest: 2, from: 3 },
  },
  {
    action: 'environment.sync',
    content: { id: 'Shop', change: 'added', before: null, after: 1, newest: 1, from: 2 },
  },
];

describe('the audit of a content', () => {
  it('shows the syncs and imports that touched it, and what they did to it', async () => {
    const api = await startApi();
    await startTravelled(api);
    expect(await eventsOf(api, 'Shop', '&environment=prod')).toEqual(travelled);
    // Contents are matched without case.
    expect(await eventsOf(api, 'shop', '&action=environment')).toEqual(travelled);
    const puts = { action: 'content.put' };
    expect(await eventsOf(api, 'Shop')).toEqual([
      ...[travelled[0], travelled[1], puts, travelled[2], puts, puts],
    ]);
    expect(await eventsOf(api, 'other', '&environment=prod')).toMatchObject([
      { content: { change: 'removed' } },
      { content: { change: 'added' } },
    ]);
    expect(await eventsOf(api, 'shop', '&environment=dev&action=environment')).toEqual([]);
  });

  it('shows them in the export too, and page by page', async () => {
    const api = await startApi();
    await startTravelled(api);
    const { text } = await api.call('GET', '/admin/v1/audit/export?name=Shop&environment=prod');
    const lines = text.trimEnd().split('\n');
    const exported = lines.map((line) => JSON.parse(line).content);
    expect(exported).toEqual(travelled.map(({ content }) => content).toReversed());
    const first = await api.call('GET', '/admin/v1/audit?name=Shop&limit=4');
    const more = `&before=${first.body.next}`;
    expect([...first.body.events.map(({ action }: Shown) => action)]).toHaveLength(4);
    expect(await eventsOf(api, 'Shop', more)).toHaveLength(2);
  });

  it('names every content of a large import, and its row stays small', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'prod' });
    const content = (n: number): string => {
      const lines = [{ appVersion: '0.0.0', text: '1' }];
      return `${JSON.stringify({ kind: 'content', id: `c${n}`, lines })}\n`;
    };
    const count = 2_500;
    await importInto(api, Array.from({ length: count }, (_, n) => content(n)).join(''), 'merge');
    expect(await eventsOf(api, 'c2499')).toMatchObject([
      { action: 'environment.import', content: { change: 'added', after: 1 } },
    ]);
    const { body } = await api.call('GET', '/admin/v1/audit?name=c2499');
    expect(JSON.stringify(body.events[0]).length).toBeLessThan(20_000);
  });
});

describe('a search of the audit by name', () => {
  async function storeWith(rows: number): Promise<Store> {
    const store = await openStore();
    await store.write(tester, async (write) => {
      for (let row = 0; row < rows; row++) {
        await write.audit(row === 3 ? 'webhook.secret' : 'webhook.update', 'dev', 'shop');
        await write.audit('webhook.update', 'dev', `other-${row}`);
      }
    });
    return store;
  }

  it('looks at a bounded number of the events of that name, in both directions', async () => {
    const store = await storeWith(auditNamesLookedAt + 10);
    const filter = { environments: null, name: 'shop', action: 'webhook.secret' };
    const step = await store.read((db) => readAuditStep(db, filter, { order: 'desc', limit: 10 }));
    expect(step.events).toEqual([]);
    expect(step.next).not.toBeNull();
    const down = await searchAudit(store, filter, { limit: 10 });
    expect(down.map(({ action }) => action)).toEqual(['webhook.secret']);
    const up: AuditEvent[] = [];
    for await (const events of walkAudit(store, { ...filter, action: 'webhook' }, ''))
      up.push(...events);
    expect(up).toHaveLength(auditNamesLookedAt + 10);
    expect(up.map(({ id }) => id)).toEqual(up.map(({ id }) => id).toSorted());
  });

  it('keeps to the times that it is asked for', async () => {
    const store = await storeWith(5);
    const during = { environments: null, name: 'shop', fromMs: startMs, untilMs: startMs + 1 };
    expect(await searchAudit(store, during, { limit: 10 })).toHaveLength(5);
    const later = { environments: null, name: 'shop', fromMs: startMs + 1 };
    expect(await searchAudit(store, later, { limit: 10 })).toEqual([]);
    const before = { environments: null, name: 'shop', untilMs: startMs };
    expect(await searchAudit(store, before, { limit: 10 })).toEqual([]);
    for await (const events of walkAudit(store, before, '')) expect(events).toEqual([]);
  });
});

describe('retention of the audit', () => {
  it('removes what an event says of contents with the event, in bounded writes', async () => {
    const clock = { ms: startMs };
    const store = await openStore(undefined, () => clock.ms);
    const count = 2 * auditedContentsPerRemoval + 1;
    await store.write(tester, async (write) => {
      const id = await write.audit('environment.import', 'dev', 'dev');
      const facts = { change: 'added', before: null, after: 1, newest: 1, from: null } as const;
      await noteContents(
        write,
        id,
        Array.from({ length: count }, (_, n) => ({ id: `c${n}`, ...facts })),
      );
    });
    const noted = async (): Promise<number> => {
      const { rows } = await store.read((db) =>
        sql<{ count: number }>`select count(*) as count from audited_contents`.execute(db),
      );
      return Number(rows[0]?.count);
    };
    expect(await noted()).toBe(count);
    clock.ms += 2 * dayMs;
    let writes = 0;
    store.onCommit(() => {
      writes += 1;
    });
    const retention = auditRetention(store, { warn: () => undefined }, () => clock.ms, 1);
    expect(await retention.runNow()).toBe(1);
    expect(writes).toBe(3);
    expect(await noted()).toBe(0);
  });
});

describe('an upgrade', () => {
  it('takes over what older syncs and imports say of contents', async () => {
    const file = `${temporaryFolder()}/store.db`;
    const old = await openStore(file);
    await old.ensureOwner(ownerToken);
    await old.write(tester, async (write) => {
      await write.audit('environment.sync', 'prod', 'dev', {
        plan: 'x',
        added: { count: 1, contents: [{ id: 'Shop', before: null, from: 7 }] },
        changed: { count: 1, contents: [{ id: 'arena', before: 3, from: 4 }] },
        segments: [],
      });
      await write.audit('environment.import', 'prod', 'prod', {
        ...{ added: { count: 0, ids: [] }, changed: { count: 1, ids: ['arena'] } },
        removed: { count: 1, ids: ['Shop'] },
      });
    });
    await old.write(tester, async (write) => {
      for (const statement of backToStep4) await sql.raw(statement).execute(write.db);
    });
    await old.close();
    const store = await openStore(file);
    const unknown = { after: null, newest: null };
    const contentsOf = async (name: string): Promise<unknown[]> =>
      (await searchAudit(store, { environments: null, name }, { limit: 10 })).map(
        ({ content }) => content,
      );
    expect(await contentsOf('shop')).toEqual([
      { id: 'Shop', change: 'removed', before: null, from: null, ...unknown },
      { id: 'Shop', change: 'added', before: null, from: 7, ...unknown },
    ]);
    expect(await contentsOf('arena')).toEqual([
      { id: 'arena', change: 'changed', before: null, from: null, ...unknown },
      { id: 'arena', change: 'changed', before: 3, from: 4, ...unknown },
    ]);
  });
});
