/** What operators read of a server's build, disk, store, edits and backups: each figure is right, and moves by what was done. */
import { readdirSync, readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { eventually } from '../../support/eventually.js';
import {
  differences,
  followMetricNames,
  type Samples,
  scrape,
} from '../../support/metrics-page.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { runLoadout } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { openConnection } from '../../support/wire/raw-connection.js';

const data = makeDataFolder();
let server: LoadoutServer;
let game: Environment;

beforeAll(async () => {
  server = await startServer({ data, listeners: 1 });
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
});
afterAll(() => server.stop());

const samples = async (): Promise<Samples> => (await scrape(server)).samples;

/** By how much samples grow while something is done. */
async function growth(names: readonly string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await samples();
  await act();
  const after = await samples();
  return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
}

describe('the process', () => {
  it('says which build it is, on what', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    const { platform, arch, versions } = process;
    const labels = `version="${version}",node="${versions.node}",platform="${platform}",arch="${arch}",store="sqlite"`;
    expect((await samples()).get(`loadout_build_info{${labels}}`)).toBe(1);
  });

  it('counts the descriptors of the control process, and knows its limit', async () => {
    const now = await samples();
    const limits = readFileSync(`/proc/${server.pid}/limits`, 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    expect(now.get('loadout_control_max_fds')).toBe(Number(soft));
    // The scrape has a connection that is gone when we look.
    const open = readdirSync(`/proc/${server.pid}/fd`).length;
    expect(Math.abs((now.get('loadout_control_open_fds') ?? 0) - open)).toBeLessThanOrEqual(3);
  });

  it('counts the descriptors of a delivery process: each connection is one', async () => {
    const name = 'loadout_open_fds{listener="0"}';
    const read = async () => (await samples()).get(name) ?? 0;
    const before = await read();
    const connections = await Promise.all(
      Array.from({ length: 20 }, () => openConnection(server.deliveryPort)),
    );
    await eventually('all connections are open', 5_000, async () => (await read()) === before + 20);
    for (const connection of connections) connection.close();
    await eventually('all connections are closed', 5_000, async () => (await read()) === before);
    expect((await samples()).get('loadout_max_fds{listener="0"}')).toBeGreaterThan(before);
  });
});

describe('sizes', () => {
  it('are those of the files', async () => {
    await game.put('large', JSON.stringify('x'.repeat(500_000)));
    const files = {
      loadout_store_bytes: 'store.db',
      loadout_store_wal_bytes: 'store.db-wal',
      loadout_published_bytes: 'published.db',
      loadout_published_wal_bytes: 'published.db-wal',
    };
    // A checkpoint may come between the two looks.
    await eventually('the figures are those of the files', 5_000, async () => {
      const now = await samples();
      const sizes = Object.entries(files).map(([name, file]) => [
        now.get(name),
        statSync(join(data, file)).size,
      ]);
      return sizes.every(([figure, size]) => figure === size && figure !== 0);
    });
  });

  it('grow with what is saved', async () => {
    const names = ['loadout_store_bytes', 'loadout_store_wal_bytes'];
    const text = JSON.stringify('y'.repeat(900_000));
    const grown = await growth(names, () => game.put('larger', text));
    expect(grown.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(100_000);
  });

  it('of the disk are those of the system', async () => {
    const now = await samples();
    const { bsize, blocks, bavail } = statfsSync(data);
    expect(now.get('loadout_disk_bytes')).toBe(blocks * bsize);
    const free = now.get('loadout_disk_free_bytes') ?? 0;
    expect(Math.abs(free - bavail * bsize)).toBeLessThan(2 ** 30);
  });
});

describe('edits', () => {
  const saved = 'loadout_edits_total{outcome="saved"}';
  const rejected = 'loadout_edits_total{outcome="rejected"}';
  const failed = 'loadout_edits_total{outcome="failed"}';
  const [timed, published] = ['loadout_edit_seconds_count', 'loadout_publish_seconds_count'];
  const failures = 'loadout_publish_failures_total';
  const all = [saved, rejected, failed, timed, published, failures];

  it('that are saved count with their time, and the time until they were served', async () => {
    const act = async () => {
      await game.put('shop', '{"price":2}');
      await game.put('shop', '{"price":3}');
    };
    expect(await growth(all, act)).toEqual([2, 0, 0, 2, 2, 0]);
    const now = await samples();
    const [edit = 0, publish = 0] = ['edit', 'publish'].map((of) =>
      now.get(`loadout_${of}_seconds_sum`),
    );
    expect(publish).toBeGreaterThan(0);
    expect(edit).toBeGreaterThan(publish);
  });

  it('that are rejected count as that, and checks that save nothing do not count', async () => {
    const act = async () => {
      const path = `${game.path}/contents/shop`;
      const late = await server.admin('PUT', path, { text: '1', ifRevision: 1 });
      expect(late.status).toBe(409);
      const checked = await server.admin('PUT', path, { text: '1', dryRun: true });
      expect(checked.status).toBe(200);
      await server.admin('GET', path);
    };
    expect(await growth(all, act)).toEqual([0, 1, 0, 0, 0, 0]);
  });

  it('that cannot be published count as failed, and so does each attempt', async () => {
    const foreign = new BetterSqlite3(join(data, 'published.db'));
    const act = async () => {
      foreign.exec('BEGIN IMMEDIATE');
      try {
        expect((await game.tryPut('shop', { text: '{"price":4}' })).status).toBe(503);
      } finally {
        foreign.close();
      }
      await eventually('it is served', 10_000, async () =>
        (await game.plain('shop')).text.includes('4'),
      );
    };
    const [ofSaved, ofRejected, ofFailed, , , ofFailures = 0] = await growth(all, act);
    expect([ofSaved, ofRejected, ofFailed]).toEqual([0, 0, 1]);
    expect(ofFailures).toBeGreaterThanOrEqual(1);
  });
});

describe('rejected requests', () => {
  it('count under their environment, each code apart', async () => {
    const other = await makeEnvironment(server);
    const names = [
      `loadout_environment_refused_total{environment="${game.id}",code="content_not_found"}`,
      `loadout_environment_refused_total{environment="${game.id}",code="invalid_body"}`,
      `loadout_environment_refused_total{environment="${other.id}",code="content_not_found"}`,
      'loadout_environment_refused_total{environment="(none)",code="invalid_api_key"}',
    ];
    const before = await samples();
    const grown = async () => {
      const now = await samples();
      return names.map((name) => (now.get(name) ?? 0) - (before.get(name) ?? 0));
    };
    for (let n = 0; n < 3; n += 1) await game.wrapped('nothing', { u: 'ada' });
    await game.wrapped('shop', '{');
    await other.wrapped('shop', { u: 'ada' });
    for (let n = 0; n < 2; n += 1) {
      await game.ask('POST', '/api/v1/config/shop', {}, { 'x-api-key': 'made up' });
    }
    const expected = [3, 1, 1, 2];
    const isThere = async () => {
      const now = await grown();
      return now.every((count, at) => count >= (expected[at] ?? 0));
    };
    await eventually('they were reported', 20_000, isThere);
    expect(await grown()).toEqual(expected);
  });
});

it('caches of a delivery process show what they evicted', async () => {
  const caches = [...(await samples())].flatMap(([name, count]) => {
    const [, cache] =
      /^loadout_cache_evictions_total\{listener="0",cache="(\w+)"\}$/.exec(name) ?? [];
    return cache === undefined ? [] : [[cache, count]];
  });
  expect(Object.fromEntries(caches)).toEqual({
    ...{ rendered: 0, documents: 0, selections: 0, keys: 0 },
    ...{ flags: 0, flag_indexes: 0, bulk_bodies: 0 },
  });
});

it('a scrape is what docs/metrics.md lists', async () => {
  const absent = [
    ...['loadout_tls_certificate_expiry_timestamp_seconds', 'loadout_tls_reload_failed'],
    ...['loadout_backup_last_success_bytes', 'loadout_backup_last_success_duration_seconds'],
    'loadout_events_stored_bytes',
    ...['loadout_trace_spans_exported_total', 'loadout_trace_spans_dropped_total'],
    'loadout_trace_spans_waiting',
    ...followMetricNames,
  ];
  expect(differences(await scrape(server), absent)).toEqual([]);
});

describe('the last backup', () => {
  const at = 'loadout_backup_last_success_timestamp_seconds';
  const bytes = 'loadout_backup_last_success_bytes';
  const seconds = 'loadout_backup_last_success_duration_seconds';

  /** Copies that the server sends have no name any more. */
  function copiesOpen(): number {
    const folder = `/proc/${server.pid}/fd`;
    return readdirSync(folder).filter((name) => {
      try {
        return readlinkSync(join(folder, name)).startsWith(join(data, 'backup-'));
      } catch {
        // Closed since it was listed.
        return false;
      }
    }).length;
  }

  it('is none at first', async () => {
    expect((await samples()).get(at)).toBe(0);
  });

  it('that was cut off does not count', async () => {
    // More than the buffers of a socket.
    for (let n = 0; n < 24; n += 1) {
      await game.put(`much-${n}`, `[${n},${JSON.stringify('z'.repeat(1_000_000))}]`);
    }
    const socket = connect(server.adminPort, '127.0.0.1');
    const head = `POST /admin/v1/backup HTTP/1.1\r\nHost: loadout\r\nAuthorization: Bearer ${ownerToken}\r\nContent-Length: 0\r\n\r\n`;
    socket.write(head);
    await new Promise((resolve) => socket.once('data', resolve));
    expect(copiesOpen()).toBe(1);
    socket.destroy();
    await eventually('the server has closed its copy', 10_000, () => copiesOpen() === 0);
    expect((await samples()).get(at)).toBe(0);
  });

  it('over the admin API counts with its size and time', async () => {
    const before = Date.now() / 1_000;
    const made = await eventually('the one that was cut off is over', 10_000, async () => {
      const answer = await server.admin('POST', '/admin/v1/backup');
      return answer.status === 200 ? answer : null;
    });
    const now = await eventually('it is noted', 5_000, async () => {
      const all = await samples();
      return (all.get(at) ?? 0) > 0 ? all : null;
    });
    expect(now.get(at)).toBeGreaterThanOrEqual(Math.floor(before));
    expect(now.get(at)).toBeLessThanOrEqual(Date.now() / 1_000);
    expect(now.get(bytes)).toBe(made.bytes.length);
    expect(now.get(seconds)).toBeGreaterThan(0);
  });

  it('from the data folder counts too, and survives a restart', async () => {
    const before = (await samples()).get(at) ?? 0;
    const out = join(makeDataFolder(), 'backup.db');
    const { code } = await runLoadout(['backup', '--data', data, '--out', out]);
    expect(code).toBe(0);
    const noted = (await samples()).get(at) ?? 0;
    expect(noted).toBeGreaterThan(before);
    await server.stop();
    server = await startServer({ data, listeners: 1 });
    const now = await samples();
    expect(now.get(at)).toBe(noted);
    expect(now.get(bytes)).toBe(statSync(out).size);
  });
});
