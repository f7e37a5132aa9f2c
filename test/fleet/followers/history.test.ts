/** A tree of servers whose database is restored to an earlier state, and one with followers that do not read what they ask for. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { FollowTree } from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres, startPostgres } from '../../support/postgres/postgres.js';

// Made for each of them, what they ask for at once would be seven times as much.
const slowFollowers = 240;
const bytesMax = 96 * 1024 * 1024;

describe.skipIf(!hasPostgres)('a tree of servers', () => {
  it('serves what a restored database has, under numbers that were never given out', async () => {
    const postgres = await startPostgres();
    const database = new URL(await postgres.createDatabase()).pathname.slice(1);
    const tree = await FollowTree.start(postgres.url(database));
    try {
      const kept = tree.written;
      await postgres.query(`alter database ${database} with allow_connections false`);
      await postgres.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      );
      await eventually('nobody is connected', 10_000, async () => {
        const left = await postgres.query(
          `select 1 from pg_stat_activity where datname = '${database}'`,
        );
        return left.length === 0;
      });
      await postgres.query(`create database restored template ${database} owner loadout`);
      await postgres.query(`alter database ${database} with allow_connections true`);
      await eventually('the root takes edits again', 20_000, async () => {
        return (await tree.game.tryPut('lost', { text: '{"number":-1}' })).status === 200;
      });
      for (let edits = 0; edits < 10; edits += 1) await tree.edit();
      const { sequence: newest } = await tree.edit('?wait=fleet');
      await tree.served();

      await postgres.query(`drop database ${database} with (force)`);
      await postgres.query(`alter database restored rename to ${database}`);
      await eventually('the third level serves what the restored one has', 30_000, async () => {
        return (await tree.read(tree.leaf)) === kept;
      });
      const leaf = tree.game.on(tree.leaf);
      expect((await leaf.plain('lost')).status).toBe(404);
      const { sequence, fleet } = await tree.edit('?wait=fleet');
      expect(sequence).toBeGreaterThan(newest);
      expect(fleet.missing).toEqual([]);
      expect(await tree.read(tree.leaf)).toBe(tree.written);
    } finally {
      await tree.stop();
      await postgres.end();
    }
  }, 180_000);

  it('has a bounded part of its memory for followers that read nothing', async () => {
    const tree = await FollowTree.start(await freshDatabase());
    const sockets: Socket[] = [];
    try {
      // Random text does not compress: each response is larger than what the kernel takes of it.
      const text = (): string =>
        Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join('');
      for (let item = 0; item < 8; item += 1) {
        await tree.game.put(`item-${item}`, JSON.stringify({ text: text() }));
      }
      const { json } = await tree.game.on(tree.root).catalog();
      expect(Object.keys(json.catalog)).toHaveLength(9);
      const digests = await digestsOf(tree);
      const before = residentBytes(tree.root.pid);
      const { hostname, port } = new URL(tree.root.followUrl);
      for (let at = 0; at < slowFollowers; at += 1) {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.pause();
        const body = JSON.stringify({ digests });
        socket.write(
          `POST /follow/v1/bodies HTTP/1.1\r\nHost: root\r\nX-Loadout-Follow: 1\r\n` +
            `Authorization: Bearer ${tree.token.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }
      await pause(3_000);
      expect(residentBytes(tree.root.pid) - before).toBeLessThan(bytesMax);
      const { fleet } = await tree.edit('?wait=fleet');
      expect(fleet).toEqual({ acknowledged: 2, missing: [] });
    } finally {
      for (const socket of sockets) socket.destroy();
      await tree.stop();
    }
  }, 120_000);
});

/** Of the texts of all contents, as the root names them. */
async function digestsOf(tree: FollowTree): Promise<string[]> {
  const response = await fetch(new URL('/follow/v1/changes?everything=1', tree.root.followUrl), {
    headers: { authorization: `Bearer ${tree.token.token}`, 'x-loadout-follow': '1' },
  });
  return [...(await response.text()).matchAll(/"digest":"([0-9a-f]{64})"/g)].map(
    ([, digest]) => digest as string,
  );
}

function residentBytes(pid: number): number {
  const [, kilobytes = ''] =
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
