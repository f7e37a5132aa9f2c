import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Batch,
  defaultBatchLimits,
  nextBatch,
} from '../../../../src/analysis/storage/batches.js';
import { compact } from '../../../../src/analysis/storage/compaction.js';
import { Duckdb } from '../../../../src/analysis/storage/duckdb.js';
import { scratchFolder } from '../../../../src/analysis/storage/event-folder.js';
import { EventRows } from '../../../../src/analysis/storage/event-rows.js';
import { ExperimentRules } from '../../../../src/analysis/storage/experiment-rules.js';
import { ForgottenUsers, forgottenHash } from '../../../../src/analysis/storage/forgotten-users.js';
import { EventDatabase } from '../../../../src/analysis/storage/postgres/event-database.js';
import { PostgresSink } from '../../../../src/analysis/storage/postgres/postgres-sink.js';
import type { EventTable } from '../../../../src/analysis/storage/rows.js';
import { plainIds } from '../../../../src/analysis/storage/user-ids.js';
import { queryAsSuperuser } from '../../../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../../../support/postgres/postgres.js';
import {
  exposure,
  makeEventsFolder,
  noon,
  priceExperiment,
  purchase,
  sealFile,
} from './event-files.js';

/** A server of a fleet, with a folder of its own. */
class Server {
  readonly events = makeEventsFolder();
  readonly sink: PostgresSink;
  readonly client: pg.Client;

  constructor(connectionString: string, client: pg.Client) {
    const duckdb = new Duckdb({ memoryBytesMax: 2 ** 28, folder: scratchFolder(this.events) });
    const database = new EventDatabase([{ connectionString }]);
    this.sink = new PostgresSink(this.events, database, duckdb);
    this.client = client;
  }

  compact(hashesIds = false, nowMs = noon) {
    const limits = defaultBatchLimits;
    return compact(
      { events: this.events, sink: this.sink, hashesIds, limits },
      [priceExperiment],
      nowMs,
    );
  }

  async rows(table: EventTable) {
    const { rows } = await this.client.query(
      `SELECT * FROM loadout_events.${table} ORDER BY u, eid, day`,
    );
    return rows;
  }
}

async function makeServers(): Promise<readonly [Server, Server]> {
  const url = await freshDatabase();
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return [new Server(url, client), new Server(url, client)];
}

