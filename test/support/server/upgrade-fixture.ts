/** What an earlier version left behind (test/fixtures): unpacking it, and finding all of it again in a server of this one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { eventually } from '../eventually.js';
import { queryAsSuperuser } from '../postgres/database.js';
import type { Caller, CatalogEntry } from '../specification/client.js';
import { Environment, expectDone } from './environment.js';
import type { LoadoutServer, RunningServer } from './server-process.js';

const folder = resolve(import.meta.dirname, '../../fixtures');

export type FixtureKind = 'sqlite' | 'postgres';
/** By the step of the store's schema. */
export type FixtureFormat = 'schema-4' | 'schema-6' | 'schema-7' | 'schema-9' | 'schema-13';

/** What the earlier version said of its store before it was stopped. */
export interface Facts {
  /** By environment. */
  readonly keys: Readonly<Record<string, string>>;
  readonly callers: readonly Caller[];
  /** By environment: the catalog, and by content what endpoint 1 answered each caller (the status, unless it was 200). */
  readonly delivered: Readonly<
    Record<string, { readonly catalog: string; readonly items: Readonly<Record<string, string[]>> }>
  >;
  /** What the admin API answered, by path below `/admin/v1`. */
  readonly shown: Readonly<Record<string, unknown>>;
}

type Delivered = Facts['delivered'][string];

/** The fixture is not to grow too old for what a server keeps by default. */
export const keepsAll = ['--keep-deleted-days', 'all', '--audit-days', 'all'];

/** Of callers with a user id: since this version, those without one have uid 0 and are in group 0 (docs/targeting.md). */
export function factsOf(kind: FixtureKind, format: FixtureFormat = 'schema-4'): Facts {
  const facts: Facts = JSON.parse(unpack(format, kind, 'facts.json').toString());
  const isNamed = (_: unknown, at: number): boolean => 'u' in (facts.callers[at] as object);
  const delivered = Object.entries(facts.delivered).map(([environment, { catalog, items }]) => {
    const named = Object.entries(items).map(([id, texts]) => [id, texts.filter(isNamed)]);
    return [environment, { catalog, items: Object.fromEntries(named) }];
  });
  return {
    ...facts,
    callers: facts.callers.filter(isNamed),
    delivered: Object.fromEntries(delivered),
  };
}

/** Puts the files of its data folder into another one. */
export function unpackInto(
  data: string,
  kind: FixtureKind,
  format: FixtureFormat = 'schema-4',
): void {
  const names = kind === 'sqlite' ? ['store.db', 'published.db'] : ['published.db'];
  for (const name of names) writeFileSync(join(data, name), unpack(format, kind, name));
}

/** Fills an empty database as Loadout's role. */
export async function restoreDump(url: string, format: FixtureFormat = 'schema-4'): Promise<void> {
  const { port, pathname, username } = new URL(url);
  const dump = unpack(format, 'postgres', 'dump.sql').toString();
  await queryAsSuperuser(Number(port), `SET ROLE ${username};\n${dump}`, [], pathname.slice(1));
}

/** Everything is delivered as the earlier version did. */
export async function expectAsBefore(server: RunningServer, facts: Facts): Promise<void> {
  for (const environment of Object.keys(facts.keys)) {
    expect(await deliveredBy(server, facts, environment)).toEqual(facts.delivered[environment]);
  }
}

/**
 * Waits until the upgrade is finished, looking at the catalogs all the while: what is served is the old state or the
 * new one, and each hash changes once at most.
 */
export async function finished(server: LoadoutServer, facts: Facts): Promise<void> {
  const seen = new Map<string, string[]>();
  const look = async (): Promise<void> => {
    for (const [environment, key] of Object.entries(facts.keys)) {
      const catalog = await catalogOf(server, environment, key);
      for (const [id, { h }] of Object.entries(catalog)) {
        const hashes = seen.get(`${environment} ${id}`) ?? [];
        if (hashes.at(-1) !== h) seen.set(`${environment} ${id}`, [...hashes, h]);
      }
    }
  };
  await eventually('the upgrade is finished', 60_000, async () => {
    const isFinished = server.stderr.includes('the upgrade is finished');
    await look();
    return isFinished;
  });
  for (const [environment, { catalog }] of Object.entries(facts.delivered)) {
    const before: Record<string, CatalogEntry> = JSON.parse(catalog).catalog;
    for (const [id, { h, d }] of Object.entries(before)) {
      const hashes = seen.get(`${environment} ${id}`) ?? [];
      const changed = hashes.filter((hash) => hash !== h);
      expect(changed, `${environment} ${id}`).toHaveLength(d ? 1 : 0);
      // The old one was seen first, or not at all.
      expect(hashes.indexOf(h), `${environment} ${id}`).toBeLessThanOrEqual(0);
    }
  }
}

