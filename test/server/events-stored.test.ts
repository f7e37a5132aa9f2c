/** What becomes of event files: stored by the analysis process, exported, and forgotten, as an operator sees it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { TestCollector } from '../support/events/collector.js';
import { eventually } from '../support/eventually.js';
import { runLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { ownerToken } from '../support/server/server-process.js';

const r = Date.now() - 1_000;
const day = new Date(r).toISOString().slice(0, 10);

function metricLine(u: string, eid: string, env = 'live'): string {
  return JSON.stringify({ r, env, u, k: 0, e: { t: 'metric', n: 'level', x: 3, at: r, eid } });
}

function sealFile(data: string, name: string, lines: readonly string[]): void {
  mkdirSync(join(data, 'events/sealed'), { recursive: true });
  writeFileSync(join(data, 'events/sealed', name), lines.map((line) => `${line}\n`).join(''));
}

const api = '/admin/v1';

async function status(server: LoadoutServer) {
  return (await server.admin('GET', `${api}/events`)).json;
}

describe('events that a server has received', () => {
  it('are stored, exported in each format, counted, and forgotten', async () => {
    const data = makeDataFolder();
    sealFile(data, '7-1-0.ndjson', [
      metricLine('ann', '1'),
      metricLine('ann', '1'),
      metricLine('ben', '2'),
      'no event',
    ]);
    const server = await startServer({ data });
    await server.admin('POST', `${api}/environments`, { id: 'live' });
    await eventually('the file is stored', 30_000, async () => {
      return (await status(server)).sinceStart.events > 0;
    });
    expect(await status(server)).toMatchObject({
      ...{ to: 'local', state: 'ok', waiting: { files: 0 } },
      sinceStart: { events: 3, metricEvents: 3, unreadable: 1, filesSetAside: 1 },
    });
    expect(readdirSync(join(data, 'events/damaged'))).toEqual(['7-1-0.ndjson']);
    const names = await server.admin('GET', `${api}/environments/live/events/names`);
    expect(names.json).toEqual({ names: ['level'], namesCut: false });
    const exported = `${api}/environments/live/events/export?table=metric_events`;
    const lines = (await server.admin('GET', exported)).text;
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ u: 'ann', name: 'level', value: 3, day, attributes: null }),
      expect.objectContaining({ u: 'ben' }),
    ]);
    const csv = (await server.admin('GET', `${exported}&format=csv&from=${day}`)).text;
    expect(csv.split('\n')).toHaveLength(4);
    const parquet = await server.admin('GET', `${exported}&format=parquet`);
    writeFileSync(join(data, 'copy.parquet'), parquet.bytes);
    const connection = await (await DuckDBInstance.create()).connect();
    const read = await connection.runAndReadAll(`SELECT u FROM '${data}/copy.parquet' ORDER BY u`);
    expect(read.getRows()).toEqual([['ann'], ['ben']]);
    const none = (await server.admin('GET', `${exported}&to=2020-01-01`)).text;
    expect(none).toBe('');

    const forget = `${api}/environments/live/events/forget`;
    expect((await server.admin('POST', forget, { u: 'ann' })).json).toEqual({ rows: 1 });
    expect((await server.admin('GET', exported)).text).not.toContain('ann');
    expect(readFileSync(join(data, 'events/damaged/7-1-0.ndjson'), 'utf8')).not.toContain('ann');
    const metrics = (await server.admin('GET', '/metrics')).text;
    expect(metrics).toContain('loadout_events_rows{table="metric_events"} 3');
    const audit = (await server.admin('GET', `${api}/audit`)).text;
    expect(audit).toContain('events.forget');
    expect(audit).not.toContain('ann');
    expect(await server.stop()).toMatchObject({ code: 0 });
    expect(existsSync(join(data, 'events/sealed/7-1-0.ndjson'))).toBe(false);
  });

  it('outlive their environment, and are exported and forgotten by its id', async () => {
    const data = makeDataFolder();
    sealFile(data, '7-1-0.ndjson', [metricLine('ann', '1'), metricLine('ben', '2')]);
    const server = await startServer({ data });
    await server.admin('POST', `${api}/environments`, { id: 'live' });
    const deleted = await server.admin('DELETE', `${api}/environments/live`);
    expect(deleted.status).toBe(200);
    const events = `${api}/environments/live/events`;
    const lines = async () =>
      (await server.admin('GET', `${events}/export?table=metric_events`)).text.trim().split('\n');
    expect((await lines()).map((line) => JSON.parse(line).u)).toEqual(['ann', 'ben']);
    const forget = (u: string) => server.admin('POST', `${events}/forget`, { u });
    expect((await forget('ann')).json).toEqual({ rows: 1 });
    expect(await lines()).toHaveLength(1);
    // Neither there nor known by its events.
    expect((await forget('nobody')).json.code).toBe('environment_not_found');
    const exported = await server.admin('GET', `${api}/environments/never/events/export`);
    expect(exported.json.code).toBe('environment_not_found');
  });

  it('are not asked for where none are taken', async () => {
    const server = await startServer({ flags: ['--events-to', 'off'] });
    await server.admin('POST', `${api}/environments`, { id: 'live' });
    expect(await status(server)).toMatchObject({ to: 'off', state: 'off' });
    const exported = await server.admin('GET', `${api}/environments/live/events/export`);
    expect([exported.status, exported.json.code]).toEqual([409, 'events_off']);
  });

  it('wait while the collector is away, and are sent when it is back', async () => {
    const collector = await TestCollector.start();
    collector.behave = () => 500;
    const data = makeDataFolder();
    sealFile(data, '7-1-0.ndjson', [metricLine('ann', '1')]);
    const flags = ['--events-to', collector.url, '--events-store-seconds', '1'];
    const server = await startServer({ data, flags });
    await server.admin('POST', `${api}/environments`, { id: 'live' });
    await eventually('it says so', 30_000, async () => {
      return (await status(server)).state === 'sink_unavailable';
    });
    expect(await status(server)).toMatchObject({
      ...{ to: 'http', detail: 'The collector responds with 500: not now' },
      waiting: { files: 1 },
    });
    expect(server.stderr).not.toContain('secret');
    const exported = await server.admin('GET', `${api}/environments/live/events/export`);
    expect([exported.status, exported.json.code]).toEqual([409, 'events_off']);
    collector.behave = () => 200;
    await eventually('it is sent', 60_000, () => collector.rows.length > 0);
    expect(collector.rows).toEqual([
      expect.objectContaining({ table: 'metric_events', u: 'ann', eid: '1' }),
    ]);
    await eventually('it is well', 10_000, async () => (await status(server)).state === 'ok');
  });

  it('are looked after from the command line', async () => {
    const data = makeDataFolder();
    sealFile(data, '7-1-0.ndjson', [metricLine('ann', '1'), metricLine('ben', '2')]);
    const server = await startServer({ data, flags: ['--events-store-seconds', '1'] });
    await server.admin('POST', `${api}/environments`, { id: 'live' });
    const env = { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken, LOADOUT_ENV: 'live' };
    const loadout = (...args: string[]) => runLoadout(['events', ...args], { env });
    await eventually('both are stored', 30_000, async () => {
      return (await loadout('status')).stdout.includes('0 exposures, 2 metric events');
    });
    expect((await loadout('names')).stdout).toBe('level\n');
    const out = join(data, 'copy.ndjson');
    const copied = await loadout('export', '--table', 'metric_events', '--out', out);
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringMatching(/^Exported/)]);
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(await loadout('export', '--out', out)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is there already/),
    });
    expect(await loadout('forget', 'ann')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be undone.*--yes/),
    });
    expect(await loadout('forget', 'ann', '--yes')).toMatchObject({ stdout: 'Removed 1 row.\n' });
    expect(JSON.parse((await loadout('status', '--json')).stdout)).toMatchObject({ to: 'local' });
  });
});
