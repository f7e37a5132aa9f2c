/** What `?wait=fleet` waits for: every server that lives, and none that ended; one that hangs is named. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { contentPath, TestFleet } from '../../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { makeKey } from '../../support/server/environment.js';
import { childrenOf } from '../../support/server/process-tree.js';

interface FleetJson {
  readonly acknowledged: number;
  readonly missing: readonly { name: string }[];
}

describe.skipIf(!hasPostgres)('an edit that waits for the fleet', () => {
  let fleet: TestFleet;
  beforeAll(async () => {
    fleet = await TestFleet.start({ url: await freshDatabase() });
  });

  async function editOfAll(at: number): Promise<FleetJson> {
    const answer = await fleet.tryEdit(at, '?wait=fleet');
    expect(answer.status, answer.text).toBe(200);
    return answer.json.fleet;
  }

  it('is answered when every node serves it, which is soon', async () => {
    for (const at of [0, 1, 2]) {
      const startedMs = performance.now();
      expect(await editOfAll(at)).toEqual({ acknowledged: 3, missing: [] });
      const reads = await Promise.all([0, 1, 2].map((other) => fleet.read(other)));
      expect(reads).toEqual([fleet.written, fleet.written, fleet.written]);
      expect(performance.now() - startedMs).toBeLessThan(3_000);
    }
  });

  it('lets nobody in with a key whose revocation was acknowledged', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await makeKey(fleet.node(round % 3), fleet.game.id);
      const headers = { 'x-api-key': key };
      await fleet.edit(0, '?wait=fleet');
      const before = await Promise.all(
        [0, 1, 2].map((at) => fleet.at(at).ask('POST', contentPath, {}, headers)),
      );
      expect(before.map(({ status }) => status)).toEqual([200, 200, 200]);
      const path = `${fleet.game.path}/keys/${id}?wait=fleet`;
      const revoked = await fleet.node((round + 1) % 3).admin('DELETE', path);
      expect(revoked.json.fleet).toEqual({ acknowledged: 3, missing: [] });
      const after = await Promise.all(
        [0, 1, 2].map((at) => fleet.at(at).ask('POST', contentPath, {}, headers)),
      );
      expect(after.map(({ status }) => status)).toEqual([401, 401, 401]);
    }
  });

  it('names a node that hangs after a bounded wait, and is made all the same', async () => {
    const node = fleet.node(2);
    const held = [node.pid, ...childrenOf(node.pid)];
    for (const pid of held) process.kill(pid, 'SIGSTOP');
    try {
      const startedMs = performance.now();
      const { acknowledged, missing } = await editOfAll(0);
      expect(performance.now() - startedMs).toBeLessThan(15_000);
      expect([acknowledged, missing.map(({ name }) => name)]).toEqual([2, ['c']]);
      expect(await fleet.read(1)).toBe(fleet.written);
      // Nobody waits any longer for what was not seen for ten seconds.
      await eventually('the node is not waited for', 15_000, async () => {
        const { nodes } = (await fleet.node(0).admin('GET', '/admin/v1/nodes')).json;
        return !nodes.find(({ name }: { name: string }) => name === 'c').live;
      });
      expect(await editOfAll(1)).toEqual({ acknowledged: 2, missing: [] });
    } finally {
      for (const pid of held) process.kill(pid, 'SIGCONT');
    }
    await fleet.serveAll(fleet.written);
    await eventually('it is waited for again', 10_000, async () => {
      return (await editOfAll(0)).acknowledged === 3;
    });
  }, 60_000);

  it('does not wait for a node that was ended in order', async () => {
    const stopped = fleet.nodes.pop();
    await stopped?.stop();
    const startedMs = performance.now();
    expect(await editOfAll(0)).toEqual({ acknowledged: 2, missing: [] });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    const { nodes } = (await fleet.node(0).admin('GET', '/admin/v1/nodes')).json;
    expect(nodes.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  });
});
