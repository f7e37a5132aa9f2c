/** Two nodes: each counts the requests that it rejected itself, and says which node it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rejections } from '../../../src/contract/operations/health/rejections.js';
import { eventually } from '../../support/eventually.js';
import { startNode } from '../../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

describe.skipIf(!hasPostgres)('rejected requests of a fleet', () => {
  let [osaka, tokyo]: LoadoutServer[] = [];
  let game: Environment;
  beforeAll(async () => {
    const url = await freshDatabase();
    osaka = await startNode({ name: 'osaka', url });
    tokyo = await startNode({ name: 'tokyo', url });
    game = await makeEnvironment(osaka);
  });
  afterAll(async () => {
    await Promise.all([osaka?.stop(), tokyo?.stop()]);
  });

  async function rejections(node: LoadoutServer | undefined): Promise<Rejections> {
    return (await node?.admin('GET', `${game.path}/rejections`))?.json;
  }

  it('are those of the node that is asked', async () => {
    if (osaka === undefined || tokyo === undefined) throw new Error('a node did not start');
    await eventually('the key is served by both', 10_000, async () => {
      return (await game.on(tokyo as LoadoutServer).catalog()).status === 200;
    });
    for (let at = 0; at < 3; at += 1) await game.on(osaka).plain('missing');
    await game.on(tokyo).plain('elsewhere');
    const counted = (node: LoadoutServer, isThere: (all: Rejections) => boolean) =>
      eventually('the rejected requests were reported', 20_000, async () => {
        const all = await rejections(node);
        return isThere(all) && all.nodes === 2 ? all : null;
      });
    const ofOsaka = await counted(osaka, ({ reasons }) => reasons[0]?.count === 3);
    expect(ofOsaka).toMatchObject({ node: 'osaka', nodes: 2, rejected: 3 });
    expect(ofOsaka.reasons.map(({ content }) => content)).toEqual(['missing']);
    const ofTokyo = await counted(tokyo, ({ reasons }) =>
      reasons.some(({ content }) => content === 'elsewhere'),
    );
    expect(ofTokyo.node).toBe('tokyo');
    expect(ofTokyo.reasons.map(({ content }) => content)).not.toContain('missing');
    const history = await tokyo.admin('GET', '/admin/v1/health/history');
    expect(history.json.node).toBe('tokyo');
  });
});