describe.skipIf(!hasPostgres)('events in PostgreSQL', () => {
  it('are rows of partitions by day, each once, whichever server stores them', async () => {
    const [server, other] = await makeServers();
    const lines = [
      purchase('ann', '1', { k: 1, p: { country: 'DE' } }),
      purchase('ann', '1'),
      purchase(`'"\\\u0000\u0001\u0002\ud800 ü\n🎮`, '2'),
      exposure('ann', 'high', '3'),
    ];
    sealFile(server.events, lines);
    sealFile(other.events, lines);
    await Promise.all([server.compact(), other.compact()]);
    const rows = await server.rows('metric_events');
    expect(rows).toEqual([
      expect.objectContaining({ u: `'"\\\ufffd\u0001\u0002\ufffd ü\n🎮`, attributes: null }),
      expect.objectContaining({ u: 'ann', value: 4.99, attributes: { country: 'DE' } }),
    ]);
    expect(await server.rows('exposures')).toEqual([
      expect.objectContaining({ experiment: 'price-test', phase: 1, content: 'shop' }),
    ]);
    const { rows: found } = await server.client.query(
      `SELECT "at"::text, received_at::text, day::text, tableoid::regclass::text AS partition FROM loadout_events.metric_events WHERE u = 'ann'`,
    );
    expect(found).toEqual([
      {
        ...{ at: '2026-11-24 11:59:59', received_at: '2026-11-24 12:00:00', day: '2026-11-24' },
        partition: 'loadout_events.metric_events_20261124',
      },
    ]);
  });

  it('have one hash of a user id in all servers', async () => {
    const [server, other] = await makeServers();
    sealFile(server.events, [purchase('ann', '1')]);
    sealFile(other.events, [purchase('ann', '2')]);
    await server.compact(true);
    await other.compact(true);
    const ids = (await server.rows('metric_events')).map(({ u }) => u);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0]]);
  });

  it('wait while the database is away', async () => {
    const url = 'postgres://loadout@127.0.0.1:9/none';
    const server = new Server(url, new pg.Client());
    sealFile(server.events, [purchase('ann', '1')]);
    for (let tries = 0; tries < 5; tries++) {
      await expect(server.compact()).rejects.toMatchObject({ reason: 'sink_unavailable' });
    }
    // Its failures are not held against the batch.
    expect(readdirSync(join(server.events, 'pending'))).toEqual([expect.stringMatching(/\.0$/)]);
  });

  it('are stored as a whole batch or not at all', async () => {
    const [server] = await makeServers();
    sealFile(server.events, [purchase('ann', '1')]);
    await server.compact();
    await server.client.query('ALTER TABLE loadout_events.metric_events ADD CHECK (value < 100)');
    const large = { t: 'metric', n: 'purchase', x: 500, at: noon, eid: '3' } as const;
    sealFile(server.events, [exposure('ann', 'high', '2'), purchase('ann', '3', { e: large })]);
    await expect(server.compact()).rejects.toMatchObject({ reason: 'failed' });
    expect(await server.rows('exposures')).toEqual([]);
    await server.client.query(
      'ALTER TABLE loadout_events.metric_events DROP CONSTRAINT metric_events_value_check',
    );
    expect(await server.compact()).toMatchObject({ events: 2, more: true });
    expect(await server.rows('metric_events')).toHaveLength(2);
  });

  it('wait while the role may not make the tables', async () => {
    const [server] = await makeServers();
    const { rows } = await server.client.query('SELECT current_database() AS name');
    const { port } = server.client;
    const revoke = `REVOKE CREATE ON DATABASE ${rows[0].name} FROM PUBLIC, loadout; ALTER DATABASE ${rows[0].name} OWNER TO postgres`;
    await queryAsSuperuser(port, revoke);
    sealFile(server.events, [purchase('ann', '1')]);
    for (let tries = 0; tries < 5; tries++) {
      await expect(server.compact()).rejects.toMatchObject({ reason: 'sink_unavailable' });
    }
    await queryAsSuperuser(port, `GRANT CREATE ON DATABASE ${rows[0].name} TO loadout`);
    expect(await server.compact()).toMatchObject({ events: 1, setAside: 0 });
  });

  it('of a user who is forgotten go, and do not come back from another server', async () => {
    const [server, other] = await makeServers();
    const lines = [purchase('ann', '1'), purchase('ben', '2'), exposure('ann', 'high', '3')];
    sealFile(server.events, lines);
    await server.compact();
    sealFile(other.events, [purchase('ann', '4'), purchase('ann', '5', { r: noon + 2 })]);
    const batch = nextBatch(other.events, noon);
    const rows = new EventRows({
      experiments: new ExperimentRules([]),
      ids: plainIds,
      forgotten: new ForgottenUsers(await other.sink.forgotten()),
    });
    const user = { environment: 'live', hash: forgottenHash('ann'), at: noon + 1 };
    expect(await server.sink.forget(user, ['ann'])).toBe(2);
    // Of the rows of a server that has read before whom to leave out.
    await expect(other.sink.store(batch as Batch, rows)).rejects.toMatchObject({
      reason: 'sink_unavailable',
    });
    expect(await other.compact()).toMatchObject({ events: 2 });
    expect((await server.rows('metric_events')).map(({ u, eid }) => [u, eid])).toEqual([
      ['ann', '5'],
      ['ben', '2'],
    ]);
    expect(await server.rows('exposures')).toEqual([]);
  });

  it('of days that are not kept go with their partitions', async () => {
    const [server] = await makeServers();
    const msPerDay = 86_400_000;
    const days = [0, 1, 2].map((ago) => noon - ago * msPerDay);
    sealFile(
      server.events,
      days.map((r, at) =>
        purchase('ann', `${at}`, { r, e: { t: 'metric', n: 'a', x: 1, at: r, eid: `${at}` } }),
      ),
    );
    await server.compact();
    const rules = { daysKept: 2, bytesMax: Number.MAX_SAFE_INTEGER };
    await server.sink.retain(rules, noon);
    expect((await server.rows('metric_events')).map(({ eid }) => eid)).toEqual(['0', '1']);
  });

  it('are exported in the same form as from Parquet', async () => {
    const [server] = await makeServers();
    sealFile(server.events, [purchase('ann', '1', { p: { country: 'DE' } }), purchase('ben', '2')]);
    await server.compact();
    const path = join(server.events, 'tmp/export');
    const request = { environment: 'live', table: 'metric_events', from: null, to: null } as const;
    expect(await server.sink.export({ ...request, format: 'ndjson', path })).toBe(2);
    expect(
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        ...{ environment: 'live', name: 'purchase', u: 'ann', value: 4.99, trusted: false },
        ...{ at: '2026-11-24 11:59:59.000', received_at: '2026-11-24 12:00:00.000' },
        ...{ day: '2026-11-24', eid: '1', attributes: { country: 'DE' } },
      },
      expect.objectContaining({ u: 'ben', attributes: null }),
    ]);
    await server.sink.export({ ...request, format: 'csv', path });
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
    const none = { ...request, from: '2026-11-25', format: 'ndjson', path } as const;
    expect(await server.sink.export(none)).toBe(0);
  });
});
