/**
 * The patch makes of each binary that is known the one file that is known, by changing nothing but what it must; and refuses
 * what is not such a binary.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builds } from '../../../../src/delivery/uws/builds.js';
import { patchGlibc } from '../../../../src/delivery/uws/patch-glibc.js';
import { type FrontEndPackage, fetchFrontEndPackage } from '../../../support/front-end-package.js';

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let frontEnd: FrontEndPackage;
const readBuild = (name: string) => frontEnd.read(name);
beforeAll(() => {
  frontEnd = fetchFrontEndPackage();
});
afterAll(() => frontEnd.remove());

describe('patchGlibc', () => {
  it.each(Object.entries(builds))('makes the known file of %s', (name, build) => {
    const original = readBuild(name);
    expect(sha256(original)).toBe(build.original);
    if (build.patched === null) return;
    const patched = patchGlibc(original);
    expect(sha256(patched)).toBe(build.patched);
    expect(sha256(original), 'the input is left as it was').toBe(build.original);
    // One byte for each name's offset and one for its version (arm64 has no sscanf), and the flag.
    const changed = patched.filter((byte, at) => byte !== original[at]).length;
    expect(changed).toBe(name.includes('arm64') ? 5 : 7);
  });

  it('refuses a file that was cut off', () => {
    const original = readBuild('uws_linux_x64_137.node');
    for (const length of [0, 3, 63, 4_096, 600_000, original.length - 1]) {
      expect(() => patchGlibc(original.subarray(0, length)), `${length} bytes`).toThrow();
    }
  });

  it('refuses what is no ELF file, and one that needs nothing of glibc 2.38', () => {
    expect(() => patchGlibc(readBuild('uws_darwin_arm64_137.node'))).toThrow('no ELF file');
    const addon = readFileSync(`${modules}xxhash-addon/prebuilds/linux-x64/addon.napi.glibc.node`);
    expect(() => patchGlibc(addon)).toThrow('no need of glibc 2.38');
    // A patched file names the version still, but no symbol needs it: there is nothing left to change.
    const patched = patchGlibc(readBuild('uws_linux_x64_137.node'));
    expect(sha256(patchGlibc(patched))).toBe(sha256(patched));
  });

  it('refuses a file that needs more of glibc 2.38 than what has an older variant', () => {
    const original = readBuild('uws_linux_x64_137.node');
    // The same length, so that only the name differs: a C23 function with no older variant of its own.
    const name = original.indexOf('__isoc23_strtoul\0');
    original.write('__memccpy_chk_23', name, 'latin1');
    expect(() => patchGlibc(original)).toThrow('__memccpy_chk_23 has no older variant');
  });
});
