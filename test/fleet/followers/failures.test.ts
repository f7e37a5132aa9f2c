/** What a tree of servers does while its middle is killed, hangs, is cut off or begins again, and when a token is revoked. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { contentPath } from '../../support/fleet/fleet.js';
import { FollowTree, startFollower } from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { childrenOf } from '../../support/server/process-tree.js';
import { makeDataFolder, serveUntilExit } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { type Answer, send } from '../../support/wire/exchange.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

describe.skipIf(!hasPostgres)('a tree of servers whose middle', () => {
  let tree: FollowTree;
  let proxy: TcpProxy;
  let followPort: number;
  beforeAll(async () => {
    tree = await FollowTree.start(await freshDatabase(), async (name, url) => {
      if (name === 'leaf') return [url];
      proxy = await TcpProxy.start(Number(new URL(url).port));
      return [`http://${proxy.address}`];
    });
    followPort = Number(new URL(tree.middle.followUrl).port);
  });
  afterAll(async () => {
    await tree?.stop();
    await proxy?.close();
  });

  /** In the place of the one that ended, where its followers look for it. */
  async function middleAgain(data: string): Promise<void> {
    tree.middle = await startFollower({
      ...{ name: 'middle', token: tree.token, data, followPort },
      parents: [`http://${proxy.address}`],
    });
  }

  it('is killed, goes on where it was, and is followed again', async () => {
    const { data } = tree.middle;
    tree.middle.signal('SIGKILL');
    await tree.middle.exit;
    const before = await tree.read(tree.leaf);
    await tree.edit();
    expect(await tree.read(tree.leaf)).toBe(before);
    await eventually('the third level says that its parent is away', 10_000, async () => {
      const { json } = await tree.leaf.admin('GET', '/readyz');
      return json.ready === true && json.store === 'unavailable';
    });
    await middleAgain(data);
    await tree.served();
    await tree.waited();
    expect(tree.middle.stderr).not.toContain('everything was read again');
  }, 120_000);

  it('begins again with an empty folder', async () => {
    await tree.middle.stop();
    await tree.edit();
    await middleAgain(makeDataFolder());
    await tree.served();
    await tree.waited();
  }, 120_000);

  it('hangs: it is named after a bounded wait, and nobody waits for it later', async () => {
    const held = [tree.middle.pid, ...childrenOf(tree.middle.pid)];
    for (const pid of held) process.kill(pid, 'SIGSTOP');
    try {
      const startedMs = performance.now();
      const { fleet } = await tree.edit('?wait=fleet');
      expect(performance.now() - startedMs).toBeLessThan(15_000);
      expect(fleet.missing.map(({ name }) => name)).toContain('middle');
      await eventually('it is not waited for', 20_000, async () => {
        const { nodes } = (await tree.root.admin('GET', '/admin/v1/nodes')).json;
        return !nodes.find(({ name }: { name: string }) => name === 'middle').live;
      });
      const later = await tree.edit('?wait=fleet');
      expect(later.fleet).toEqual({ acknowledged: 1, missing: [] });
    } finally {
      for (const pid of held) process.kill(pid, 'SIGCONT');
    }
    await tree.served();
    await tree.waited();
  }, 120_000);

  it.each(['cut', 'freeze'] as const)(
    'has a wire to the root that is broken (%s), and then everything it missed by its changes',
    async (how) => {
      const before = [tree.middle, tree.leaf].map(rereads);
      await proxy[how]();
      try {
        const served = await tree.read(tree.leaf);
        for (let edits = 0; edits < 20; edits += 1) await tree.edit();
        expect([await tree.read(tree.middle), await tree.read(tree.leaf)]).toEqual([
          served,
          served,
        ]);
      } finally {
        await proxy.mend();
      }
      await tree.served(30_000);
      await tree.waited();
      expect([tree.middle, tree.leaf].map(rereads)).toEqual(before);
    },
    120_000,
  );

  it('no longer accepts the token, until it does again', async () => {
    const before = tree.written;
    tree.token.revoke();
    await eventually('the middle is refused', 20_000, () =>
      tree.middle.stderr.includes('The token of --follow-token-file is not accepted'),
    );
    expect(tree.middle.stderr).not.toContain(tree.token.token);
    await tree.edit();
    expect([await tree.read(tree.middle), await tree.read(tree.leaf)]).toEqual([before, before]);
    tree.token.accept();
    await tree.served(30_000);
  }, 120_000);
});

