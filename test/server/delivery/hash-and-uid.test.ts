/** hash, uid and mod: the published vectors, what a hash depends on, and what it does not. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { contentHash, mappedHash, xxh32 } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
});

async function hashes(id: string): Promise<string[]> {
  const catalog = (await game.catalog()).json.catalog;
  return [(await game.wrapped(id)).json.hash, catalog[id].h];
}

describe('hash', () => {
  it('is the XXH3-64 of the delivered JSON, 16 lower-case hex digits', async () => {
    // The reference of the reference: the vector of the empty input in xxHash's own tests.
    expect(contentHash('')).toBe('2d06800538d394c2');
    expect(await hashes('shop')).toEqual(Array(2).fill(contentHash('{"price":1}')));
  });

  it('is zero padded', async () => {
    const number = Array.from({ length: 500 }, (_, i) => `${i}`).find((text) =>
      contentHash(text).startsWith('0'),
    );
    const text = number ?? expect.fail('no number below 500 has a hash that begins with 0');
    await game.put('padded', text);
    expect(await hashes('padded')).toEqual(Array(2).fill(contentHash(text)));
  });

  it('does not change when only comments and white space change', async () => {
    await game.put('comments', '{"a":[1,2]}');
    const before = await hashes('comments');
    await game.put('comments', '// new\n{ "a": [1, 2,], /* more */ }');
    expect(await hashes('comments')).toEqual(before);
  });

  it('changes with the mapping, and not with the caller', async () => {
    await game.put('mapped', '{"a":1}');
    const [before] = await hashes('mapped');
    const mapping = [{ segment: 's', when: { x: 1 }, merge: { a: 2 } }];
    await game.putMapping('mapped', mapping);
    const hash = mappedHash('{"a":1}', mapping);
    expect(hash).not.toBe(before);
    expect(await hashes('mapped')).toEqual([hash, hash]);
    for (const p of [{}, { x: 1 }]) {
      expect((await game.wrapped('mapped', { p })).json.hash).toBe(hash);
    }
    await game.putMapping('mapped', []);
    expect(await hashes('mapped')).toEqual([before, before]);
  });

  it('changes with the text, and comes back with it', async () => {
    await game.put('edited', '1');
    const before = await hashes('edited');
    await game.put('edited', '1.0');
    expect(await hashes('edited')).not.toEqual(before);
    await game.put('edited', '1');
    expect(await hashes('edited')).toEqual(before);
  });

  it('changes when only the order of keys changes: bytes are hashed, not values', async () => {
    await game.put('order', '{"a":1,"b":2}');
    const before = await hashes('order');
    await game.put('order', '{"b":2,"a":1}');
    expect(await hashes('order')).not.toEqual(before);
  });

  it('is the same in every environment', async () => {
    const other = await makeEnvironment(server);
    await other.put('anything', '{ "price": 1 }');
    expect((await other.wrapped('anything')).json.hash).toBe(contentHash('{"price":1}'));
    expectDone(await server.admin('POST', `${other.path}/sync`, { from: game.id, ids: ['shop'] }));
    expect((await other.wrapped('shop')).json.hash).toBe(contentHash('{"price":1}'));
  });
});

describe('uid', () => {
  // XXH32 with seed 0, from the xxHash specification and its implementations' test suites; 0 stands for no user.
  const vectors: readonly (readonly [string, number])[] = [
    ['', 0],
    ['a', 0x550d7456],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ];
  for (const [u, uid] of vectors) {
    it(`of "${u}" is ${uid}, mod ${uid % 1000}`, async () => {
      expect((await game.wrapped('shop', { u })).json.meta).toEqual({
        uid,
        mod: uid % 1000,
        seg: [],
      });
    });
  }

  it('is of the UTF-8 bytes', async () => {
    for (const u of ['é', 'Żółć', '日本', '😀', 'x'.repeat(5_000), 'a\u0000b', ' a', 'A']) {
      const uid = xxh32(u);
      expect((await game.wrapped('shop', { u })).json.meta).toMatchObject({ uid, mod: uid % 1000 });
    }
  });

  it('is the same however u is escaped, for every content, and for every attribute', async () => {
    const uid = xxh32('é/');
    for (const body of ['{"u":"é/"}', '{"u":"\\u00e9\\/"}', '{"p":{"x":1},"u":"é/","v":"1.0.0"}']) {
      expect((await game.wrapped('shop', body)).json.meta.uid).toBe(uid);
    }
  });
});
