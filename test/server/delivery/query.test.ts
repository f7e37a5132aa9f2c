/** Query parameters: responseType, dynamic and c; what is refused, and what is ignored where it is not defined. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import type { Answer } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
  await game.put('level', '[1,2]');
});

function combineRaw(query: string): Promise<Answer> {
  return game.ask('POST', `/api/v1/combine/${query}`, '{}');
}

describe('responseType on the wrapped endpoint', () => {
  it('serialized gives data as a string', async () => {
    const answer = await game.wrapped('shop', {}, '?responseType=serialized');
    expect(answer.json.data).toBe('{"price":1}');
  });

  for (const value of ['', 'Serialized', 'SERIALIZED', 'json', 'serialized2', 'serialized,x']) {
    it(`"${value}" is 400 invalid_query`, async () => {
      const answer = await game.wrapped('shop', {}, `?responseType=${value}`);
      expectRefusal(answer, 400, 'invalid_query');
    });
  }

  it('may be percent-encoded', async () => {
    const answer = await game.wrapped('shop', {}, '?responseType=%73erialized');
    expect(answer.json.data).toBe('{"price":1}');
  });
});

describe('a query parameter that an endpoint does not define is ignored:', () => {
  it('all of them on plain delivery', async () => {
    for (const query of ['?responseType=xml', '?dynamic=maybe&c=x', '?responseType=serialized']) {
      expect((await game.plain('shop', {}, query)).text).toBe('{"price":1}');
    }
  });

  it('dynamic, c and others on wrapped delivery', async () => {
    const usual = await game.wrapped('shop');
    for (const query of ['?dynamic=maybe', '?c=x', '?x=1&y', '?', '?&&=&', '?ResponseType=x']) {
      expect((await game.wrapped('shop', {}, query)).text).toBe(usual.text);
    }
  });

  it('others on combine', async () => {
    expect((await combineRaw('?x=1&c=["shop"]&y=2')).text).toBe('{"shop":{"price":1}}');
    expect((await combineRaw('?C=[]&c=["shop"]')).text).toBe('{"shop":{"price":1}}');
  });

  it('any on the catalog', async () => {
    const answer = await game.ask('GET', '/api/v1/env/catalog?c=x&dynamic=maybe&responseType=x');
    expect(answer.text).toBe((await game.catalog()).text);
  });
});

describe('dynamic and responseType on combine', () => {
  it('dynamic=true wraps each item', async () => {
    const answer = await combineRaw('?c=["shop"]&dynamic=true');
    expect(Object.keys(answer.json.shop)).toEqual(['data', 'hash', 'meta']);
  });

  it('dynamic=false is as without', async () => {
    expect((await combineRaw('?c=["shop"]&dynamic=false')).text).toBe('{"shop":{"price":1}}');
  });

  it('dynamic=true with responseType=serialized makes data a string', async () => {
    const answer = await combineRaw('?responseType=serialized&dynamic=true&c=["shop"]');
    expect(answer.json.shop.data).toBe('{"price":1}');
  });

  const refused = [
    '&dynamic=',
    '&dynamic=1',
    '&dynamic=TRUE',
    '&dynamic=True',
    '&dynamic=yes',
    '&dynamic=true&responseType=json',
    '&dynamic=true&responseType=Serialized',
    '&dynamic=true&responseType=',
    '&responseType=serialized',
    '&dynamic=false&responseType=serialized',
    '&responseType=xml',
  ];
  for (const more of refused) {
    it(`${more} is 400 invalid_query`, async () => {
      expectRefusal(await combineRaw(`?c=["shop"]${more}`), 400, 'invalid_query');
    });
  }
});

describe('c', () => {
  it('arrives raw', async () => {
    const answer = await combineRaw('?c=["shop","level"]');
    expect(answer.text).toBe('{"shop":{"price":1},"level":[1,2]}');
  });

  it('arrives percent-encoded, in either case of the hex digits', async () => {
    const raw = await combineRaw('?c=["shop","level"]');
    expect((await combineRaw('?c=%5B%22shop%22%2C%22level%22%5D')).text).toBe(raw.text);
    expect((await combineRaw('?c=%5b%22shop%22%2c%22level%22%5d')).text).toBe(raw.text);
  });

  it('arrives with only its quotes encoded, as browsers send it', async () => {
    const answer = await combineRaw('?c=[%22shop%22,%22level%22]');
    expect(answer.text).toBe('{"shop":{"price":1},"level":[1,2]}');
  });

  it('may hold the white space and the escapes of JSON', async () => {
    const answer = await combineRaw('?c=[%20%22sh%5Cu006fp%22%20,%0A%22level%22]');
    expect(answer.json).toEqual({ shop: { price: 1 }, level: [1, 2] });
  });

  it('may be empty: {}', async () => {
    expect((await combineRaw('?c=[]')).text).toBe('{}');
    expect((await combineRaw('?c=%5B%5D&dynamic=true')).text).toBe('{}');
  });

  const refused: Record<string, string> = {
    missing: '',
    'missing beside others': '?dynamic=true',
    empty: '?c=',
    'without a value': '?c',
    'a bare word': '?c=shop',
    'a list without quotes': '?c=[shop]',
    'a string': '?c="shop"',
    'an object': '?c={"shop":1}',
    null: '?c=null',
    'an array with a number': '?c=["shop",1]',
    'an array with null': '?c=[null]',
    'an array in an array': '?c=[["shop"]]',
    'cut off': '?c=["shop"',
    'with a trailing comma': '?c=["shop",]',
    'with something after it': '?c=["shop"]x',
    'a broken percent sign': '?c=%zz',
  };
  for (const [name, query] of Object.entries(refused)) {
    it(`${name} is 400 invalid_query`, async () => {
      expectRefusal(await combineRaw(query), 400, 'invalid_query');
    });
  }
});

describe('the number of ids in c', () => {
  it('may be 100', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => `item-${i}`);
    const answer = await game.combine(ids);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(ids);
  });

  it('may be 100 of the longest ids there are, percent-encoded', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(3, 'x').padEnd(128, 'y'));
    const answer = await game.combine(ids);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(ids);
  });

  it('may not be 101', async () => {
    const ids = Array.from({ length: 101 }, (_, i) => `item-${i}`);
    expectRefusal(await game.combine(ids), 400, 'invalid_query');
  });

  it('counts an id once, however often it is written', async () => {
    const same = Array.from({ length: 101 }, () => 'shop');
    expect((await game.combine(same)).text).toBe('{"shop":{"price":1}}');
  });

  it('counts an id once in 100 spellings, and answers each with the same bytes', async () => {
    const ids = Array.from({ length: 16 }, (_, code) =>
      [...'shop'].map((c, at) => ((code >> at) & 1 ? c.toUpperCase() : c)).join(''),
    );
    const unknown = Array.from({ length: 84 }, (_, code) =>
      [...'missing'].map((c, at) => ((code >> at) & 1 ? c.toUpperCase() : c)).join(''),
    );
    for (const query of ['', '&dynamic=true', '&dynamic=true&responseType=serialized']) {
      const single = (await game.combine(['shop'], { u: 'ada' }, query)).text.slice(8, -1);
      const answer = await game.combine([...ids, ...unknown], { u: 'ada' }, query);
      expect(answer.status).toBe(200);
      const shops = ids.map((id) => `"${id}":${single}`).join();
      expect(answer.text.startsWith(`{${shops},"missing":"Error 404, `)).toBe(true);
      for (const id of unknown) expect(answer.json[id]).toMatch(/^Error 404, .* id missing/i);
    }
  });

  it('limits the spellings to four times as many', async () => {
    const spelled = Array.from({ length: 401 }, (_, code) =>
      [...'abcdefghi'].map((c, at) => ((code >> at) & 1 ? c.toUpperCase() : c)).join(''),
    );
    expect(Object.keys((await game.combine(spelled.slice(1))).json)).toHaveLength(400);
    expectRefusal(await game.combine(spelled), 400, 'invalid_query');
  });
});
