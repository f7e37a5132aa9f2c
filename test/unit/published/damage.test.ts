/** Bits that flip in published.db: method: a real file, one byte of it changed at a time, read the way a listener does. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash, digestOf } from '../../../src/content/hash.js';
import type { PublishedChange } from '../../../src/published/change.js';
import { PublishedDamaged } from '../../../src/published/damage.js';
import { noSettings } from '../../../src/published/environment-settings.js';
import { PublishedReader } from '../../../src/published/reader.js';
import { checkPublished, PublishedWriter } from '../../../src/published/writer.js';
import { seededRandom } from '../../support/seeded-random.js';

const flips = 1_500;

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-damage-'));
  path = join(folder, 'published.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function* changes(): Generator<PublishedChange> {
  for (const environment of ['dev', 'prod']) {
    yield { kind: 'environment', environment, settings: noSettings };
    yield {
      kind: 'segment',
      environment,
      name: 'us',
      when: '{"country":"US"}',
      candidate: '{"a":1}',
    };
    yield {
      kind: 'key',
      environment,
      keyHash: digestOf(environment),
      expiresAtMs: 1_900_000_000_000,
      purpose: 'game',
    };
    for (let n = 0; n < 20; n += 1) {
      const json = Buffer.from(JSON.stringify({ n, text: `${environment} `.repeat(n * 20) }));
      const line = { version: '0.0.0', digest: digestOf(json), hash: contentHash(json), json };
      const mapping = n % 2 === 0 ? '' : `[{"segment":"us","merge":{"n":${n}}}]`;
      const flags = n % 3 === 0 ? [] : ['/n', '/text'];
      const content = { lines: [line], mapping: '[{"segment":"us"}]', flags };
      const ramp = { release: 'r', run: 1, salt: 's', permille: n, step: 0, receipts: false };
      const candidate = n % 4 === 0 ? null : { ...ramp, content };
      const id = `Content-${n}`;
      yield { kind: 'content', environment, id, lines: [line], mapping, flags, candidate };
    }
  }
}

const streamKey = Buffer.alloc(32, 7).toString('base64url');

function write(): void {
  const writer = new PublishedWriter(path, () => 1);
  writer.apply({ sequence: 9, mark: 'mark' }, [...changes()]);
  writer.setStore({ id: 'store', streamKey });
  writer.close();
}

/** All that listeners and their workers read. */
function readAll(): string {
  const reader = new PublishedReader(path);
  try {
    const snapshot = reader.snapshot();
    const contents = snapshot.contents.map(([environment, idLower]) => {
      const row = reader.content(environment, idLower);
      const bodies = row?.lines.map(({ digest }) =>
        Buffer.from(reader.body(digest) ?? []).toString(),
      );
      return { ...row, mapping: Buffer.from(row?.mapping ?? []).toString(), bodies };
    });
    return JSON.stringify({ ...snapshot, contents });
  } finally {
    reader.close();
  }
}

describe('a published.db in which one byte is another', () => {
  it('gives what was written, or is found damaged: never anything else', () => {
    write();
    const sound = readFileSync(path);
    const expected = readAll();
    const random = seededRandom(20_261_122);
    let damaged = 0;
    for (let n = 0; n < flips; n += 1) {
      const bytes = Buffer.from(sound);
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
      writeFileSync(path, bytes);
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      try {
        const writer = new PublishedWriter(path, () => 1);
        const { position, storeId, servesNothing } = writer;
        writer.close();
        // Not one of ours any more, and so emptied: it is made anew from the store.
        if (position.sequence === 0) continue;
        expect({ position, storeId, servesNothing }).toEqual({
          ...{ position: { sequence: 9, mark: 'mark' }, storeId: 'store' },
          servesNothing: false,
        });
        expect(readAll(), `byte ${at}`).toBe(expected);
      } catch (error) {
        if (!(error instanceof PublishedDamaged)) throw error;
        damaged += 1;
      }
    }
    // Most of the file is in use: these were no flips of free pages only.
    expect(damaged).toBeGreaterThan(flips / 4);
  });

  it('is found damaged where a body is missing that a content has', () => {
    write();
    const reader = new PublishedReader(path);
    expect(reader.body(digestOf('never published'))).toBeNull();
    const digest = reader.content('dev', 'content-3')?.lines[0]?.digest as string;
    reader.close();
    const bytes = readFileSync(path);
    // Its entry in the index of bodies, and its row.
    for (let at = bytes.indexOf(digest); at >= 0; at = bytes.indexOf(digest, at + 1)) {
      const isLine = bytes.subarray(at - 10, at).includes('digest":"');
      if (!isLine) bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30;
    }
    writeFileSync(path, bytes);
    const damagedReader = new PublishedReader(path);
    expect(() => damagedReader.body(digest)).toThrow(PublishedDamaged);
    damagedReader.close();
  });

  it.each(['no database at all, but longer than a header'.repeat(100), ''])(
    'that is another file is said to be damaged to who looks at it',
    (text) => {
      write();
      copyFileSync(path, `${path}.sound`);
      expect(() => checkPublished(path)).not.toThrow();
      writeFileSync(path, text);
      expect(() => checkPublished(path)).toThrow(PublishedDamaged);
      rmSync(path);
      expect(() => checkPublished(path)).toThrow(PublishedDamaged);
      copyFileSync(`${path}.sound`, path);
      expect(() => checkPublished(path)).not.toThrow();
    },
  );
});
