/** What delivery has in memory of published.db: flags and the key of streams, as they are published and republished. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { contentHash, digestOf } from '../../../src/content/hash.js';
import {
  PublishedIndex,
  type ServedEnvironment,
} from '../../../src/delivery/published/published-index.js';
import type { PublishedChange } from '../../../src/published/change.js';
import { PublishedReader } from '../../../src/published/reader.js';
import { PublishedWriter } from '../../../src/published/writer.js';

const keyOf = (fill: number): Buffer => Buffer.alloc(32, fill);

function content(id: string, flags: readonly string[]): PublishedChange {
  const json = Buffer.from('{"a":1}');
  const line = { version: '0.0.0', digest: digestOf(json), hash: contentHash(json), json };
  return {
    ...{ kind: 'content', environment: 'dev', id, lines: [line], mapping: '', flags },
    candidate: null,
  };
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
  const key = { kind: 'key', environment: 'dev', keyHash: 'k', expiresAtMs: null } as const;
  const dev = { kind: 'environment', environment: 'dev' } as const;
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
