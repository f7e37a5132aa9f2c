/** Attributes that the rules need too much work for: refused with 400 by delivery, and the admin API says the same. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { sharedServer } from '../support/server/server.js';
import { ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';
import { expectOfrepError } from '../support/wire/ofrep-error.js';
import { expectRefusal } from '../support/wire/refusal.js';

const rules = Array.from({ length: 12 }, (_, i) => ({
  segment: `rule-${i}`,
  when: { list: { $elemMatch: { $regex: `^[a-c]${i}$` } } },
  merge: { [`r${i}`]: true },
}));
const costly = { u: 'ada', p: { list: Array.from({ length: 12_000 }, (_, i) => 1000 + (i % 9)) } };
const ordinary = { u: 'ada', p: { list: ['b2', 'c11', 'x'] } };

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"n":1}', { mapping: rules });
  await game.put('plain', '{"n":2}');
});

describe('attributes that the rules need too much work for', () => {
  it('are refused with 400 invalid_body, each time, and ordinary ones are not', async () => {
    for (let time = 0; time < 3; time++) {
      expectRefusal(await game.wrapped('shop', costly), 400, 'invalid_body');
      expect(await game.segments('shop', ordinary)).toEqual(['rule-2', 'rule-11']);
    }
  });

  it('are refused on combine too, however the ids are spelled', async () => {
    const combined = await game.combine(['plain', 'shop', 'SHOP'], costly, '&dynamic=true');
    expectRefusal(combined, 400, 'invalid_body');
    const fine = await game.combine(['plain', 'shop', 'SHOP'], ordinary, '&dynamic=true');
    expect(fine.json.SHOP).toEqual(fine.json.shop);
  });

  it('are an invalid context in OFREP, single and bulk', async () => {
    const contextOf = ({ u, p }: typeof costly | typeof ordinary) => ({
      context: { targetingKey: u, ...p },
    });
    expectDone(await game.tryPut('shop', { flags: ['/n'] }));
    for (const path of ['/shop', '']) {
      const key = path === '' ? undefined : 'shop';
      const url = `/ofrep/v1/evaluate/flags${path}`;
      const rejected = await game.ask('POST', url, contextOf(costly));
      expectOfrepError(rejected, 400, 'INVALID_CONTEXT', 'invalid_body', key);
      expect((await game.ask('POST', url, contextOf(ordinary))).status).toBe(200);
    }
  });

  it('do not matter where no rule is looked at', async () => {
    expect((await game.plain('shop', costly)).text).toBe('{"n":1}');
    expect((await game.wrapped('plain', costly)).json.data).toEqual({ n: 2 });
    expect((await game.combine(['shop'], costly)).text).toBe('{"shop":{"n":1}}');
  });

  it('are told by evaluate, by preview and by the test of a segment', async () => {
    const evaluated = await server.admin('POST', `${game.path}/evaluate`, {
      id: 'shop',
      ...costly,
    });
    expect([evaluated.status, evaluated.json.code]).toEqual([400, 'invalid_body']);
    expect(evaluated.json.errors[0].message).toMatch(/more work for than one request may cause/);

    const lines = [{ id: 'shop' }, ordinary, costly].map((line) => JSON.stringify(line)).join('\n');
    const preview = await send(server.adminUrl, `${game.path}/preview`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ownerToken}`,
        'content-type': 'application/x-ndjson',
      },
      body: lines,
    });
    expect(preview.json).toMatchObject({ contexts: 1, faulty: 1 });
    expect(preview.json.errors).toEqual([
      { line: 3, message: expect.stringMatching(/more work for than one request may cause/) },
    ]);

    const tested = await server.admin('POST', `${game.path}/segments/test`, {
      when: { $or: rules.map(({ when }) => when) },
      contexts: [costly, ordinary],
    });
    expect(tested.status).toBe(200);
    const [first, second] = tested.json.results;
    expect(first).toMatchObject({ matches: false, decidedBy: [] });
    expect(first.reason).toMatch(/more work for than one request may cause/);
    expect(second.matches).toBe(true);
  });
});
