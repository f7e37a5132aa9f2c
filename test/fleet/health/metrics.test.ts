/** What a node shows of a shared PostgreSQL: its size, which a slow database does not hold up, and all metrics that it has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startNode } from '../../support/fleet/fleet.js';
import { differences, followMetricNames, scrape } from '../../support/metrics-page.js';
import { queryAsSuperuser } from '../../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

describe.skipIf(!hasPostgres)('a node of a shared store', () => {
  let node: LoadoutServer;
  let game: Environment;
  let url: string;
  beforeAll(async () => {
    url = await freshDatabase();
    node = await startNode({ name: 'shop', url, flags: ['--events-to', 'off'] });
    game = await makeEnvironment(node);
    await game.put('shop', '{"price":1}');
  });
  afterAll(() => node.stop());

  const absent = [
    ...['loadout_store_wal_bytes', 'loadout_events_lost_total', 'loadout_events_waiting_files'],
    ...['loadout_events_waiting_bytes', 'loadout_events_lag_seconds', 'loadout_events_rows'],
    ...['loadout_events_store_failing', 'loadout_events_store_failures'],
    ...['loadout_events_not_stored', 'loadout_events_files_set_aside'],
    ...['loadout_events_files_dropped', 'loadout_events_stored_bytes'],
    ...['loadout_analysis_jobs_waiting', 'loadout_analysis_processes_ended'],
    ...['loadout_tls_certificate_expiry_timestamp_seconds', 'loadout_tls_reload_failed'],
    ...['loadout_trace_spans_exported_total', 'loadout_trace_spans_dropped_total'],
    'loadout_trace_spans_waiting',
    ...followMetricNames,
  ];

  it('shows what docs/metrics.md lists for it', async () => {
    await game.wrapped('nothing', { u: 'ada' });
    await eventually('a rejected request was reported', 20_000, async () =>
      (await scrape(node)).metrics.has('loadout_environment_refused_total'),
    );
    const noBackup = ['timestamp_seconds', 'bytes', 'duration_seconds'].map(
      (unit) => `loadout_backup_last_success_${unit}`,
    );
    expect(differences(await scrape(node), [...absent, ...noBackup])).toEqual([]);
  });

  it('shows the size of the database, which grows with what is saved', async () => {
    const size = async () => (await scrape(node)).samples.get('loadout_store_bytes') ?? 0;
    const before = await size();
    expect(before).toBeGreaterThan(1_000_000);
    // PostgreSQL compresses what repeats itself.
    const text = JSON.stringify(Array.from({ length: 40_000 }, () => Math.random()));
    await game.put('large', text);
    await eventually('it has grown', 10_000, async () => (await size()) > before);
    const { port, pathname } = new URL(url);
    const query = 'select pg_database_size($1::name)::text as bytes';
    await eventually('it is what the database says', 10_000, async () => {
      const values = [pathname.slice(1)];
      const [row] = await queryAsSuperuser<{ bytes: string }>(Number(port), query, values);
      return Number(row?.bytes) === (await size());
    });
  });

  it('counts a backup that it has sent', async () => {
    expect((await node.admin('POST', '/admin/v1/backup')).status).toBe(200);
    const found = await eventually('it is noted', 5_000, async () => {
      const now = await scrape(node);
      return now.metrics.has('loadout_backup_last_success_bytes') ? now : null;
    });
    expect(differences(found, absent)).toEqual([]);
    const at = found.samples.get('loadout_backup_last_success_timestamp_seconds') ?? 0;
    expect(Math.abs(at - Date.now() / 1_000)).toBeLessThan(60);
  });
});
