/**
 * The artefact for arm64, whose binaries are cross-compiled, run: under qemu where the processor is another one. What it shows
 * is that all that is compiled loads and works, not how fast.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { Installed, nodeOf } from './installed.js';

const release = inject('release');
const made = typeof release === 'string' ? { version: '', out: '' } : release;
const artefact = join(made.out, `loadout-${made.version}-linux-arm64.tgz`);
const minutes = 60_000;

/** A program that runs Node of arm64 with its arguments. Processes that it forks run by it, too. */
function emulated(major: string): string {
  const node = nodeOf(major, 'arm64');
  if (process.arch === 'arm64') return node;
  const folder = makeDataFolder();
  const [program, preload] = [join(folder, 'node'), join(folder, 'preload.cjs')];
  writeFileSync(preload, `process.execPath = ${JSON.stringify(program)};\n`);
  const qemu = 'qemu-aarch64 -L /usr/aarch64-linux-gnu';
  writeFileSync(program, `#!/bin/sh\nexec ${qemu} ${node} --require ${preload} "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

describe.skipIf(typeof release === 'string')('the artefact for arm64', () => {
  it.each(['20', '22', '24'])(
    'has binaries that Node %s loads',
    (major) => {
      const installed = Installed.with(emulated(major)).unpack(artefact);
      expect(installed.check()).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(installed.run('--version')).toBe(`${made.version}\n`);
    },
    5 * minutes,
  );

  it(
    'serves a content that it was given, with the native addon',
    async () => {
      const { program, node } = Installed.with(emulated('24')).unpack(artefact);
      const server = await startServer({
        program,
        node,
        listeners: 1,
        startMillisMax: 4 * minutes,
      });
      const game = await makeEnvironment(server);
      await game.putSegment('whales', { level: { $gte: 40 } });
      const mapping = [{ segment: 'whales', merge: { price: 9.9 } }];
      await game.put('shop', '{ "price": 1.10, /* kept */ "gold": 1e400 }', { mapping });
      expect((await game.plain('shop')).text).toBe('{"price":1.10,"gold":1e400}');
      const whale = await game.wrapped('shop', { u: 'ada', p: { level: 41 } });
      expect(whale.json.data.price).toBe(9.9);
      const { text } = await server.admin('GET', '/metrics');
      expect(text).toMatch(/^loadout_build_info\{.*arch="arm64"/m);
      expect(text).toMatch(/^loadout_native\{listener="0"\} 1$/m);
      expect((await server.stop()).code).toBe(0);
    },
    6 * minutes,
  );
});
