/*
 * Goal: what `evaluate` shows an author is what delivery answers, byte for byte.
 * Method: every caller is asked of both, over a content in which conditions, variants, lines, a window and a mutation
 * that cannot apply all take part.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../support/environment.js';
import { type LoadoutServer, startServer } from '../support/server.js';

let server: LoadoutServer;
let game: Environment;

const mapping = `[
  { "segment": "eu", "when": { "country": { "$in": ["DE", "FR"] } }, "info": "tag",
    "merge": { "price": 1.50, "big": 9007199254740993 } },
  { "segment": "test", "when": {}, "salt": "s",
    "variants": [ { "name": "control", "groups": [0, 499] },
                  { "name": "more", "groups": [500, 999], "patch": [{ "op": "replace", "path": "/gems", "value": 150 }] } ] },
  { "segment": "missing", "when": { "country": "FR" }, "patch": [{ "op": "remove", "path": "/only-new" }] },
  { "segment": "over", "when": {}, "until": "2020-01-01T00:00:00Z", "merge": { "gone": true } }
]`;

beforeAll(async () => {
  server = await startServer();
  game = await makeEnvironment(server);
  await game.put('shop', '{ "price": 1e2, "gems": 100, "é": "\\ud83d\\ude00" }');
  await game.put('shop', '{ "price": 2, "gems": 7, "only-new": 1 }', {
    appVersion: '2.0.0',
    mapping,
  });
});

afterAll(async () => {
  await server.stop();
});

const callers = ['', 'player-1', 'player-2', 'Ünïcode'].flatMap((u) =>
  [{}, { country: 'DE' }, { country: 'FR' }].flatMap((p) =>
    [null, '1.0.0', '2.1.0'].map((v) => ({ u, p, v })),
  ),
);

describe('evaluate', () => {
  it.each(callers)('answers as delivery does for $u $p $v', async (caller) => {
    const delivered = await game.ask('POST', '/api/v1/config/shop/dynamic', JSON.stringify(caller));
    expect(delivered.status).toBe(200);
    const evaluated = expectDone(
      await server.admin('POST', `${game.path}/evaluate`, {
        id: 'shop',
        u: caller.u,
        p: caller.p,
        ...(caller.v === null ? {} : { v: caller.v }),
      }),
    );
    // The answer stands in the reply as it was delivered, number lexemes and all.
    expect(evaluated.text).toContain(`"answer":${delivered.text}`);
  });
});
