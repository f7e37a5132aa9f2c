/** Several contents in one call: how the answer is keyed, that entries equal single answers, and what a missing one is. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';

const big = JSON.stringify({
  levels: Array.from({ length: 2_000 }, (_, i) => ({ id: i, hp: i * 3 })),
});

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', '{"price":1.10, "big": 9007199254740993, "__proto__":{"x":1e400}}', {
    mapping: [
      { segment: 'us', when: { country: 'US' }, info: 'i', merge: { price: 2 } },
      { segment: 'control', when: {}, variants: [{ name: 'c', groups: [0, 999] }] },
    ],
  });
  await game.put('levels', big);
  await game.put('motd', '"Error 404, or so they say: \\ud83d\\ude00"');
  await game.put('old', '1', { appVersion: '1.0.0' });
  await game.put('old', '2', { appVersion: '2.0.0' });
  await game.put('10', '"ten"');
  await game.put('9', '"nine"');
});

const ids = ['Shop', 'levels', 'motd', 'old'];
const callers: readonly Body[] = [
  {},
  { u: 'a', p: { country: 'US' } },
  { u: 'b', p: { country: 'PL' }, v: '1.5.0' },
];

describe('each entry is byte-identical to the single answer', () => {
  it('in plain form', async () => {
    for (const caller of callers) {
      const singles = await Promise.all(ids.map(async (id) => (await game.plain(id, caller)).text));
      const expected = `{${ids.map((id, i) => `"${id}":${singles[i]}`).join(',')}}`;
      expect((await game.combine(ids, caller)).text).toBe(expected);
    }
  });

  it('in wrapped form', async () => {
    for (const caller of callers) {
      const singles = await Promise.all(
        ids.map(async (id) => (await game.wrapped(id, caller)).text),
      );
      const expected = `{${ids.map((id, i) => `"${id}":${singles[i]}`).join(',')}}`;
      expect((await game.combine(ids, caller, '&dynamic=true')).text).toBe(expected);
    }
  });

  it('in serialized form', async () => {
    for (const caller of callers) {
      const singles = await Promise.all(
        ids.map(async (id) => (await game.wrapped(id, caller, '?responseType=serialized')).text),
      );
      const expected = `{${ids.map((id, i) => `"${id}":${singles[i]}`).join(',')}}`;
      const answer = await game.combine(ids, caller, '&dynamic=true&responseType=serialized');
      expect(answer.text).toBe(expected);
    }
  });

  it('when there is only one', async () => {
    const single = await game.wrapped('Shop', { u: 'a' });
    const combined = await game.combine(['Shop'], { u: 'a' }, '&dynamic=true');
    expect(combined.text).toBe(`{"Shop":${single.text}}`);
  });
});

describe('the answer is keyed by the id as the caller wrote it', () => {
  it('in another case', async () => {
    const shop = (await game.plain('Shop')).text;
    expect((await game.combine(['sHOP'])).text).toBe(`{"sHOP":${shop}}`);
  });

  it('once for an id repeated in the same spelling', async () => {
    expect((await game.combine(['9', '9', '9'])).text).toBe('{"9":"nine"}');
    expect((await game.combine(['none', 'none'])).text.match(/"none"/g)).toHaveLength(1);
  });

  it('once for each spelling', async () => {
    const shop = (await game.plain('Shop')).text;
    expect((await game.combine(['shop', 'SHOP', 'shop'])).text).toBe(
      `{"shop":${shop},"SHOP":${shop}}`,
    );
  });

  it('in the order of the caller, integer-like ids included', async () => {
    expect((await game.combine(['10', 'motd', '9'])).text).toMatch(/^\{"10":.*"motd":.*"9":/);
  });
});

describe('an id that is not there', () => {
  const forms = ['', '&dynamic=true', '&dynamic=true&responseType=serialized'];

  it('is a string that begins with "Error 404, ", and the rest is delivered', async () => {
    for (const form of forms) {
      const answer = await game.combine(['none', '9'], {}, form);
      expect(answer.status).toBe(200);
      expect(answer.json.none).toMatch(/^Error 404, \S/);
      const single = await game.combine(['9'], {}, form);
      expect(answer.json['9']).toEqual(single.json['9']);
    }
  });

  it('may be the only one', async () => {
    expect((await game.combine(['none'])).json).toEqual({
      none: expect.stringMatching(/^Error 404, /),
    });
  });

  it('may be a line that does not admit the app version', async () => {
    const answer = await game.combine(['old', '9'], { v: '0.9.0' });
    expect(answer.json.old).toMatch(/^Error 404, /);
    expect(answer.json['9']).toBe('nine');
  });

  it('may be a text that no id can be', async () => {
    const impossible = [
      '',
      ' ',
      '..',
      'a/b',
      'sklep żółty',
      'x'.repeat(129),
      '"',
      '\\',
      '\n',
      '😀',
    ];
    const answer = await game.combine([...impossible, '9']);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toHaveLength(impossible.length + 1);
    for (const id of impossible) expect(answer.json[id]).toMatch(/^Error 404, /);
    expect(answer.json['9']).toBe('nine');
  });

  it('may be named like a property of every object', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const answer = await game.combine(names);
    for (const name of names) expect(answer.text).toMatch(`"${name}":"Error 404, `);
  });
});
