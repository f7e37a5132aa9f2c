/** The refresh that stays open: who is told of what, and who is not. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { StreamClient, type Wake } from '../../support/stream/stream-client.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

describe('a stream', () => {
  it('sends what a refresh would, then what changes', async () => {
    await game.put('shop', '{"price":1}');
    const wakes: Wake[] = [];
    const client = new StreamClient(
      {
        origin: () => server.deliveryUrl,
        key: game.key,
        context: { u: 'a' },
        random: Math.random,
      },
      (wake) => wakes.push(wake),
    );
    client.open();
    await client.until(() => client.isUp);
    const { sequence } = await game.put('shop', '{"price":2}');
    await client.reached(sequence);
    await game.put('offer', '{"price":2}');
    await client.until(() => wakes.length === 3);
    client.close();
    expect(client.violations).toEqual([]);
    expect(wakes.map(({ changed, gone, isFirst }) => ({ changed, gone, isFirst }))).toEqual([
      { changed: ['shop'], gone: [], isFirst: true },
      { changed: ['shop'], gone: [], isFirst: false },
      { changed: ['offer'], gone: [], isFirst: false },
    ]);
  });
});
