/** Contents of many megabytes: stored, delivered, mutated and compressed without a byte lost and without blocking others. */
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectInvalid } from '../../support/wire/refusal.js';
import { mappedHash } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;
let json: string;
const mapping = [{ segment: 's', when: { x: 1 }, merge: { first: null, last: 2 } }];

beforeAll(async () => {
  game = await makeEnvironment(server);
  const row = `{"name":"row","values":[1.10,2e3,"${'x'.repeat(150)}"]}`;
  json = `{"first":0,"rows":[${Array.from({ length: 110_000 }, () => row).join(',')}],"last":1}`;
  await game.put('small', '1');
  await game.put('huge', json, {
    mapping,
  });
});

describe('a content of 20 MB', () => {
  it('is that large, and comes out plain, byte for byte', async () => {
    const answer = await game.plain('huge');
    expect(answer.bytes.length).toBeGreaterThan(20_000_000);
    expect(answer.bytes.equals(Buffer.from(json))).toBe(true);
  });

  it('comes out wrapped, with its hash and a mutation', async () => {
    const body = { p: { x: 1 } };
    const { text, headers } = await game.wrapped('huge', body);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const mutated = `${json.replace('"first":0,', '').slice(0, -'"last":1}'.length)}"last":2}`;
    expect(text.startsWith('{"data":{"rows":[{"name":"row",')).toBe(true);
    expect(text.slice('{"data":'.length, text.lastIndexOf(',"hash":')) === mutated).toBe(true);
    expect(text).toContain(`,"hash":"${mappedHash(json, mapping)}","meta":{`);
  });

  it('comes out compressed', async () => {
    const answer = await game.ask('POST', '/api/v1/config/huge', '{}', {
      'accept-encoding': 'gzip',
    });
    expect(answer.header('content-encoding')).toBe('gzip');
    expect(gunzipSync(answer.bytes).equals(Buffer.from(json))).toBe(true);
  });

  it('leaves room for small ones while it is rendered', async () => {
    const huge = game.wrapped('huge', { p: { x: 1 } }, '?responseType=serialized');
    for (let i = 0; i < 20; i++) expect((await game.plain('small')).text).toBe('1');
    const data: string = (await huge).json.data;
    expect(data.endsWith('"last":2}')).toBe(true);
  });
});

describe('the limit of a text', () => {
  const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;

  it('admits 32 MiB and no byte more', async () => {
    const most = 32 * 1024 * 1024;
    await game.put('limit', textOf(most));
    expect((await game.plain('limit')).bytes).toHaveLength(most);
    expectInvalid(await game.tryPut('limit', { text: textOf(most + 1) }));
    expect((await game.plain('limit')).bytes).toHaveLength(most);
  });

  it('counts the text as stored, comments included', async () => {
    const comment = `/*${'x'.repeat(33 * 1024 * 1024)}*/`;
    expectInvalid(await game.tryPut('limit', { text: `${comment}1` }));
  });
});
