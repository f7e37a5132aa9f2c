import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../../../src/contract/problems.js';
import { searchAudit } from '../../../../src/management/audit/search.js';
import type { ContentEdit } from '../../../../src/management/contents/draft-edit.js';
import {
  applyEdit,
  removeContent,
  rollBackEdit,
} from '../../../../src/management/contents/revision-edits.js';
import { saveContent } from '../../../../src/management/contents/save-content.js';
import { takeText } from '../../../../src/management/contents/text.js';
import { StateChecks } from '../../../../src/management/contents/validate/check-state.js';
import { nothingConfirmed } from '../../../../src/management/guards/confirmation.js';
import { insertKey, revokeKey } from '../../../../src/management/keys/rows.js';
import { defaultLimits } from '../../../../src/management/limits/bodies.js';
import { findContent } from '../../../../src/management/store/contents/contents.js';
import { findRevision } from '../../../../src/management/store/contents/revisions.js';
import {
  deleteEnvironment,
  insertEnvironment,
} from '../../../../src/management/store/environments.js';
import { StoreTooNew } from '../../../../src/management/store/migrate.js';
import { hashSecret } from '../../../../src/management/store/secret.js';
import {
  deleteSegment,
  putSegment,
} from '../../../../src/management/store/segments/save-segments.js';
import { sqliteStore } from '../../../../src/management/store/sqlite.js';
import { Store } from '../../../../src/management/store/store.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import type { UnitOfWork } from '../../../../src/management/store/unit-of-work.js';
import { GivenTokenInvalid } from '../../../../src/management/store/users/ensure-owner.js';
import { findBearerByHash } from '../../../../src/management/store/users/tokens.js';
import { noSettings } from '../../../../src/published/environment-settings.js';
import { BetterSqlite3 } from '../../../../src/published/sqlite-driver.js';
import { eventually } from '../../../support/eventually.js';
import { onPostgres } from '../../../support/postgres/tested-store.js';
import {
  changesAfter,
  openStore,
  positionAt,
  readable,
  startMs,
  temporaryFolder,
  tester,
  workHere,
} from '../harness.js';

const checks = new StateChecks(workHere);

interface Edit extends Partial<ContentEdit> {
  readonly appVersion?: string;
}

async function edit(text: string, { appVersion = '0.0.0', ...more }: Edit = {}) {
  const taken = await takeText(text, { path: 'text', appVersion }, defaultLimits, workHere);
  if (taken instanceof Problem) throw new Error(taken.detail);
  const lines = { areAll: false, texts: new Map([[appVersion, taken]]) };
  return { lines, note: '', publish: true, ...more };
}

const dev = { id: 'dev', name: 'dev', protected: false };

async function save(write: UnitOfWork, id: string, wish: Promise<ContentEdit>): Promise<number> {
  const saved = await saveContent(write, checks, 'dev', id, await wish, nothingConfirmed);
  if (saved instanceof Problem) throw new Error(saved.detail);
  return saved.revision;
}

async function storeWithDev(): Promise<Store> {
  const store = await openStore();
  await store.write(tester, (write) => insertEnvironment(write, dev));
  return store;
}

describe('store: opening', () => {
  it('keeps its identity and everything in it from one opening to the next', async () => {
    const file = join(temporaryFolder(), 'store.db');
    const first = await openStore(file);
    const { sequence } = await first.write(tester, (write) => insertEnvironment(write, dev));
    const second = await openStore(file);
    expect(second.id).toBe(first.id);
    expect(await second.sequence()).toBe(sequence);
  });

  it('refuses a file that a newer version wrote, and says so', async () => {
    const file = join(temporaryFolder(), 'store.db');
    const store = await openStore(file);
    const raised = sql`insert into schema_version values (99, 0)`;
    await store.write(tester, (write) => raised.execute(write.db));
    try {
      await expect(openStore(file)).rejects.toThrow(StoreTooNew);
      await expect(openStore(file)).rejects.toThrow('schema 99');
    } finally {
      const lowered = sql`delete from schema_version where version = 99`;
      await store.write(tester, (write) => lowered.execute(write.db));
    }
  });

  // How durable a commit on PostgreSQL is, test/fleet looks at.
  it.skipIf(onPostgres)('commits with synchronous=FULL in WAL mode', async () => {
    const file = join(temporaryFolder(), 'store.db');
    await openStore(file);
    const raw = new BetterSqlite3(file);
    expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
    raw.close();
  });
});

