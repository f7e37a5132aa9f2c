/** The file of the followers that a server had, on a real file system: what is kept, ignored and said. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KnownFollowers } from '../../../../src/management/follow/known-followers.js';
import { knownFollowersFileBytesMax } from '../../../../src/management/limits/follow.js';

let folder: string;
let path: string;
let warned: string[];
const log = { warn: ({ event }: { readonly event: string }) => warned.push(event) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  path = join(folder, 'followers.json');
  warned = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function known(...ids: string[]): { readonly id: string; readonly name: string }[] {
  return ids.map((id) => ({ id, name: `name of ${id}` }));
}

describe('the file of the followers that a server had', () => {
  it('has the last set that was kept, for the next start and for nobody else', async () => {
    const file = new KnownFollowers(path, log);
    expect(file.read(10)).toEqual([]);
    for (let count = 1; count <= 50; count += 1) {
      file.keep(known(...Array.from({ length: count }, (_, at) => `f${at}`)));
    }
    file.keep(known('a', 'b'));
    await file.close();
    expect(new KnownFollowers(path, log).read(10)).toEqual(known('a', 'b'));
    expect(readdirSync(folder)).toEqual(['followers.json']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    file.keep([]);
    await file.close();
    expect(file.read(10)).toEqual([]);
    expect(warned).toEqual([]);
  });

  it('gives no more of them than a server takes', async () => {
    const file = new KnownFollowers(path, log);
    file.keep(known('a', 'b', 'c'));
    await file.close();
    expect(file.read(2)).toEqual(known('a', 'b'));
  });

  it.each([
    ['is empty', ''],
    ['was cut off', '{"followers":[{"id":"a","na'],
    ['is another one', '[]'],
    ['has no names', '{"followers":[{"id":"a"}]}'],
    [
      'has a name of any length',
      JSON.stringify({ followers: [{ id: 'a', name: 'x'.repeat(301) }] }),
    ],
    ['is too large', `{"followers":[]}${' '.repeat(knownFollowersFileBytesMax)}`],
  ])('is ignored with a warning where it %s', async (_, written) => {
    writeFileSync(path, written);
    const file = new KnownFollowers(path, log);
    expect(file.read(10)).toEqual([]);
    expect(warned).toEqual(['known_followers_unreadable']);
    file.keep(known('a'));
    await file.close();
    expect(file.read(10)).toEqual(known('a'));
  });

  it('is missed once in the log while it cannot be written, and written when it can be', async () => {
    rmSync(folder, { recursive: true });
    const file = new KnownFollowers(path, log);
    for (const id of ['a', 'b']) {
      file.keep(known(id));
      await file.close();
    }
    expect(existsSync(path)).toBe(false);
    expect(warned).toEqual(['known_followers_not_written']);
    mkdirSync(folder);
    file.keep(known('c'));
    await file.close();
    expect(file.read(10)).toEqual(known('c'));
    expect(warned).toHaveLength(1);
  });
});
