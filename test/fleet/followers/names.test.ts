/** Three levels of servers, the third behind or away: the first names it, although it knows its direct followers only. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeLiveMs } from '../../../src/management/limits/fleet.js';
import { eventually } from '../../support/eventually.js';
import { FollowTree } from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { childrenOf } from '../../support/server/process-tree.js';
import { runLoadout } from '../../support/server/run-loadout.js';
import { ownerToken } from '../../support/server/server-process.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

const named = /^middle .* live; servers below it that are away or behind: leaf$/m;

describe.skipIf(!hasPostgres)('a server of the third level', () => {
  let tree: FollowTree;
  let proxy: TcpProxy;
  beforeAll(async () => {
    tree = await FollowTree.start(await freshDatabase(), async (name, url) => {
      if (name === 'middle') return [url];
      proxy = await TcpProxy.start(Number(new URL(url).port));
      return [`http://${proxy.address}`];
    });
    await tree.waited();
  });
  afterAll(async () => {
    await tree?.stop();
    await proxy?.close();
  });

  async function listed(): Promise<string> {
    const env = { LOADOUT_URL: tree.root.adminUrl, LOADOUT_TOKEN: ownerToken };
    return (await runLoadout(['nodes'], { env })).stdout;
  }

  it('is named while its delivery processes hang, by the edit that waited for it as well', async () => {
    expect(await listed()).toMatch(/^middle .* live$/m);
    const held = childrenOf(tree.leaf.pid);
    for (const pid of held) process.kill(pid, 'SIGSTOP');
    try {
      const waited = tree.edit('?wait=fleet');
      await eventually('it is named', nodeLiveMs, async () => named.test(await listed()));
      const { missing } = (await waited).fleet;
      expect(missing.find(({ name }) => name === 'middle')?.behindBelow).toEqual(['leaf']);
    } finally {
      for (const pid of held) process.kill(pid, 'SIGCONT');
    }
    await tree.served();
    await eventually('it is not named', nodeLiveMs, async () => !named.test(await listed()));
  }, 60_000);

  it('is named while it is cut off, also when nobody waits for it any more', async () => {
    await proxy.cut();
    await tree.edit();
    await eventually('it is named', nodeLiveMs, async () => named.test(await listed()));
    await eventually('nobody waits for it', 2 * nodeLiveMs, async () => {
      const { missing } = (await tree.edit('?wait=fleet')).fleet;
      return missing.length === 0;
    });
    expect(await listed()).toMatch(named);
    await proxy.mend();
    await tree.served();
    await eventually('it is not named', nodeLiveMs, async () => !named.test(await listed()));
  }, 60_000);
});