describe('store: writing', () => {
  it('gives one number to everything that a transaction touches', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    const { sequence } = await store.write(tester, async (write) => {
      await save(write, 'shop', edit('{"a":1}'));
      await save(write, 'levels', edit('[1]'));
      await putSegment(
        write,
        { environment: 'dev', name: 's', condition: '{}', description: '' },
        { note: '', synced: null },
      );
    });
    expect(sequence).toBe(before + 1);
    expect(await store.sequence()).toBe(sequence);
    expect(await changesAfter(store, before)).toHaveLength(3);
  });

  it('gives no number to what delivery does not serve', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    const written = await store.write(tester, (write) =>
      save(write, 'shop', edit('{"a":1}', { publish: false })),
    );
    expect(written.sequence).toBe(before);
  });

  it('keeps nothing of a write that fails', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    const failing = store.write(tester, async (write) => {
      await save(write, 'shop', edit('{}'));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await store.sequence()).toBe(before);
    expect(await store.read((db) => findContent(db, 'dev', 'shop'))).toBeNull();
    expect(await searchAudit(store, { environments: null }, { limit: 10 })).toHaveLength(1);
  });

  it('gives writes that start together a number each, and leaves none out', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    const names = Array.from({ length: 20 }, (_, index) => `content-${index}`);
    const written = await Promise.all(
      names.map((name) => store.write(tester, (write) => save(write, name, edit('{}')))),
    );
    const sequences = written.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(names.map((_, index) => before + 1 + index));
  });

  it('lets readers go on while a write is under way', async () => {
    const store = await storeWithDev();
    await store.write(tester, async (write) => {
      await save(write, 'shop', edit('{}'));
      expect(await store.read((db) => findContent(db, 'dev', 'shop'))).toBeNull();
    });
    expect(await store.read((db) => findContent(db, 'dev', 'shop'))).not.toBeNull();
  });
});

// PostgreSQL has a disk of its own, and other words for it: store-errors.ts.
describe.skipIf(onPostgres)('store: a full disk', () => {
  it('refuses the write as unavailable, keeps nothing of it, and reads on', async () => {
    const sqlite = sqliteStore(join(temporaryFolder(), 'store.db'));
    let writer: ReturnType<typeof sqlite.connect> | undefined;
    const connect: typeof sqlite.connect = (mode) => {
      const connection = sqlite.connect(mode);
      if (mode === 'write') writer = connection;
      return connection;
    };
    const store = await Store.open({ ...sqlite, connect }, () => startMs);
    onTestFinished(() => store.close());
    const { sequence } = await store.write(tester, (write) => insertEnvironment(write, dev));
    // SQLite's own way of having no more room.
    if (writer !== undefined) await sql`PRAGMA max_page_count = 1`.execute(writer);
    const large = edit(JSON.stringify('x'.repeat(1_000_000)));
    const writing = store.write(tester, (write) => save(write, 'shop', large));
    await expect(writing).rejects.toThrow(StoreUnavailable);
    expect(await store.sequence()).toBe(sequence);
    expect(await store.read((db) => findContent(db, 'dev', 'shop'))).toBeNull();
    if (writer !== undefined) await sql`PRAGMA max_page_count = 1000000`.execute(writer);
    await store.write(tester, (write) => save(write, 'shop', large));
    expect(await store.sequence()).toBe(sequence + 1);
  });
});

