/*
 * Goal: what `evaluate` shows an author is what delivery answers, byte for byte.
 * Method: every caller is asked of both, over a content in which conditions, variants, lines, a window and a mutation
 * that cannot apply all take part.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
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
  game = await makeEnvironment(server);
  await game.put('shop', '{ "price": 1e2, "gems": 100, "é": "\\ud83d\\ude00" }');
  await game.put('shop', '{ "price": 2, "gems": 7, "only-new": 1 }', {
    appVersion: '2.0.0',
    mapping,
  });
});

const callers = ['', 'player-1', 'player-2', 'Ünïcode'].flatMap((u) =>
  [{}, { country: 'DE' }, { country: 'FR' }].flatMap((p) =>
    [null, '', '1.0.0', '2.1.0'].map((v) => ({ u, p, v })),
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

describe('evaluate with edits that are not saved', () => {
  it('answers as delivery does once they are', async () => {
    const edit = '{ "price": 1.0e0, /* less */ "gems": 7 }';
    const mutation = '[{"segment":"eu","when":{"country":{"$ne":"US"}},"merge":{"n":1e400}}]';
    const foretold: string[] = [];
    for (const { u, p, v } of callers) {
      const body = `{"id":"shop","text":${JSON.stringify(edit)},"mapping":${mutation},"u":${JSON.stringify(u)},"p":${JSON.stringify(p)},"v":${JSON.stringify(v)}}`;
      const evaluated = expectDone(await server.admin('POST', `${game.path}/evaluate`, body));
      foretold.push(evaluated.text);
    }
    await game.put('shop', edit, { mapping: mutation });
    for (const [index, caller] of callers.entries()) {
      const delivered = await game.ask(
        'POST',
        '/api/v1/config/shop/dynamic',
        JSON.stringify(caller),
      );
      expect(foretold[index]).toContain(`"answer":${delivered.text}`);
    }
  });
});

describe('evaluate in a worker', () => {
  it('answers as delivery does where the text is large, and where the attributes are', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `{"id":${index},"price":${index}.50}`);
    await game.put('large', `{ "rows": [${rows.join(', ')}], /* many */ "n": 1e400 }`, {
      mapping: '[{"segment":"s","when":{"name":{"$regex":"z$"}},"merge":{"n":1.10}}]',
    });
    const body = { id: 'large', u: 'ünï', p: { name: `${'a'.repeat(30_000)}z` }, v: '1.0.0' };
    const evaluated = expectDone(await server.admin('POST', `${game.path}/evaluate`, body));
    const delivered = await game.wrapped('large', { u: body.u, p: body.p, v: body.v });
    expect(delivered.json.data.rows).toHaveLength(5_000);
    expect(evaluated.text).toContain(`"answer":${delivered.text}`);
    expect(evaluated.json.rules).toMatchObject([{ outcome: 'applied' }]);
  });

  it('tells the fault of a large text that is not saved', async () => {
    const body = { id: 'shop', text: `[\n${'1,'.repeat(50_000)}\n!]` };
    const refused = await server.admin('POST', `${game.path}/evaluate`, body);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      code: 'invalid_content',
      errors: [{ path: 'text', line: 3, column: 1 }],
    });
  });

  it('tests a condition on as many contexts as there may be', async () => {
    const contexts = Array.from({ length: 1_000 }, (_, level) => ({
      u: `u${level}`,
      p: { level },
    }));
    const pad = 'x'.repeat(100);
    const body = { when: { level: { $gte: 250 }, pad: { $ne: pad } }, contexts };
    const long = contexts.map((context) => ({ ...context, more: pad }));
    for (const list of [contexts, long]) {
      const path = `${game.path}/segments/test`;
      const { json } = expectDone(await server.admin('POST', path, { ...body, contexts: list }));
      expect([json.contexts, json.matching]).toEqual([1_000, 750]);
      expect(json.results[249].reason).toBe('level is 249, but must be at least 250.');
    }
  });
});
