/** The contents that the SDKs fetch. */
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import type { RunningServer } from '../support/server/server-process.js';
import { mappedHash } from '../support/xxhash.js';

const mapping = [
  { segment: 'whales', info: 'promo', merge: { price: 2.5 } },
  {
    segment: 'test',
    when: {},
    variants: [
      { name: 'control', groups: [0, 109] },
      { name: 'high', groups: [110, 999], merge: { items: [] } },
    ],
  },
];
const guildMapping = [{ segment: 'zoe', when: { guild: 'Zoë 🗡' }, merge: { name: 'Zoë 🗡' } }];
const guild = '{"name":"none"}';
const whales = { spent: { $gte: 100 } };
const shop = '{"price": 1.5, /* in gems */ "items": ["sword"]}';

export const greeting = 'Grüß Gott, 世界 🎮';
export const shopHash = mappedHash('{"price":1.5,"items":["sword"]}', mapping, [
  ['whales', whales],
]);
export const guildHash = mappedHash(guild, guildMapping);

export async function makeGame(server: RunningServer): Promise<Environment> {
  const game = await makeEnvironment(server);
  await game.putSegment('whales', whales);
  await game.put('Shop', shop, { mapping });
  await game.put('motd', '"hello"');
  await game.put('greeting', JSON.stringify(greeting));
  await game.put('guild', guild, { mapping: guildMapping });
  await game.put('nothing', 'null');
  await game.put('levels', '{"line":1}', { appVersion: '1.0.0' });
  await game.put('levels', '{"line":2}', { appVersion: '2.0.0' });
  return game;
}
