/** Several contents named in the body: the same bytes as by the query, which ids count, what is rejected, what is ignored. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import type { Answer } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', '{"price":1.10, "big": 9007199254740993}', {
    mapping: [
      { segment: 'us', when: { country: 'US' }, info: 'i', merge: { price: 2 } },
      { segment: 'control', when: {}, variants: [{ name: 'c', groups: [0, 999] }] },
    ],
  });
  await game.put('levels', JSON.stringify(Array.from({ length: 2_000 }, (_, hp) => ({ hp }))));
  await game.put('old', '1', { appVersion: '1.0.0' });
  await game.put('old', '2', { appVersion: '2.0.0' });
});

/** @param query begins with `?`, or is empty */
function inBody(c: unknown, caller: Readonly<Record<string, unknown>> = {}, query = '') {
  return game.ask('POST', `/api/v1/combine/${query}`, { ...caller, c });
}

const forms = ['', 'dynamic=true', 'dynamic=true&responseType=serialized', 'dynamic=false'];
const callers: readonly Record<string, unknown>[] = [
  {},
  { u: 'a', p: { country: 'US' } },
  { u: 'b', p: { country: 'PL' }, v: '1.5.0' },
];

describe('c in the body', () => {
  it('gives the bytes that c in the query gives, in every form and for every caller', async () => {
    const lists = [['Shop', 'levels', 'old', 'none'], ['sHOP', 'shop', 'shop'], ['old'], []];
    for (const ids of lists) {
      for (const form of forms) {
        for (const caller of callers) {
          const queried = await game.combine(ids, caller, `&${form}`);
          const sent = await inBody(ids, caller, `?${form}`);
          expect(`${sent.status} ${sent.text}`).toBe(`${queried.status} ${queried.text}`);
          expect(sent.status).toBe(200);
        }
      }
    }
  });

  it('works without the slash at the end', async () => {
    const answer = await game.ask('POST', '/api/v1/combine', { c: ['old'] });
    expect(answer.text).toBe('{"old":2}');
  });

  it('may be empty: {}', async () => {
    expect((await inBody([])).text).toBe('{}');
    expect((await inBody([], {}, '?dynamic=true')).text).toBe('{}');
  });

  it('answers an id once for each spelling, in the order of the caller', async () => {
    const answer = await inBody(['old', 'none', 'OLD', 'old', 'oLd']);
    expect(answer.text).toMatch(/^\{"old":2,"none":"Error 404, [^"]*","OLD":2,"oLd":2\}$/);
  });

  it('is the last of repeated ones', async () => {
    const answer = await game.ask('POST', '/api/v1/combine', '{"c":["none"],"c":["old"]}');
    expect(answer.text).toBe('{"old":2}');
  });

  it('holds what no id can be, as an entry that failed', async () => {
    const impossible = ['', '..', 'a/b', 'żółty', 'x'.repeat(129), '"', '\n', '😀', '__proto__'];
    const answer = await inBody([...impossible, 'old']);
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch('"__proto__":"Error 404, ');
    expect(answer.text).toMatch(/"old":2\}$/);
    const queried = await game.combine([...impossible, 'old']);
    expect(answer.text).toBe(queried.text);
  });

  it('may name 100 of the longest ids, in either place', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(3, 'x').padEnd(128, 'y'));
    const answer = await inBody(ids, { u: 'a' }, '?dynamic=true');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(ids);
    expect(answer.text).toBe((await game.combine(ids, { u: 'a' }, '&dynamic=true')).text);
  });
});

describe('of c in both places', () => {
  it('the one in the query counts', async () => {
    expect((await inBody(['Shop'], {}, '?c=["old"]')).text).toBe('{"old":2}');
    expect((await inBody(['Shop'], {}, '?c=[]')).text).toBe('{}');
  });

  it('the one in the query is rejected if it is malformed, whatever the body has', async () => {
    for (const c of ['', 'shop', '"shop"', '["shop",1]', 'null', '["shop"']) {
      expectRefusal(await inBody(['old'], {}, `?c=${c}`), 400, 'invalid_query');
    }
  });

  it('the one in the body may be anything, as any field that is not used', async () => {
    for (const c of [
      'old',
      1,
      null,
      { old: 1 },
      [1],
      Array.from({ length: 500 }, (_, i) => `${i}`),
    ]) {
      expect((await inBody(c, {}, '?c=["old"]')).text).toBe('{"old":2}');
    }
  });
});

describe('400 invalid_query', () => {
  it('answers a call that names no ids at all', async () => {
    expectRefusal(await game.ask('POST', '/api/v1/combine', {}), 400, 'invalid_query');
    expectRefusal(
      await game.ask('POST', '/api/v1/combine?C=["a"]', { C: ['a'] }),
      400,
      'invalid_query',
    );
  });

  it.each([
    ['null', null],
    ['a text', 'old'],
    ['the text of a list', '["old"]'],
    ['a number', 1],
    ['true', true],
    ['an object', { 0: 'old', length: 1 }],
    ['a list with a number', ['old', 1]],
    ['a list with null', [null]],
    ['a list in a list', [['old']]],
  ])('answers a c that is %s', async (_name, c) => {
    expectRefusal(await inBody(c), 400, 'invalid_query');
    expectRefusal(await inBody(c, {}, '?dynamic=true'), 400, 'invalid_query');
  });

  it('answers more than 100 ids, and counts each once', async () => {
    const ids = Array.from({ length: 101 }, (_, i) => `item-${i}`);
    expectRefusal(await inBody(ids), 400, 'invalid_query');
    expect((await inBody(ids.slice(1))).status).toBe(200);
    expect((await inBody(Array.from({ length: 5_000 }, () => 'old'))).text).toBe('{"old":2}');
  });

  it('answers more than 400 spellings', async () => {
    const spelled = Array.from({ length: 401 }, (_, code) =>
      [...'abcdefghi'].map((c, at) => ((code >> at) & 1 ? c.toUpperCase() : c)).join(''),
    );
    expectRefusal(await inBody(spelled), 400, 'invalid_query');
    expect(Object.keys((await inBody(spelled.slice(1))).json)).toHaveLength(400);
  });

  it('answers what is wrong with the rest of the query, as ever', async () => {
    for (const query of [
      '?dynamic=1',
      '?responseType=serialized',
      '?dynamic=true&responseType=x',
    ]) {
      expectRefusal(await inBody(['old'], {}, query), 400, 'invalid_query');
    }
  });
});

describe('the checks before c', () => {
  it('answer first: the size of the body, then the user context', async () => {
    const long = Array.from({ length: 520 }, () => 'x'.repeat(128));
    expectRefusal(await inBody(long), 413, 'body_too_large');
    expectRefusal(await inBody([1], { u: 1 }), 400, 'invalid_body');
    expectRefusal(await inBody(['old'], { p: [] }), 400, 'invalid_body');
  });
});

describe('the other endpoints', () => {
  it('ignore c in the body', async () => {
    const bodies: readonly Body[] = [{ c: ['old'] }, { c: 1 }, { c: null }];
    const plain = (await game.plain('Shop')).text;
    const wrapped = (await game.wrapped('Shop')).text;
    for (const body of bodies) {
      const answers: readonly Answer[] = [
        await game.plain('Shop', body),
        await game.wrapped('Shop', body),
      ];
      expect(answers.map(({ text }) => text)).toEqual([plain, wrapped]);
    }
  });
});