describe('store: contents', () => {
  it('finds a content in whatever case, and keeps its first spelling', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'Shop.Main', edit('{"a":1}')));
    const { value } = await store.write(tester, (write) =>
      save(write, 'SHOP.MAIN', edit('{"a":2}')),
    );
    expect(value).toBe(2);
    const content = await store.read((db) => findContent(db, 'dev', 'shop.main'));
    expect(content).toMatchObject({ id: 'Shop.Main', newest: 2, live: 2 });
  });

  it('keeps every revision as it was, also when the content is deleted and saved anew', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'shop', edit('{"a":1}')));
    await store.write(tester, (write) => save(write, 'shop', edit('{"a":2}')));
    await store.write(tester, (write) => removeContent(write, 'dev', 'shop'));
    const { value } = await store.write(tester, (write) => save(write, 'shop', edit('{"a":3}')));
    expect(value).toBe(3);
    const hashes = await store.read(async (db) => {
      const revisions = [];
      for (const number of [1, 2, 3]) revisions.push(await findRevision(db, 'dev', 'shop', number));
      return revisions.map((revision) => revision?.lines[0]?.hash);
    });
    expect(new Set(hashes).size).toBe(3);
  });

  it('stores a text once, however many revisions have it', async () => {
    const store = await storeWithDev();
    for (const text of ['{"a":1}', '{"a":2}', '{"a":1}']) {
      await store.write(tester, (write) => save(write, 'shop', edit(text)));
    }
    const count = (table: 'texts' | 'revisions') =>
      store.read(async (db) => (await db.selectFrom(table).selectAll().execute()).length);
    expect(await count('texts')).toBe(2);
    expect(await count('revisions')).toBe(3);
  });

  it('rolls back to an old state under a new number', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'shop', edit('{"a":1}')));
    const { sequence } = await store.write(tester, (write) => save(write, 'shop', edit('{"a":2}')));
    const { value } = await store.write(tester, (write) =>
      applyEdit(write, checks, 'dev', rollBackEdit('dev', 'shop', 1), nothingConfirmed),
    );
    expect(value).toMatchObject({ revision: 3, live: 3 });
    expect(await changesAfter(store, sequence)).toEqual([
      { kind: 'content', id: 'shop', lines: ['0.0.0 {"a":1}'], mapping: '' },
    ]);
  });
});

