/** A server that begins to follow over a slow way, while texts that it has yet to ask for are edited. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { counted } from '../../support/fleet/fleet.js';
import { FollowTree, startFollower } from '../../support/fleet/follow-tree.js';
import { expectDone } from '../../support/server/environment.js';
import { MovingClock } from '../../support/server/moving-clock.js';
import { makeDataFolder } from '../../support/server/server.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

const minute = 60_000;
/** More than is asked for at once: what comes after it is asked for when it is there, ten seconds later. */
const largeBytes = 6_500_000;
const slow = { delayMs: 100, bytesPerSecond: 700_000 };

it('gets every text that was named to it, also those that were replaced minutes before it asks for them', async () => {
  const clock = new MovingClock(makeDataFolder());
  const tree = await FollowTree.start(null, undefined, { clock });
  // Nobody has asked the third level for anything, so it has nothing at hand but what is in its published.db.
  const proxy = await TcpProxy.start(Number(new URL(tree.leaf.followUrl).port));
  try {
    await tree.game.put('a-large', randomText(largeBytes));
    await tree.game.put('b-medium', randomText(200_000));
    await tree.edit('?wait=fleet');
    proxy.slow(slow);
    const starting = startFollower({
      ...{ name: 'far', token: tree.token, parents: [`http://${proxy.address}`], clock },
    });
    await eventually('the large text is on its way', 20_000, () => proxy.bytesBack > 200_000);
    await tree.game.put('b-medium', randomText(200_000));
    await tree.edit('?wait=fleet');
    clock.move(10 * minute);
    await tree.edit('?wait=fleet');
    expect(proxy.bytesBack).toBeLessThan(largeBytes);
    const far = await starting;
    await proxy.mend();
    for (const id of ['a-large', 'b-medium', counted]) {
      const { text } = expectDone(await tree.game.plain(id));
      await eventually(`${id} is served as the root serves it`, 30_000, async () => {
        return (await tree.game.on(far).plain(id)).text === text;
      });
    }
    await far.stop();
  } finally {
    await tree.stop();
    await proxy.close();
  }
}, 120_000);

function randomText(bytes: number): string {
  return JSON.stringify(randomBytes(bytes).toString('base64'));
}
