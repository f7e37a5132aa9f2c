/** The environment that the providers evaluate: one content for each thing that cases.ts asks about. */
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import type { RunningServer } from '../support/server/server-process.js';

const kinds = `{
  "on": true, "off": false, "title": "Æther \\"gold\\"", "empty": "",
  "gems": 100, "zero": 0, "ratio": 0.25, "five": 5.0, "serial": 9007199254740993,
  "starter": { "price": 499, "deep": [1, { "a": null }] },
  "list": [1, 2], "nothing": null,
  "a/b": "slash", "m~n": "tilde", "größe": "XL", "two words": "space"
}`;
const kindsFlags = [
  ...[
    '/on',
    '/off',
    '/title',
    '/empty',
    '/gems',
    '/zero',
    '/ratio',
    '/five',
    '/serial',
    '/starter',
  ],
  ...['/starter/price', '/starter/deep/1', '/list', '/nothing', '/absent'],
  ...['/a~1b', '/m~0n', '/größe', '/two words'],
];

const regulars = { segment: 'regulars', when: { level: { $gte: 10 } }, merge: { price: 399 } };
const priceTest = {
  segment: 'price-test',
  when: {},
  variants: [{ name: 'low', groups: [0, 999], merge: { price: 299 } }],
};
const deeperTest = {
  ...priceTest,
  variants: [{ name: 'low', groups: [0, 999], merge: { price: 199 } }],
};
const flags = ['/price'];

/** Makes it in an environment of its own, all of it listed in bulk evaluations. */
export async function makeGame(server: RunningServer): Promise<Environment> {
  const game = await makeEnvironment(server);
  const text = '{ "price": 499 }';
  await game.put('kinds', kinds, { flags: kindsFlags });
  await game.put('pair', '{ "a": 1, "b": [true] }', { flags: [''] });
  await game.put('motd', '"Welcome"', { flags: [''] });
  await game.put('aimed', text, { mapping: [regulars], flags });
  await game.put('tested', text, { mapping: [priceTest], flags });
  await game.put('stacked', text, { mapping: [regulars, deeperTest], flags });
  await game.put('lines', '{ "price": 10 }', { flags });
  expectDone(await game.tryPut('lines', { text: '{ "price": 20 }', appVersion: '2.0.0' }));
  return game;
}