describe('store: what changed', () => {
  it('gives the present state of each thing once, whatever happened to it in between', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    for (const text of ['{"a":1}', '{ "a": 2, /* two */ }', '{"a":3}']) {
      await store.write(tester, (write) => save(write, 'shop', edit(text)));
    }
    expect(await changesAfter(store, before)).toEqual([
      { kind: 'content', id: 'shop', lines: ['0.0.0 {"a":3}'], mapping: '' },
    ]);
  });

  it('gives the live revision, not a draft on top of it', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    await store.write(tester, (write) => save(write, 'shop', edit('{"a":1}')));
    await store.write(tester, (write) => save(write, 'shop', edit('{"a":2}', { publish: false })));
    expect(await changesAfter(store, before)).toEqual([
      { kind: 'content', id: 'shop', lines: ['0.0.0 {"a":1}'], mapping: '' },
    ]);
  });

  it('gives lines in the order of their versions, not of their texts', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    for (const appVersion of ['10.0.0', '9.0.0', '0.0.0']) {
      const text = JSON.stringify(appVersion);
      await store.write(tester, (write) => save(write, 'shop', edit(text, { appVersion })));
    }
    const [shop] = (await changesAfter(store, before)) as [{ lines: string[] }];
    expect(shop.lines).toEqual(['0.0.0 "0.0.0"', '9.0.0 "9.0.0"', '10.0.0 "10.0.0"']);
  });

  it('tells of a deleted content, segment and key, and of a deleted environment', async () => {
    const store = await storeWithDev();
    const segment = { environment: 'dev', name: 's', condition: '{"a":1}', description: '' };
    const { value: key } = await store.write(tester, async (write) => {
      await save(write, 'shop', edit('{}'));
      await putSegment(write, segment, { note: '', synced: null });
      return insertKey(write, 'dev', { label: '', expiresAtMs: 5 });
    });
    const before = await store.sequence();
    await store.write(tester, (write) => removeContent(write, 'dev', 'Shop'));
    await store.write(tester, (write) => deleteSegment(write, 'dev', 's'));
    await store.write(tester, (write) => revokeKey(write, 'dev', key?.id ?? ''));
    const kinds = (await changesAfter(store, before)).map(
      (change) => (change as { kind: string }).kind,
    );
    expect(kinds).toEqual(['segment-removed', 'key-removed', 'content-removed']);
    await store.write(tester, (write) =>
      deleteEnvironment(write, { ...dev, createdAtMs: startMs }),
    );
    expect((await changesAfter(store, before))[0]).toEqual({
      kind: 'environment-removed',
      environment: 'dev',
    });
  });

  it('removes what an environment had before it was deleted and made again', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'old', edit('{}')));
    const before = await store.sequence();
    await store.write(tester, (write) =>
      deleteEnvironment(write, { ...dev, createdAtMs: startMs }),
    );
    await store.write(tester, (write) => insertEnvironment(write, dev));
    await store.write(tester, (write) => save(write, 'new', edit('{}')));
    expect(await changesAfter(store, before)).toEqual([
      { kind: 'environment-removed', environment: 'dev' },
      { kind: 'environment', environment: 'dev', settings: noSettings },
      { kind: 'content', id: 'new', lines: ['0.0.0 {}'], mapping: '' },
    ]);
  });

  it('publishes an expired key with its time: delivery decides at each request', async () => {
    const store = await storeWithDev();
    const before = await store.sequence();
    await store.write(tester, (write) => insertKey(write, 'dev', { label: '', expiresAtMs: 5 }));
    expect(await changesAfter(store, before)).toMatchObject([{ kind: 'key', expiresAtMs: 5 }]);
  });

  it('says that its log does not reach back, or not yet forward, to a number', async () => {
    const store = await storeWithDev();
    for (const text of ['1', '2', '3']) {
      await store.write(tester, (write) => save(write, 'shop', edit(text)));
    }
    const newest = await store.sequence();
    const [older, old, now] = await Promise.all(
      [newest - 2, newest - 1, newest].map((sequence) => positionAt(store, sequence)),
    );
    if (older === undefined || old === undefined || now === undefined) throw new Error('no marks');
    await store.pruneChanges(newest);
    expect(await store.readChanges(older)).toBe('lost');
    expect(await store.readChanges(old)).toMatchObject({ ...now, changes: [{ id: 'shop' }] });
    expect(await store.readChanges(now)).toEqual({ ...now, changes: [] });
    expect(await store.readChanges({ ...now, sequence: newest + 1 })).toBe('ahead');
    expect(await store.sequence()).toBe(newest);
  });

  it('tells its numbers from the same ones of another history', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'shop', edit('1')));
    await store.write(tester, (write) => save(write, 'shop', edit('2')));
    const newest = await store.sequence();
    expect(await store.readChanges({ sequence: newest - 1, mark: 'another' })).toBe('lost');
    expect(await store.readChanges({ sequence: newest, mark: 'another' })).toBe('ahead');
  });

  it('moves beyond numbers that it cannot have given out, once, and everybody reads everything', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'shop', edit('1')));
    const before = await positionAt(store, await store.sequence());
    await store.moveBeyond({ sequence: 50, mark: 'of a newer time' });
    await store.moveBeyond({ sequence: 50, mark: 'of a newer time' });
    expect(await store.sequence()).toBe(51);
    expect(await store.readChanges(before)).toBe('lost');
    const now = await positionAt(store, 51);
    expect(await store.readChanges(now)).toEqual({ ...now, changes: [] });
    await store.moveBeyond(now);
    expect(await store.sequence()).toBe(51);
    const { sequence } = await store.write(tester, (write) => save(write, 'shop', edit('2')));
    expect(sequence).toBe(52);
  });
});

