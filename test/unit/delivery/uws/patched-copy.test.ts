/**
 * Where the patched copy lies, and that only the known file is loaded, whatever lies there already. `load` reads the file
 * instead of linking it, so that the test may look at it; `package/binaries.test.ts` has servers load it.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { builds } from '../../../../src/delivery/uws/builds.js';
import { loadOriginal, loadPatchedCopy } from '../../../../src/delivery/uws/patched-copy.js';

const name = 'uws_linux_x64_137.node';
const copyName = 'uws_linux_x64_137.patched.node';
const module = fileURLToPath(
  new URL('../../../../node_modules/@btc-vision/uwebsockets.js/', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'loadout-patched-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let place: string;
let privateRoot: string;
beforeEach(() => {
  place = mkdtempSync(join(folder, 'prefix-'));
  privateRoot = mkdtempSync(join(folder, 'tmp-'));
  copyFileSync(join(module, name), join(place, name));
});

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const load = (loaded = sha256Of) =>
  loadPatchedCopy(join(place, name), build, (copy) => ({ copy, loaded: loaded(copy) }), [
    privateRoot,
  ]);
const build = builds[name] ?? { original: 'unknown', patched: null };
const known = build.patched;

describe('loadOriginal', () => {
  it('loads the known file, and no other', () => {
    const path = join(place, name);
    expect(loadOriginal(path, build, sha256Of)).toBe(build.original);
    writeFileSync(path, readFileSync(path).subarray(1));
    expect(() => loadOriginal(path, build, sha256Of)).toThrow('is not the file that was published');
  });
});

describe('loadPatchedCopy', () => {
  it('keeps the copy beside the original, and makes it once', () => {
    expect(load()).toEqual({ copy: join(place, copyName), loaded: known });
    const made = lstatSync(join(place, copyName));
    expect(load()).toEqual({ copy: join(place, copyName), loaded: known });
    expect(lstatSync(join(place, copyName)).ino).toBe(made.ino);
    expect(readdirSync(place).sort()).toEqual([name, copyName].sort());
  });

  it('replaces a copy that is not the known file', () => {
    for (const bytes of ['', 'something else']) {
      writeFileSync(join(place, copyName), bytes);
      expect(load().loaded).toBe(known);
    }
  });

  it('loads a private copy where the folder cannot be written, and leaves nothing behind', () => {
    // A folder of the copy's name: writing there fails for root as well.
    mkdirSync(join(place, copyName));
    const mode = (copy: string) => {
      const parent = lstatSync(dirname(copy));
      expect(parent.mode & 0o777).toBe(0o700);
      expect(lstatSync(copy).mode & 0o777).toBe(0o600);
      return sha256Of(copy);
    };
    const { copy, loaded } = load(mode);
    expect(loaded).toBe(known);
    expect(copy.startsWith(privateRoot)).toBe(true);
    expect(readdirSync(privateRoot)).toEqual([]);
    expect(readdirSync(place).sort()).toEqual([name, copyName].sort());
  });

  it('tries the next folder where one does not let files be loaded, and says all the reasons', () => {
    const notHere = (copy: string) => {
      if (!copy.startsWith(privateRoot)) throw new Error('mounted noexec');
      return sha256Of(copy);
    };
    expect(load(notHere).copy.startsWith(privateRoot)).toBe(true);
    const nowhere = () => {
      throw new Error('mounted noexec');
    };
    expect(() => load(nowhere)).toThrow('mounted noexec; mounted noexec');
    expect(readdirSync(privateRoot)).toEqual([]);
  });

  it('patches no file but the one that is known', () => {
    const bytes = readFileSync(join(module, name));
    const altered = Buffer.from(bytes);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    for (const other of [altered, bytes.subarray(0, bytes.length - 1), Buffer.from('')]) {
      writeFileSync(join(place, name), other);
      expect(() => load()).toThrow('is not the file that was published under this name');
    }
    expect(readdirSync(place)).toEqual([name]);
  });
});
