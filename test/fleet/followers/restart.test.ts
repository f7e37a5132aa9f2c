/** What an edit waits for when a server of a tree was restarted: the followers that it had, for a while, and no longer. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeLiveMs } from '../../../src/management/limits/fleet.js';
import { eventually } from '../../support/eventually.js';
import {
  type FleetJson,
  FollowToken,
  FollowTree,
  followedFlags,
  startFollower,
} from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { expectDone, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

describe.skipIf(!hasPostgres)('a tree of servers whose middle was restarted', () => {
  let tree: FollowTree;
  let proxy: TcpProxy;
  beforeEach(async () => {
    tree = await FollowTree.start(await freshDatabase(), async (name, url) => {
      if (name === 'middle') return [url];
      proxy = await TcpProxy.start(Number(new URL(url).port));
      return [`http://${proxy.address}`];
    });
    await tree.waited();
  });
  afterEach(async () => {
    await tree?.stop();
    await proxy?.close();
  });

  /**
   * In order, or not; the root lists it again when this resolves.
   * @returns when it was not yet started, performance.now()
   */
  async function restartMiddle(how: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const { data, followUrl } = tree.middle;
    tree.middle.signal(how);
    await tree.middle.exit;
    const [startedAtMs, startedMs] = [Date.now(), performance.now()];
    tree.middle = await startFollower({
      ...{ name: 'middle', token: tree.token, data, parents: [tree.root.followUrl] },
      followPort: Number(new URL(followUrl).port),
    });
    await eventually('the middle has reported', nodeLiveMs, async () => {
      const { nodes } = (await tree.root.admin('GET', '/admin/v1/nodes')).json;
      return nodes.some(
        ({ name, seenAt }: { readonly name: string; readonly seenAt: string }) =>
          name === 'middle' && Date.parse(seenAt) > startedAtMs,
      );
    });
    return startedMs;
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s waits for the third level while it is cut off, and not for longer than for any other',
    async (how) => {
      const before = await tree.read(tree.leaf);
      await proxy.cut();
      const startedMs = await restartMiddle(how);
      const waited = tree.edit('?wait=fleet');
      await eventually('the root says that the middle is behind', nodeLiveMs, async () => {
        const { nodes } = (await tree.root.admin('GET', '/admin/v1/nodes')).json;
        const middle = nodes.find(({ name }: { readonly name: string }) => name === 'middle');
        return middle.live && middle.lag > 0 && middle.behindBelow?.includes('leaf');
      });
      const { fleet } = await waited;
      // Either time is up first: that of the edit, or that of a follower which has not reported.
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(nodeLiveMs);
      if (fleet.missing.length > 0) {
        expect(fleet.missing.map(({ name }) => name)).toContain('middle');
      }
      expect(await tree.read(tree.leaf)).toBe(before);
      await eventually('nobody waits for the third level', 2 * nodeLiveMs, async () => {
        const { missing } = (await tree.edit('?wait=fleet')).fleet;
        return missing.length === 0;
      });
      expect(await tree.read(tree.leaf)).toBe(before);
      expect(await tree.read(tree.middle)).toBe(tree.written);
      await proxy.mend();
      await tree.served();
    },
    120_000,
  );

  it('waits only until the third level has reported where that is well', async () => {
    await restartMiddle('SIGTERM');
    const { fleet } = await tree.edit('?wait=fleet');
    expect(fleet).toEqual({ acknowledged: 2, missing: [] });
    expect(await tree.read(tree.leaf)).toBe(tree.written);
    await tree.leaf.stop();
    await restartMiddle('SIGTERM');
    const startedMs = performance.now();
    const later = await tree.edit('?wait=fleet');
    expect(later.fleet).toEqual({ acknowledged: 2, missing: [] });
    expect(performance.now() - startedMs).toBeLessThan(nodeLiveMs / 2);
  }, 120_000);
});

describe('a server with the embedded store', () => {
  it('names a follower that was cut off before a restart, and waits for it when it is back', async () => {
    const token = new FollowToken();
    const data = makeDataFolder();
    let root = await startServer({ data, listeners: 1, flags: followedFlags(token) });
    const { path } = await makeEnvironment(root);
    const { port } = new URL(root.followUrl);
    const proxy = await TcpProxy.start(Number(port));
    const parents = [`http://${proxy.address}`];
    const follower = await startFollower({ name: 'follower', token, parents });
    const edit = async (): Promise<FleetJson> => {
      const edited = await root.admin('PUT', `${path}/contents/x?wait=fleet`, { text: '1' });
      return expectDone(edited).json.fleet;
    };
    const isWaitedFor = async (): Promise<boolean> => {
      const { acknowledged, missing } = await edit();
      return acknowledged === 2 && missing.length === 0;
    };
    try {
      await eventually('the follower is waited for', nodeLiveMs, isWaitedFor);
      const file = join(data, 'followers.json');
      await eventually('the follower is in the file', nodeLiveMs, () => {
        return existsSync(file) && readFileSync(file, 'utf8').includes('"follower"');
      });
      await proxy.cut();
      root.signal('SIGKILL');
      await root.exit;
      const flags = followedFlags(token, Number(port));
      root = await startServer({ data, listeners: 1, flags });
      const { acknowledged, missing } = await edit();
      expect([acknowledged, missing.map(({ name }) => name)]).toEqual([1, ['follower']]);
      expect(await edit()).toEqual({ acknowledged: 1, missing: [] });
      await proxy.mend();
      await eventually('the follower is waited for again', nodeLiveMs, isWaitedFor);
    } finally {
      await follower.stop();
      await root.stop();
      await proxy.close();
    }
  }, 120_000);
});
