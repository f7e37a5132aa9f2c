/** Events of a fleet: each server stores what it has received in the database that all of them share. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startNode } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { makeDataFolder } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';

const received = Date.now() - 1_000;

/** A server with an event that it has received before. */
function startWith(url: string, name: string, u: string): Promise<LoadoutServer> {
  const data = makeDataFolder();
  mkdirSync(join(data, 'events/sealed'), { recursive: true });
  const e = { t: 'metric', n: 'level', x: 1, at: received, eid: u };
  const line = JSON.stringify({ r: received, env: 'live', u, k: 0, e });
  writeFileSync(join(data, 'events/sealed/7-1-0.ndjson'), `${line}\n`);
  const flags = ['--events-to', 'postgres', '--events-store-seconds', '1'];
  return startNode({ name, url, data, flags });
}

describe.skipIf(!hasPostgres)('events of a fleet', () => {
  let nodes: readonly LoadoutServer[] = [];

  beforeAll(async () => {
    const url = await freshDatabase();
    const first = await startWith(url, 'a', 'ann');
    await first.admin('POST', '/admin/v1/environments', { id: 'live' });
    nodes = [first, await startWith(url, 'b', 'ben')];
  });

  async function users(node: LoadoutServer): Promise<readonly string[]> {
    const path = '/admin/v1/environments/live/events/export?table=metric_events';
    const { text } = await node.admin('GET', path);
    const lines = text.trim() === '' ? [] : text.trim().split('\n');
    return lines.map((line) => JSON.parse(line).u).sort();
  }

  it('are the same whichever server is asked, and forgotten through any', async () => {
    for (const node of nodes) {
      await eventually('all are stored', 60_000, async () => (await users(node)).length === 2);
      expect(await users(node)).toEqual(['ann', 'ben']);
    }
    const [first, second] = nodes as [LoadoutServer, LoadoutServer];
    const forget = '/admin/v1/environments/live/events/forget';
    expect((await second.admin('POST', forget, { u: 'ann' })).json).toEqual({ rows: 1 });
    expect(await users(first)).toEqual(['ben']);
    const { json } = await first.admin('GET', '/admin/v1/events');
    expect(json).toMatchObject({ to: 'postgres', state: 'ok', stored: null });
  });
});
