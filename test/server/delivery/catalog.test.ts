/** The catalog of an environment: what it lists and in which order, its ETag, and when it answers 304. */
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import type { Answer } from '../../support/wire/exchange.js';
import { contentHash, mappedHash } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeEach(async () => {
  game = await makeEnvironment(server);
});

const rule = { segment: 's', when: { country: 'US' }, merge: { n: 2 } };

describe('the catalog', () => {
  it('of an empty environment is empty', async () => {
    expect((await game.catalog()).text).toBe('{"catalog":{}}');
  });

  it('lists every content with h and d, sorted by the lower-case form, in the spelling of its creation', async () => {
    for (const id of ['b', 'C', 'A', 'a-1', 'Z.z', 'z', '_x', '10', '9', 'B2']) {
      await game.put(id, `{"n":"${id}"}`);
    }
    const mapped = await game.put('zebra', '{"n":1}', { mapping: [rule] });
    expect(mapped.hash).not.toBe(contentHash('{"n":1}'));
    const entry = (id: string): string =>
      `"${id}":{"h":"${contentHash(`{"n":"${id}"}`)}","d":false}`;
    const ids = ['10', '9', '_x', 'A', 'a-1', 'b', 'B2', 'C', 'z', 'Z.z'];
    const zebra = `"zebra":{"h":"${mappedHash('{"n":1}', [rule])}","d":true}`;
    expect((await game.catalog()).text).toBe(
      `{"catalog":{${[...ids.map(entry), zebra].join(',')}}}`,
    );
  });

  it('holds the contents of the key it was asked with only', async () => {
    const other = await makeEnvironment(server);
    await game.put('mine', '1');
    await other.put('theirs', '1');
    expect(Object.keys((await game.catalog()).json.catalog)).toEqual(['mine']);
    expect(Object.keys((await other.catalog()).json.catalog)).toEqual(['theirs']);
  });

  it('gives the h that a wrapped answer without v gives as hash: that of the highest line', async () => {
    await game.put('shop', '{"line":2}', { appVersion: '10.0.0' });
    await game.put('shop', '{"line":1}', { appVersion: '9.0.0' });
    const { h } = (await game.catalog()).json.catalog.shop;
    expect(h).toBe(contentHash('{"line":2}'));
    expect((await game.wrapped('shop')).json.hash).toBe(h);
    expect((await game.wrapped('shop', { v: '9.5.0' })).json.hash).toBe(contentHash('{"line":1}'));
  });

  it('says d while a mapping is attached, and no longer when it is taken away', async () => {
    const d = async (): Promise<boolean> => (await game.catalog()).json.catalog.shop.d;
    await game.put('shop', '{"n":1}');
    expect(await d()).toBe(false);
    await game.putMapping('shop', [rule]);
    expect(await d()).toBe(true);
    await game.put('shop', '{"n":3}');
    expect(await d()).toBe(true);
    await game.putMapping('shop', []);
    expect(await d()).toBe(false);
  });
});

describe('the ETag of the catalog', () => {
  it('changes whenever the bytes do, and only then', async () => {
    const seen = new Map<string, string>();
    const look = async (): Promise<void> => {
      const answer = await game.catalog();
      const etag = answer.header('etag');
      expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
      expect(seen.get(etag) ?? answer.text).toBe(answer.text);
      for (const [otherEtag, text] of seen) {
        if (text === answer.text) expect(etag).toBe(otherEtag);
      }
      seen.set(etag, answer.text);
    };
    await look();
    await game.put('shop', '{"n":1}');
    await look();
    await game.put('shop', '{"n":2}');
    await look();
    await game.putMapping('shop', [rule]); // only d changes
    await look();
    await game.put('levels', '1');
    await look();
    expectDone(await server.admin('DELETE', `${game.path}/contents/levels`));
    await look();
    expectDone(await server.admin('DELETE', `${game.path}/contents/shop`));
    await game.put('SHOP', '{"n":2}', { mapping: [rule] }); // only the spelling changes
    await look();
    expect(seen.size).toBe(6);
  });

  it('is the same on every listener', async () => {
    await game.put('shop', '{"n":1}');
    const etags = new Set<string>();
    for (let i = 0; i < 16; i++) etags.add((await game.catalog()).header('etag'));
    expect(etags.size).toBe(1);
  });
});

describe('If-None-Match', () => {
  beforeEach(async () => {
    await game.put('shop', '{"n":1}');
  });

  it('with the current ETag gives 304 without a body, with the ETag', async () => {
    const etag = (await game.catalog()).header('etag');
    const answer = await game.catalog({ 'if-none-match': etag });
    expect(answer.status).toBe(304);
    expect(answer.bytes).toHaveLength(0);
    expect(answer.header('etag')).toBe(etag);
    expect(answer.header('cache-control')).toBe('private, no-cache');
  });

  it('leaves the connection to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (headers: OutgoingHttpHeaders): Promise<Answer> =>
      game.ask('GET', '/api/v1/env/catalog', undefined, headers, agent);
    const etag = (await ask({})).header('etag');
    const answers = [await ask({ 'if-none-match': etag }), await ask({}), await ask({})];
    expect(answers.map((answer) => answer.status)).toEqual([304, 200, 200]);
    agent.destroy();
  });

  it('is understood as a list, in its weak form and as *', async () => {
    const etag = (await game.catalog()).header('etag');
    const weak = etag.startsWith('W/') ? etag : `W/${etag}`;
    for (const value of [`"x", ${etag}`, `${etag},"y"`, weak, '*']) {
      expect((await game.catalog({ 'if-none-match': value })).status).toBe(304);
    }
  });

  it('with another value, or none, gives 200', async () => {
    const etag = (await game.catalog()).header('etag');
    for (const value of ['"x"', etag.slice(1, -1), `${etag}x`, '', 'W/"x", "y"']) {
      expect((await game.catalog({ 'if-none-match': value })).status).toBe(200);
    }
    for (let i = 0; i < 4; i++) expect((await game.catalog()).status).toBe(200);
  });

  it('gives 200 as soon as the catalog has changed', async () => {
    const etag = (await game.catalog()).header('etag');
    await game.putMapping('shop', [rule]);
    for (let i = 0; i < 8; i++) {
      expect((await game.catalog({ 'if-none-match': etag })).status).toBe(200);
    }
  });

  it('does not open the catalog to a caller without a key', async () => {
    const etag = (await game.catalog()).header('etag');
    const answer = await game.catalog({ 'if-none-match': etag, 'x-api-key': 'nobody' });
    expect(answer.status).toBe(401);
  });
});