describe.skipIf(!hasPostgres)('a server that follows', () => {
  let tree: FollowTree;
  beforeAll(async () => {
    tree = await FollowTree.start(await freshDatabase());
  });
  afterAll(() => tree?.stop());

  it('starts while its parent is away with what it has, and not without anything', async () => {
    const { data } = tree.leaf;
    await tree.leaf.stop();
    const nowhere = await TcpProxy.start(1);
    const parents = [`http://${nowhere.address}`];
    await nowhere.close();
    const started = await startFollower({ name: 'leaf', token: tree.token, data, parents });
    expect(await tree.read(started)).toBe(tree.written);
    await started.stop();
    const options = { listeners: 1, flags: followFlags(parents, tree.token.tokenFile) };
    const { code, stderr } = await serveUntilExit(options);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was published here yet');
    expect(stderr).toContain('does not respond');
    tree.leaf = await startFollower({
      ...{ name: 'leaf', token: tree.token, data, parents: [tree.middle.followUrl] },
    });
    await tree.edit();
    await tree.served();
  }, 120_000);

  it('says in words that what it follows is no port for followers, as that of an older version', async () => {
    const parents = [tree.root.adminUrl];
    const options = { listeners: 1, flags: followFlags(parents, tree.token.tokenFile) };
    const { stderr } = await serveUntilExit(options);
    expect(stderr).toContain('is no port for followers');
  });

  it('is refused in words where it speaks another protocol, or has no token', async () => {
    const ask = (protocol: string, token: string): Promise<Answer> =>
      send(tree.root.followUrl, '/follow/v1/changes?everything=1', {
        headers: { authorization: `Bearer ${token}`, 'x-loadout-follow': protocol },
      });
    const other = await ask('2', tree.token.token);
    expect(other.json).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(other.json.detail).toContain('This server speaks protocol 1');
    const stranger = await ask('1', 'lof_AAAAAAAAAAAAAAAAAAAAAAAAAAA');
    expect(stranger.json).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  it('makes a damaged published.db again from its parent', async () => {
    await tree.game.put('shop', '"what is in the shop"');
    await tree.edit('?wait=fleet');
    const text = 'what is in the shop';
    for (const name of ['published.db', 'published.db-wal']) {
      const path = join(tree.leaf.data, name);
      const bytes = readFileSync(path);
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at] = 87;
      writeFileSync(path, bytes, { flag: 'r+' });
    }
    const leaf = tree.game.on(tree.leaf);
    await eventually('the content is served again', 30_000, async () => {
      const { status, text: served } = await leaf.plain('shop');
      if (status === 200) expect(served).toBe('"what is in the shop"');
      return status === 200 && tree.leaf.stderr.includes('published.db was rebuilt');
    });
  }, 60_000);

  it('turns to its second parent when the first is gone, and serves nothing older', async () => {
    await tree.leaf.stop();
    tree.leaf = await startFollower({
      ...{ name: 'leaf', token: tree.token, data: tree.leaf.data },
      parents: [tree.middle.followUrl, tree.root.followUrl],
    });
    tree.middle.signal('SIGKILL');
    await tree.middle.exit;
    let newest = 0;
    for (let edits = 0; edits < 10; edits += 1) {
      await tree.edit();
      await eventually('the third level has it of the root', 20_000, async () => {
        const { json } = await tree.game.on(tree.leaf).ask('POST', contentPath, {});
        expect(json.number).toBeGreaterThanOrEqual(newest);
        newest = json.number;
        return newest === tree.written;
      });
    }
    rmSync(tree.middle.data, { recursive: true, force: true });
  }, 120_000);
});

/** How often a server has said that it read everything again. */
function rereads({ stderr }: LoadoutServer): number {
  return stderr.split('everything was read again').length - 1;
}

function followFlags(parents: readonly string[], tokenFile: string): string[] {
  return ['--follow', parents.join(), '--follow-token-file', tokenFile, '--events-to', 'off'];
}
