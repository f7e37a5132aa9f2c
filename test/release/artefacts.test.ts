/** What `npm run release` makes: complete, for every Node of a platform, and the same bytes when it is made again. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { checkReproducible } from '../../release/check.mjs';
import { differences } from '../../release/compare.mjs';
import { abis, targets } from '../../release/targets.mjs';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { Installed, nodeOf } from './installed.js';

const release = inject('release');
const made = typeof release === 'string' ? { version: '', out: '', clone: '' } : release;
const artefact = (name: string): string => join(made.out, `loadout-${made.version}-${name}.tgz`);
const minutes = 60_000;

describe.skipIf(typeof release === 'string')('the artefacts', () => {
  it('are named in SHA256SUMS, each with its bill of materials', () => {
    const sums = readFileSync(join(made.out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const named = Object.fromEntries(sums.map((line) => line.split('  ').reverse()));
    const files = readdirSync(made.out).filter((name) => name !== 'SHA256SUMS');
    expect(Object.keys(named).sort()).toEqual(files.sort());
    expect(files).toHaveLength(2 * targets.length);
    for (const name of files) {
      const digest = createHash('sha256')
        .update(readFileSync(join(made.out, name)))
        .digest('hex');
      expect(named[name], name).toBe(digest);
    }
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: made.out })).toBeTruthy();
  });

  it.each(targets.map(({ name, arch }) => ({ name, arch })))(
    '$name has what every supported Node needs there, and nothing of another platform',
    ({ name, arch }) => {
      const listed = execFileSync('tar', ['-tzf', artefact(name)], { encoding: 'utf8' });
      const binaries = listed.split('\n').filter((path) => /\.(node|so)$/.test(path));
      const modules = 'package/node_modules';
      expect(binaries.sort()).toEqual(
        [
          ...abis.map(
            (abi) => `${modules}/@btc-vision/uwebsockets.js/uws_linux_${arch}_${abi}.node`,
          ),
          `${modules}/@duckdb/node-bindings-${name}/duckdb.node`,
          `${modules}/@duckdb/node-bindings-${name}/libduckdb.so`,
          `${modules}/@napi-rs/nice-${name}-gnu/nice.${name}-gnu.node`,
          `${modules}/better-sqlite3-12/build/Release/better_sqlite3.node`,
          `${modules}/better-sqlite3/prebuilds/${name}.node`,
          `${modules}/xxhash-addon/prebuilds/${name}/addon.napi.glibc.node`,
          'package/native/build/Release/loadout.node',
        ].sort(),
      );
      // Of the ELF header: EM_AARCH64 or EM_X86_64.
      const machine = arch === 'arm64' ? 183 : 62;
      for (const path of binaries) {
        const options = { maxBuffer: 200 * 1024 * 1024 };
        const bytes = execFileSync('tar', ['-xzOf', artefact(name), path], options);
        expect(bytes.readUInt16LE(18), path).toBe(machine);
        expect(bytes.includes(made.clone), path).toBe(false);
      }
    },
  );

  it(
    'have the same bytes when the one of x64 is built again, elsewhere and with another umask',
    async () => {
      const first = { ...made, names: ['linux-x64'] };
      expect(await checkReproducible(made.clone, first, true)).toEqual([]);
    },
    15 * minutes,
  );
});

describe.skipIf(typeof release === 'string' || process.arch !== 'x64')('one artefact', () => {
  it.each(['20', '22', '24'])(
    'is installed and serves on Node %s',
    async (major) => {
      const installed = Installed.with(nodeOf(major));
      await installed.install(artefact('linux-x64'));
      expect(installed.run('--version')).toBe(`${made.version}\n`);
      const { program, node } = installed;
      const server = await startServer({ program, node, listeners: 1 });
      const page = (await server.admin('GET', '/metrics')).text;
      expect(page).toContain(`loadout_build_info{version="${made.version}",node="${major}.`);
      expect(page).toMatch(/^loadout_native\{listener="0"\} 1$/m);
      await server.stop();
    },
    5 * minutes,
  );
});

describe('a comparison', () => {
  const packed = (files: Readonly<Record<string, string>>, mode = 0o644): string => {
    const folder = makeDataFolder();
    mkdirSync(join(folder, 'package'));
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, 'package', name), content, { mode });
    }
    execFileSync('tar', ['-czf', 'made.tgz', 'package'], { cwd: folder });
    return join(folder, 'made.tgz');
  };

  it('says which file differs, by how much and from where', async () => {
    const one = packed({ same: 'x', changed: 'abc', longer: 'ab', first: '' });
    const other = packed({ same: 'x', changed: 'abd', longer: 'abc', second: '' });
    expect(await differences(one, other)).toEqual([
      'package/changed: 3 bytes, the first difference at byte 2',
      'package/first: only in the first',
      'package/longer: 2 and 3 bytes, the first difference at byte 2',
      'package/second: only in the second',
    ]);
    expect(await differences(one, one)).toEqual([]);
  });

  it('sees another mode', async () => {
    const found = await differences(packed({ a: 'x' }), packed({ a: 'x' }, 0o755));
    expect(found).toEqual(['package/a: mode 644 and 755']);
  });
});
