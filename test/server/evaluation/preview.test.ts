/*
 * Goal: a preview of 10,000 user contexts says what delivery will do, and takes under two seconds.
 * Method: a content of 13 KB with a dozen rules, previewed over HTTP by a server with its workers; then the edit is
 * published, and what some hundred of the players get before and after is compared with what was foretold.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { cpuSecondsOf } from '../../support/server/process-cpu.js';
import { sharedServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

const server = sharedServer();
let game: Environment;

const countries = ['US', 'DE', 'FR', 'JP', 'BR', 'IN'];
const text = JSON.stringify({
  items: Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [
      `item-${index}`,
      { name: `Item ${index}`, price: index * 1.5, tags: ['a', 'b'], stats: { attack: index } },
    ]),
  ),
  shop: {},
});

/** Twelve rules: every third a test of three arms, the others for segments of their own. */
function mapping(price: number): unknown[] {
  return Array.from({ length: 12 }, (_, index) => {
    if (index % 3 !== 0) {
      const when = {
        country: { $in: countries.slice(index % 5) },
        $or: [{ spend: { $gt: index * 2 } }, { '@v': { $vgte: '1.2.0' } }],
      };
      return { segment: `seg-${index}`, when, merge: { shop: { [`offer-${index}`]: index } } };
    }
    const value = price + index;
    const patch = [{ op: 'replace', path: `/items/item-${index + 20}/price`, value }];
    const variants = [
      { name: 'control', groups: [0, 299] },
      { name: 'a', groups: [300, 699], merge: { items: { [`item-${index}`]: { price: value } } } },
      { name: 'b', groups: [700, 999], patch },
    ];
    return { segment: `test-${index}`, when: { level: { $gte: 20 } }, salt: `s${index}`, variants };
  });
}

const players = Array.from({ length: 10_000 }, (_, index) => ({
  u: `player-${index}`,
  p: { country: countries[index % 6], level: index % 60, spend: (index * 7) % 40 },
  v: `1.${index % 4}.0`,
}));

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', text, { mapping: mapping(1) });
});

describe('a preview of 10,000 contexts', () => {
  it('takes under two seconds', async () => {
    const head = { id: 'shop', mapping: mapping(3) };
    const body = [head, ...players].map((line) => JSON.stringify(line)).join('\n');
    const took: number[] = [];
    for (let round = 0; round < 3; round++) {
      const begun = { ms: performance.now(), cpuSeconds: cpuSecondsOf(server.pid) };
      const answer = await send(server.adminUrl, `${game.path}/preview`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          authorization: `Bearer ${ownerToken}`,
        },
        body,
      });
      const ms = performance.now() - begun.ms;
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ contexts: 10_000, faulty: 0 });
      // It is one thread's work, so the server's CPU time is what it takes where no neighbour takes the core away.
      took.push(Math.min(ms, 1_000 * (cpuSecondsOf(server.pid) - begun.cpuSeconds)));
    }
    expect(Math.min(...took)).toBeLessThan(2_000);
  });

  it('foretells whose answer changes', async () => {
    const some = players.filter((_, index) => index % 89 === 0);
    const head = { id: 'shop', mapping: mapping(3) };
    const { json } = await send(server.adminUrl, `${game.path}/preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${ownerToken}` },
      body: [head, ...some].map((line) => JSON.stringify(line)).join('\n'),
    });
    const before: string[] = [];
    const noticed = async (player: (typeof some)[number]): Promise<string> => {
      const { data, meta } = (await game.wrapped('shop', player)).json;
      return JSON.stringify([data, meta.seg]);
    };
    for (const player of some) before.push(await noticed(player));
    await game.putMapping('shop', mapping(3));
    let changed = 0;
    for (const [index, player] of some.entries()) {
      if ((await noticed(player)) !== before[index]) changed++;
    }
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(some.length);
    expect(json.changed.contexts).toBe(changed);
  });
});
