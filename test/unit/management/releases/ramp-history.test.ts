import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { listRampsAt } from '../../../../src/management/store/releases/ramp-history.js';
import { minuteMs, Releases } from './harness.js';

const environment = 'dev';

it('takes as many queries after eight releases as after one', async () => {
  const releases = await Releases.start();
  const lookAt = (atMs: number) =>
    releases.store.read(async (db) => {
      let queries = 0;
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => {
          queries += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const ramps = await listRampsAt(db.withPlugin(counting), environment, atMs);
      return { queries, ramps: ramps.map(({ release, permille }) => [release, permille]) };
    });
  const run = async (id: string): Promise<{ readonly release: number; readonly atMs: number }> => {
    await releases.put(id, '1');
    await releases.draft(id, '2');
    const release = await releases.make([id], { steps: [{ percent: 20, holdMinutes: 60 }] });
    await releases.act(release, 'start');
    const { nowMs: atMs } = releases;
    releases.pass(minuteMs);
    await releases.act(release, 'stop');
    releases.pass(minuteMs);
    return { release, atMs };
  };
  const first = await run('item');
  const before = await lookAt(first.atMs);
  expect(before).toEqual({ queries: expect.any(Number), ramps: [[first.release, 200]] });
  const all = [first];
  for (let count = 1; count < 8; count++) all.push(await run('item'));
  for (const { release, atMs } of all) {
    expect(await lookAt(atMs)).toEqual({ queries: before.queries, ramps: [[release, 200]] });
    expect((await lookAt(atMs + minuteMs)).ramps).toEqual([]);
  }
});
