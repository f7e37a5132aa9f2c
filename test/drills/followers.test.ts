/** The faults of servers that follow a server: a root with the embedded store, a follower, and a wire between them. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { FollowToken, followedFlags, startFollower } from '../support/fleet/follow-tree.js';
import { expectDone, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer, ServerOptions } from '../support/server/server-process.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';
import { TcpProxy } from '../support/wire/tcp-proxy.js';
import { play } from './drill.js';
import { hasPrometheus, Prometheus } from './prometheus.js';
import { SteadyLoad } from './steady-load.js';

describe.skipIf(!hasPrometheus)('a root and a follower', () => {
  const data = makeDataFolder();
  const followerData = makeDataFolder();
  const token = new FollowToken();
  let options: ServerOptions;
  let prometheus: Prometheus;
  let proxy: TcpProxy;
  let root: LoadoutServer;
  let follower: LoadoutServer;
  let load: SteadyLoad;

  beforeAll(async () => {
    prometheus = await Prometheus.start();
    const followPort = await freeLoopbackPort();
    options = {
      data,
      listeners: 1,
      flags: ['--workers', '1', ...followedFlags(token, followPort)],
    };
    root = await startServer(options);
    const game = await makeEnvironment(root);
    await game.put('shop', '{"price":0}');
    expectDone(await root.admin('POST', '/admin/v1/backup'));
    proxy = await TcpProxy.start(followPort);
    prometheus.target('root', root.adminUrl);
    await startFollowing();
    load = new SteadyLoad(game, () => [{ server: root }]);
    await prometheus.scraped();
  });

  afterAll(async () => {
    await load?.stop();
    await follower?.stop();
    await root?.stop();
    await proxy?.close();
    await prometheus?.stop();
  });

  async function startFollowing(): Promise<void> {
    const parents = [`http://${proxy.address}`];
    follower = await startFollower({ name: 'follower', parents, token, data: followerData });
    prometheus.target('follower', follower.adminUrl);
  }

  async function startRootAgain(): Promise<void> {
    const { deliveryPort, adminPort } = root;
    root = await startServer({ ...options, port: deliveryPort, adminPort });
    prometheus.target('root', root.adminUrl);
  }

  async function kill(server: LoadoutServer): Promise<void> {
    server.signal('SIGKILL');
    await server.exit;
  }

  it('loses the root', () =>
    play(prometheus, {
      part: 'a server that others follow',
      alert: 'LoadoutDown',
      fault: () => kill(root),
      end: startRootAgain,
    }));

  it('loses the root, which another Prometheus scrapes', () =>
    play(prometheus, {
      part: 'a server that others follow',
      variant: 'it is no target',
      alert: 'LoadoutParentAway',
      fault: async () => {
        prometheus.target('root', null);
        await kill(root);
      },
      end: startRootAgain,
    }));

  it('loses the way between them', () =>
    play(prometheus, {
      part: 'the way between a follower and its parent',
      alert: 'LoadoutParentAway',
      fault: () => proxy.freeze(),
      end: () => proxy.mend(),
    }));

  it('loses the follower', () =>
    play(prometheus, {
      part: 'a follower',
      alert: 'LoadoutDown',
      fault: () => kill(follower),
      end: startFollowing,
    }));

  it('loses the follower, which is no target', () =>
    play(prometheus, {
      part: 'a follower',
      variant: 'it is no target',
      alert: 'LoadoutFollowersAway',
      fault: async () => {
        prometheus.target('follower', null);
        await kill(follower);
      },
      end: startFollowing,
    }));
});
