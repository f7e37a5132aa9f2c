/** Content ids: which are allowed, and that case never matters but is kept. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { head, openConnection } from '../../support/wire/raw-connection.js';
import { expectInvalid, expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop.Prices_v-2', '{"price":1}');
});

describe('a content id is matched without case', () => {
  for (const id of ['Shop.Prices_v-2', 'shop.prices_v-2', 'SHOP.PRICES_V-2', 'sHOP.pRICES_V-2']) {
    it(id, async () => {
      expect((await game.plain(id)).text).toBe('{"price":1}');
      expect((await game.wrapped(id)).json.data).toEqual({ price: 1 });
      expect((await game.combine([id])).text).toBe(`{"${id}":{"price":1}}`);
    });
  }

  it('by management too: a PUT in another case edits the same content and keeps its spelling', async () => {
    await game.put('Quests', '1');
    await game.put('QUESTS', '2');
    expect((await game.plain('quests')).text).toBe('2');
    const ids = Object.keys((await game.catalog()).json.catalog);
    expect(ids).toContain('Quests');
    expect(ids).not.toContain('QUESTS');
  });
});

describe('a content id may be', () => {
  const allowed = [
    'a',
    '0',
    '-',
    '_',
    '...',
    '.a',
    'a.',
    'dynamic',
    'combine',
    'catalog',
    '__proto__',
    'constructor',
    'x'.repeat(128),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-',
  ];
  for (const id of allowed) {
    it(id.length > 70 ? `${id.length} characters long` : id, async () => {
      const other = await makeEnvironment(server);
      await other.put(id, '"here"');
      expect((await other.plain(id)).text).toBe('"here"');
      expect((await other.wrapped(id)).json.data).toBe('here');
      expect((await other.combine([id])).text).toBe(`{"${id}":"here"}`);
      const catalog = (await other.catalog()).text;
      expect(catalog).toMatch(`{"catalog":{"${id}":{"h":"`);
    });
  }
});

describe('a content id that is not allowed is refused when it is created', () => {
  const refused = [
    'x'.repeat(129),
    'a%20b',
    'a%2Fb',
    'a+b',
    'a:b',
    'a%40b',
    '%C5%BC',
    'a%00',
    'a~b',
  ];
  for (const id of refused) {
    it(id.length > 70 ? `${id.length} characters long` : id, async () => {
      expectInvalid(await game.tryPut(id, { text: '1' }));
    });
  }

  it('a dot and two dots, however they are written', async () => {
    for (const id of ['%2E', '%2e%2E']) {
      const answer = await game.tryPut(id, { text: '1' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe('a path with an id that no content can have', () => {
  it('is 404 content_not_found', async () => {
    for (const id of ['x'.repeat(129), 'a+b', 'a:b', 'a~b', 'a%20b', '%zz']) {
      expectRefusal(await game.plain(id), 404, 'content_not_found');
      expectRefusal(await game.wrapped(id), 404, 'content_not_found');
    }
  });

  it('of 10 KB is refused, and the server goes on', async () => {
    const connection = await openConnection(server.deliveryPort);
    const headers = [
      ['X-Api-Key', game.key],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ] as const;
    await connection.write(`${head('POST', `/api/v1/config/${'x'.repeat(10_240)}`, headers)}{}`);
    const { status } = await connection.read();
    expect([400, 404, 414, 431]).toContain(status);
    connection.close();
    for (let i = 0; i < 4; i++) expect((await game.plain('Shop.Prices_v-2')).status).toBe(200);
  });

  it('of dot segments never reaches another route or a crash', async () => {
    for (const path of [
      '/api/v1/config/..',
      '/api/v1/config/.',
      '/api/v1/config/../env/catalog',
      '/api/v1/config//dynamic',
      '/api/v1/config/',
      '//api/v1/config/x',
      '/api/v1/config/%00/dynamic',
    ]) {
      const answer = await game.ask('POST', path, '{}');
      expect(`${path} ${answer.status}`).toMatch(/ 404$/);
    }
  });
});
