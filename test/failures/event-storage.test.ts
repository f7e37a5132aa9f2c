/**
 * The analysis process may be killed at any moment, may hang, and may find its disk full: no event is lost, none is stored
 * twice, and neither delivery nor the admin API notices.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.js';
import { seededRandom } from '../support/seeded-random.js';
import { childrenOf, isAlive } from '../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { SmallDisk } from '../support/server/small-disk.js';

const flags = ['--events-store-seconds', '1'];
const received = Date.now() - 60_000;

/** As a delivery process seals it: whole or not at all. */
function sealFile(data: string, number: number, events: number): void {
  const folder = join(data, 'events/sealed');
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: events }, (_, at) => {
    const e = { t: 'metric', n: 'level', x: 1, at: received, eid: `${number}-${at}` };
    return `${JSON.stringify({ r: received, env: 'live', u: `user-${at}`, k: 0, e })}\n`;
  });
  const scratch = join(data, 'events', `${number}.new`);
  writeFileSync(scratch, lines.join(''));
  renameSync(scratch, join(folder, `7-1-${number}.ndjson`));
}

/** Rows in Parquet files, before any query drops those that are there twice. */
async function storedRows(data: string) {
  const connection = await (await DuckDBInstance.create()).connect();
  const files = `${data}/events/parquet/metric_events/*/*/*.parquet`;
  const read = await connection.runAndReadAll(
    `SELECT count(*)::INT AS rows, count(DISTINCT eid)::INT AS events FROM read_parquet('${files}')`,
  );
  return read.getRowObjects()[0];
}

function analysisProcess(server: LoadoutServer): number | undefined {
  return childrenOf(server.pid).find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('analysis-process.js');
    } catch {
      return false;
    }
  });
}

async function status(server: LoadoutServer) {
  return (await server.admin('GET', '/admin/v1/events')).json;
}

async function untilStored(server: LoadoutServer): Promise<void> {
  await eventually('everything is stored', 90_000, async () => {
    return (await status(server)).waiting.files === 0;
  });
}

describe('the analysis process', () => {
  it('loses no event and stores none twice, however often it is killed', async () => {
    const data = makeDataFolder();
    for (let number = 0; number < 40; number++) sealFile(data, number, 20_000);
    const server = await startServer({ data, flags });
    const random = seededRandom(20_261_124);
    let kills = 0;
    for (let tries = 0; tries < 400 && kills < 6; tries++) {
      await pause(50 + random() * 400);
      const pid = analysisProcess(server);
      if (pid === undefined) continue;
      process.kill(pid, 'SIGKILL');
      kills += 1;
    }
    expect(kills).toBe(6);
    await untilStored(server);
    expect(await storedRows(data)).toEqual({ rows: 800_000, events: 800_000 });
    expect((await status(server)).sinceStart).toMatchObject({ filesSetAside: 0 });
    expect(readdirSync(join(data, 'events/pending'))).toEqual([]);
    expect(childrenOf(server.pid).every(isAlive)).toBe(true);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('is ended when it hangs, and another one goes on', async () => {
    const data = makeDataFolder();
    sealFile(data, 0, 10);
    const server = await startServer({ data, flags });
    await untilStored(server);
    const pid = analysisProcess(server) ?? 0;
    process.kill(pid, 'SIGSTOP');
    sealFile(data, 1, 10);
    await untilStored(server);
    expect(isAlive(pid)).toBe(false);
    expect(await storedRows(data)).toEqual({ rows: 20, events: 20 });
    expect(server.stderr).toContain('analysis_process_ended');
  });

  it('ends with a server that is killed, and the next one goes on', async () => {
    const data = makeDataFolder();
    for (let number = 0; number < 20; number++) sealFile(data, number, 20_000);
    const server = await startServer({ data, flags });
    const pid = await eventually('it works', 30_000, () => analysisProcess(server));
    server.signal('SIGKILL');
    await server.exit;
    await eventually('it has ended', 10_000, () => !isAlive(pid));
    const next = await startServer({ data, flags });
    await untilStored(next);
    expect(await storedRows(data)).toEqual({ rows: 400_000, events: 400_000 });
  });

  it('leaves events where they are while the disk is full', async ({ skip }) => {
    const disk = SmallDisk.mount(64);
    if (disk === null) return skip('no tmpfs may be mounted here');
    onTestFinished(() => disk.unmount());
    const data = join(disk.path, 'data');
    const server = await startServer({ data, flags: [...flags, '--events-bytes-max', '67108864'] });
    sealFile(data, 0, 100_000);
    disk.fill(64 * 1024);
    await eventually('it says so', 60_000, async () => {
      return (await status(server)).state === 'disk_full';
    });
    expect((await server.admin('GET', '/readyz')).status).toBe(200);
    disk.empty();
    await untilStored(server);
    // The files are gone a moment before the server hears that they are stored.
    const { detail } = await eventually('it says so', 10_000, async () => {
      const now = await status(server);
      return now.state === 'ok' && now;
    });
    expect(detail).toBeNull();
    expect(await storedRows(data)).toEqual({ rows: 100_000, events: 100_000 });
  });
});