/** Reads everything that is published; what `meanwhile` does happens after the snapshot was taken. */
function streamEverything(
  store: Store,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<{ sequence: number; streamed: unknown[] }> {
  return store.readEverything(0, async ({ sequence, changes }) => {
    await meanwhile();
    const streamed: unknown[] = [];
    for await (const change of changes) streamed.push(readable(change));
    return { sequence, streamed };
  });
}

/** Connections of this process to its store: files that are open, or sessions of its database. */
async function connectionsOf(store: Store): Promise<number> {
  if (!onPostgres)
    return readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).endsWith('/store.db')).length;
  const sessions = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where datname = current_database()`;
  return (await store.read((db) => sessions.execute(db))).rows[0]?.count ?? 0;
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ''; // closed since the folder was listed
  }
}

describe('store: everything', () => {
  it('streams the same state as the changes since the beginning', async () => {
    const store = await storeWithDev();
    await store.write(tester, async (write) => {
      await putSegment(
        write,
        { environment: 'dev', name: 's', condition: '{}', description: '' },
        { note: '', synced: null },
      );
      await insertKey(write, 'dev', { label: '', expiresAtMs: null });
      for (let index = 0; index < 600; index++) {
        await save(write, `content-${index}`, edit(`{"index":${index}}`));
      }
      await save(write, 'draft', edit('{}', { publish: false }));
    });
    const { sequence, streamed } = await streamEverything(store);
    expect(sequence).toBe(await store.sequence());
    const key = (item: unknown): string => JSON.stringify(item);
    const replayed = await changesAfter(store, 0);
    expect(streamed.map(key).sort()).toEqual(replayed.map(key).sort());
    expect(streamed).toHaveLength(603);
  });

  it('is one snapshot, whatever is written while it is read', async () => {
    const store = await storeWithDev();
    await store.write(tester, (write) => save(write, 'shop', edit('1')));
    const { sequence, streamed } = await streamEverything(store, () =>
      store.write(tester, (write) => save(write, 'shop', edit('2'))),
    );
    expect(streamed).toContainEqual({
      kind: 'content',
      id: 'shop',
      lines: ['0.0.0 1'],
      mapping: '',
    });
    expect(sequence).toBe((await store.sequence()) - 1);
  });

  it('lets go of its snapshot when nobody reads it, and when reading it fails', async () => {
    const store = await storeWithDev();
    await store.readEverything(0, async () => undefined);
    // SQLite keeps the file of a closed connection for the next one while others are open: it is counted in.
    const before = await connectionsOf(store);
    for (let n = 0; n < 5; n++) await store.readEverything(0, async () => undefined);
    const failing = store.readEverything(0, async ({ changes }) => {
      for await (const change of changes) throw new Error(change.kind);
    });
    await expect(failing).rejects.toThrow('environment');
    await eventually('the connections end', 5_000, async () => {
      return (await connectionsOf(store)) === before;
    });
  });
});

describe('store: the owner', () => {
  it('makes a token on the first start and never again', async () => {
    const store = await openStore();
    const token = await store.ensureOwner();
    expect(token).toMatch(/^lot_[A-Za-z0-9_-]{27}$/);
    expect(await store.ensureOwner()).toBeNull();
    const bearer = await store.read((db) => findBearerByHash(db, hashSecret(token ?? '')));
    expect(bearer?.user).toMatchObject({ role: 'owner', environments: null });
  });

  it('makes none when its token cannot be kept, so that the next start makes one', async () => {
    const store = await openStore();
    const failing = store.ensureOwner(undefined, () => {
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    const kept: string[] = [];
    const token = await store.ensureOwner(undefined, (made) => kept.push(made));
    expect(kept).toEqual([token]);
    expect(await store.ensureOwner(undefined, (made) => kept.push(made))).toBeNull();
    expect(kept).toHaveLength(1);
  });

  it('takes the token of the environment, and replaces it when that changes', async () => {
    const store = await openStore();
    const made = await store.ensureOwner();
    expect(await store.ensureOwner('first-given-token')).toBeNull();
    await store.ensureOwner('second-given-token');
    const roles = await store.read(async (db) => {
      const bearers = [];
      for (const token of [made ?? '', 'first-given-token', 'second-given-token']) {
        bearers.push(await findBearerByHash(db, hashSecret(token)));
      }
      return bearers.map((bearer) => bearer?.user.role ?? null);
    });
    expect(roles).toEqual(['owner', null, 'owner']);
  });

  it.each(['short', 'has a space', 'x'.repeat(257), 'größer-als-acht'])(
    'refuses the given token "%s"',
    async (token) => {
      const store = await openStore();
      await expect(store.ensureOwner(token)).rejects.toThrow(GivenTokenInvalid);
    },
  );

  it('stores no token and no key', async () => {
    const store = await openStore();
    await store.ensureOwner('a-secret-token-nobody-stores');
    const rows = await store.read((db) => db.selectFrom('tokens').selectAll().execute());
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('a-secret-token');
  });
});