/** After `finished`: everything is there, and only hashes of contents that have a mapping are others. */
export async function expectUpgraded(server: RunningServer, facts: Facts): Promise<void> {
  for (const [environment, before] of Object.entries(facts.delivered)) {
    const now = await deliveredBy(server, facts, environment);
    const catalog: Record<string, CatalogEntry> = JSON.parse(before.catalog).catalog;
    expect(withoutHashes(now)).toEqual(withoutHashes(before));
    for (const [id, { d }] of Object.entries(catalog)) {
      const hashes = hashesOf(now.items[id]);
      for (const [at, hash] of hashesOf(before.items[id]).entries()) {
        if (d && hash !== null) expect(hashes[at]).not.toBe(hash);
        else expect(hashes[at]).toBe(hash);
      }
    }
  }
  for (const [path, before] of Object.entries(facts.shown)) {
    const { json } = expectDone(await server.admin('GET', `/admin/v1${path}`));
    expect(comparable(json), path).toMatchObject(comparable(before) as object);
  }
  for (const [name, when] of Object.entries({
    whales: { level: { $gte: 40 } },
    us: { country: { $in: ['US', 'CA'] } },
    unused: { country: 'FR' },
  })) {
    const path = `/admin/v1/environments/dev/segments/${name}/revisions`;
    const { revisions } = (await server.admin('GET', path)).json;
    expect(revisions).toMatchObject([{ revision: 1, current: true, author: 'alice', note: '' }]);
    expect((await server.admin('GET', `${path}/1`)).json.when).toEqual(when);
  }
}

/** published.db of a data folder, as this version writes it. */
export function publishedState(data: string): {
  readonly format: number;
  readonly streamKey: string;
  /** By `environment/id`. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
} {
  const db = new BetterSqlite3(join(data, 'published.db'), { readonly: true });
  try {
    const state = db.prepare('SELECT format, stream_key AS streamKey FROM state').get();
    const contents = db
      .prepare<[], [string, string]>("SELECT environment || '/' || id, flags FROM contents")
      .raw()
      .all();
    const flags = contents.map(([name, text]) => [name, JSON.parse(text)] as const);
    return {
      ...(state as { format: number; streamKey: string }),
      flags: Object.fromEntries(flags),
    };
  } finally {
    db.close();
  }
}

/** Lines, mappings and segments can be edited, and hashes are by the rule of this version. */
export async function expectEditable(server: RunningServer, facts: Facts): Promise<void> {
  const dev = environmentOf(server, facts, 'dev');
  const catalog = (): Promise<Record<string, CatalogEntry>> =>
    catalogOf(server, 'dev', facts.keys['dev'] ?? '');
  const before = await catalog();
  await dev.put('plain', '{"motd":"edited"}');
  await dev.putSegment('whales', { level: { $gte: 60 } });
  const after = await catalog();
  const changed = Object.keys(after).filter((id) => after[id]?.h !== before[id]?.h);
  expect(changed).toEqual(['bundle', 'plain', 'Shop']);
  const rollback = `${dev.path}/segments/whales/rollback`;
  expectDone(await server.admin('POST', rollback, { revision: 1 }));
  expect(await catalog()).toEqual({ ...before, plain: after['plain'] });
  expectDone(await server.admin('POST', `${dev.path}/contents/deleted/restore`, {}));
  expect((await dev.plain('deleted')).text).toBe('{"n":1}');
}

export function environmentOf(server: RunningServer, facts: Facts, id: string): Environment {
  return new Environment(server, id, { id: '', key: facts.keys[id] ?? '' });
}

async function deliveredBy(server: RunningServer, facts: Facts, id: string): Promise<Delivered> {
  const game = environmentOf(server, facts, id);
  const items: Record<string, string[]> = {};
  for (const content of Object.keys(facts.delivered[id]?.items ?? {})) {
    const answers = await Promise.all(
      facts.callers.map((caller) => game.wrapped(content, caller as never)),
    );
    items[content] = answers.map(({ status, text }) => (status === 200 ? text : String(status)));
  }
  return { catalog: (await game.catalog()).text, items };
}

async function catalogOf(
  server: RunningServer,
  id: string,
  key: string,
): Promise<Record<string, CatalogEntry>> {
  const answer = await new Environment(server, id, { id: '', key }).catalog();
  expect(answer.status).toBe(200);
  return answer.json.catalog;
}

function unpack(format: FixtureFormat, kind: FixtureKind, name: string): Buffer {
  return gunzipSync(readFileSync(join(folder, format, kind, `${name}.gz`)));
}

function hashesOf(items: readonly string[] = []): (string | null)[] {
  return items.map((text) => (text.startsWith('{') ? JSON.parse(text).hash : null));
}

function withoutHashes(delivered: Delivered): unknown {
  return JSON.parse(JSON.stringify(delivered).replaceAll(/\\"(h|hash)\\":\\"\w{16}\\"/g, ''));
}

/** Without what differs by now, as it should. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, member) => {
    return name === 'hash' || name === 'lastUsedAt' ? undefined : member;
  });
}
