/** What delivery has in memory of published.db: flags and the key of streams, as they are published and republished. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bucketOf } from '../../../src/content/bucket.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { contentHash, digestOf } from '../../../src/content/hash.js';
import type { Layers } from '../../../src/content/layers.js';
import {
  PublishedIndex,
  type ServedEnvironment,
} from '../../../src/delivery/published/published-index.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import type { PublishedCandidate, PublishedChange } from '../../../src/published/change.js';
import { noSettings } from '../../../src/published/environment-settings.js';
import { PublishedReader } from '../../../src/published/reader.js';
import { PublishedWriter } from '../../../src/published/writer.js';

const keyOf = (fill: number): Buffer => Buffer.alloc(32, fill);

function lineOf(text: string) {
  const json = Buffer.from(text);
  return { version: '0.0.0', digest: digestOf(json), hash: contentHash(json), json };
}

function content(
  id: string,
  flags: readonly string[],
  candidate: PublishedCandidate | null = null,
  mapping = '',
): PublishedChange {
  const lines = [lineOf('{"a":1}')];
  return { kind: 'content', environment: 'dev', id, lines, mapping, flags, candidate };
}

function open(): { readonly writer: PublishedWriter; readonly index: PublishedIndex } {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'published.db');
  const writer = new PublishedWriter(path, () => 1);
  const index = new PublishedIndex(() => new PublishedReader(path));
  onTestFinished(() => {
    index.release();
    writer.close();
  });
  const key = {
    kind: 'key',
    environment: 'dev',
    keyHash: 'k',
    expiresAtMs: null,
    purpose: 'game',
  } as const;
  const dev = { kind: 'environment', environment: 'dev', settings: noSettings } as const;
  writer.apply({ sequence: 1, mark: 'a' }, [
    dev,
    key,
    content('Shop', ['/a']),
    content('news', []),
  ]);
  return { writer, index };
}

const devOf = (index: PublishedIndex): ServedEnvironment => {
  const found = index.key('k');
  if (found === undefined) throw new Error('The key is published.');
  return found.environment;
};

const caller = (u: string) => makeEvaluationContext(u, {}, null);

const flagsOf = (index: PublishedIndex, u = '') =>
  devOf(index)
    .flaggedFor(caller(u))
    .map(({ id, flags }) => [id, flags]);

it('serves flags as they were published last, and an unchanged content as it is', async () => {
  const { writer, index } = open();
  await index.catchUp();
  const news = devOf(index).content('news');
  expect(flagsOf(index)).toEqual([['Shop', ['/a']]]);
  const catalog = JSON.stringify(devOf(index).catalog);
  writer.apply({ sequence: 2, mark: 'b' }, [content('Shop', ['', '/a'])]);
  await index.catchUp();
  expect(index.sequence).toBe(2);
  expect(flagsOf(index)).toEqual([['Shop', ['', '/a']]]);
  expect(devOf(index).content('news')).toBe(news);
  expect(JSON.stringify(devOf(index).catalog)).toBe(catalog);
});

it('seals with a key of its own until that of the store is published, and with a new one of the store', async () => {
  const { writer, index } = open();
  await index.catchUp();
  const own = index.streamKey;
  expect(own).toHaveLength(32);
  writer.apply({ sequence: 2, mark: 'b' }, []);
  await index.catchUp();
  expect(index.streamKey).toBe(own);
  const { index: another } = open();
  await another.catchUp();
  expect(another.streamKey).not.toEqual(own);
  for (const fill of [7, 8]) {
    writer.setStore({ id: 'store', streamKey: keyOf(fill).toString('base64url') });
    writer.apply({ sequence: fill, mark: 'c' }, []);
    await index.catchUp();
    expect(index.streamKey).toEqual(keyOf(fill));
  }
});

describe('layers of an environment', () => {
  const rule = { segment: 'price', when: {}, layer: 'shop', slice: [0, 499], salt: 'own' };
  const layered = JSON.stringify([{ ...rule, merge: { a: 2 } }]);
  const held = JSON.stringify([{ segment: 'all', when: {}, holdout: true, merge: { a: 3 } }]);
  const withLayers = (layers: Layers): PublishedChange => ({
    ...{ kind: 'environment', environment: 'dev' },
    settings: { ...noSettings, ...layers },
  });
  const users = Array.from({ length: 200 }, (_, at) => `user-${at}`);
  const inRule = (index: PublishedIndex, id: string): string[] =>
    users.filter((u) => {
      const state = devOf(index).content(id)?.stateFor(caller(u));
      const slot = state?.slot(caller(u), Form.Wrapped, Coding.Identity, 0);
      return (slot?.mutations.length ?? 0) > 0;
    });
  const insideOf = (salt: string, last: number) =>
    users.filter((u) => bucketOf(salt, caller(u)) <= last);

  it('decide at once when they change, for what uses them alone, and after a start the same', async () => {
    const { writer, index } = open();
    const shop = { name: 'shop', salt: 'one' };
    writer.apply({ sequence: 2, mark: 'b' }, [
      withLayers({ layers: [shop], holdout: null }),
      content('Shop', [], null, layered),
      content('held', [], null, held),
    ]);
    await index.catchUp();
    expect(inRule(index, 'shop')).toEqual(insideOf('one', 499));
    expect(inRule(index, 'held')).toEqual(users);

    const before = ['shop', 'held', 'news'].map((id) => devOf(index).content(id));
    const other = { layers: [{ ...shop, salt: 'two' }], holdout: null };
    writer.apply({ sequence: 3, mark: 'c' }, [withLayers(other)]);
    await index.catchUp();
    expect(inRule(index, 'shop')).toEqual(insideOf('two', 499));
    const after = ['shop', 'held', 'news'].map((id) => devOf(index).content(id));
    expect(after.map((one, at) => one === before[at])).toEqual([false, true, true]);

    const out = { ...other, holdout: { salt: 'h', groups: [0, 299] as const } };
    writer.apply({ sequence: 4, mark: 'd' }, [withLayers(out)]);
    await index.catchUp();
    const heldOut = insideOf('h', 299);
    expect(inRule(index, 'held')).toEqual(users.filter((u) => !heldOut.includes(u)));
    const inShop = insideOf('two', 499).filter((u) => !heldOut.includes(u));
    expect(inRule(index, 'shop')).toEqual(inShop);
    index.release();
    await index.catchUp();
    expect(inRule(index, 'shop')).toEqual(inShop);
    expect(devOf(index).settings).toMatchObject(out);
  });
});

describe('a release that ramps', () => {
  const mapping = '[{"segment":"whales","merge":{"n":1}}]';
  const delivery = { lines: [lineOf('{"a":2}')], mapping, flags: ['/b'] };
  const step = (permille: number): PublishedCandidate => ({
    ...{ release: 'r', run: 1, salt: 's', permille, step: 0, receipts: false },
    content: delivery,
  });
  const segment = (candidate: string | null): PublishedChange => ({
    ...{ kind: 'segment', environment: 'dev', name: 'whales', when: '{"level":1}' },
    candidate,
  });
  const digestFor = (index: PublishedIndex, u: string) => {
    const state = devOf(index).content('shop')?.stateFor(caller(u));
    return state?.slot(caller(u), Form.Plain, Coding.Identity, 0)?.line.digest;
  };
  const memberOf = (permille: number) =>
    Array.from({ length: 5_000 }, (_, at) => `user-${at}`).find((u) => {
      const bucket = caller(u).bucketUnder('s');
      return permille - 100 <= bucket && bucket < permille;
    }) as string;

  it('reaches more callers with each step, and none after it was stopped', async () => {
    const { writer, index } = open();
    const reached = async (sequence: number, candidate: PublishedCandidate | null) => {
      writer.apply({ sequence, mark: 'x' }, [content('Shop', ['/a'], candidate)]);
      await index.catchUp();
      return [100, 500, 1_000].map((permille) => {
        const isMember = digestFor(index, memberOf(permille)) === digestOf('{"a":2}');
        expect(flagsOf(index, memberOf(permille))).toEqual([['Shop', [isMember ? '/b' : '/a']]]);
        return isMember;
      });
    };
    expect(await reached(2, step(100))).toEqual([true, false, false]);
    expect(await reached(3, step(500))).toEqual([true, true, false]);
    expect(await reached(4, step(1_000))).toEqual([true, true, true]);
    expect(await reached(5, null)).toEqual([false, false, false]);
  });

  it('leaves everything as it is when it pauses: what it names is what it was', async () => {
    const { writer, index } = open();
    const changes = [segment('{"level":2}'), content('Shop', ['/a'], step(100), mapping)];
    writer.apply({ sequence: 2, mark: 'x' }, changes);
    await index.catchUp();
    const shop = devOf(index).content('shop');
    writer.apply({ sequence: 3, mark: 'x' }, changes);
    await index.catchUp();
    expect(index.sequence).toBe(3);
    expect(devOf(index).content('shop')).toBe(shop);
  });

  it.each([
    ['named', true],
    ['not named', false],
  ])('changes a segment for its candidates alone, %s the content items', async (_, isNamed) => {
    const { writer, index } = open();
    const shop = content('Shop', [], step(500), mapping);
    writer.apply({ sequence: 2, mark: 'x' }, [segment(null), shop]);
    await index.catchUp();
    const news = devOf(index).content('news');
    const applies = (u: string, level: number) => {
      const who = makeEvaluationContext(u, { level }, null);
      const state = devOf(index).content('shop')?.stateFor(who);
      return state?.slot(who, Form.Wrapped, Coding.Identity, 0)?.mutations.length === 1;
    };
    const all = () =>
      [memberOf(500), memberOf(1_000)].map((u) => [1, 2].map((level) => applies(u, level)));
    expect(all()).toEqual([
      [true, false],
      [true, false],
    ]);
    writer.apply({ sequence: 3, mark: 'x' }, [segment('{"level":2}'), ...(isNamed ? [shop] : [])]);
    await index.catchUp();
    expect(all()).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(devOf(index).content('news')).toBe(news);
    // What a process reads that starts now is the same.
    index.release();
    await index.catchUp();
    expect(all()[0]).toEqual([false, true]);
  });
});

it('remakes the content items whose experiments start, stop or change, and no others', async () => {
  const { writer, index } = open();
  await index.catchUp();
  const news = devOf(index).content('news');
  const prices = {
    id: 'prices',
    phase: 1,
    content: 'shop',
    segment: 's',
    salt: null,
    variants: ['a'],
  };
  let sequence = 1;
  const shopAfter = async (...experiments: (typeof prices)[]) => {
    sequence += 1;
    const settings = { ...noSettings, experiments };
    writer.apply({ sequence, mark: '' }, [{ kind: 'environment', environment: 'dev', settings }]);
    await index.catchUp();
    expect(devOf(index).content('news')).toBe(news);
    return devOf(index).content('shop');
  };
  const before = devOf(index).content('shop');
  const started = await shopAfter(prices);
  expect(started).not.toBe(before);
  expect(await shopAfter(prices)).toBe(started);
  const another = await shopAfter({ ...prices, phase: 2 });
  expect(another).not.toBe(started);
  expect(await shopAfter()).not.toBe(another);
});
