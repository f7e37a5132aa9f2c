/** Goal: the C++ kit builds wherever a game does. Method: compilers, CMake and sanitizers on the sources, programs run. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { missingTools } from '../tools.mjs';

const kit = join(import.meta.dirname, '../../clients/cpp');
const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror'];
const bare = ['-fno-exceptions', '-fno-rtti'];
const sanitized = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
/** Several compilers share two cores with other tests. */
const timeout = 600_000;
/** For each target. `clients/cpp/fuzz/run.sh 600` runs them for ten minutes. */
const fuzzSeconds = 5;
const shownMillisMax = 30_000;

const missing = process.env['CI'] === undefined ? missingTools([{ tools: ['c++'] }]) : [];
if (missing.length > 0) console.warn(`skipped: C++ package: no ${missing.join(', ')}`);

const work = mkdtempSync(join(tmpdir(), 'loadout-cpp-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** @returns standard output; throws with all output when the program fails */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: kit, maxBuffer: 1 << 26 });
  return stdout;
}

function compile(compiler: string, ...args: readonly string[]): Promise<string> {
  return run(compiler, '-std=c++17', '-Iinclude', ...args);
}

describe.skipIf(missing.length > 0)('the C++ kit', () => {
  describe.each([
    ['g++', []],
    ['g++', bare],
    ['clang++', []],
    ['clang++', bare],
  ] as const)('with %s %j', (compiler, flags) => {
    it('compiles without a warning', { timeout }, async () => {
      await compile(compiler, ...flags, ...strict, '-fsyntax-only', 'driver/driver.cpp');
    });
  });

  it('compiles as Unreal compiles it, against stubs', { timeout }, async () => {
    const sources = ['unreal/Source/LoadoutSubsystem.cpp', 'unreal/Source/LoadoutTransport.cpp'];
    const places = ['-Iunreal/stubs', '-Iunreal/Source'];
    const flags = [...bare, '-Wall', '-Wextra', '-Werror', '-fsyntax-only'];
    await compile('clang++', ...flags, ...places, ...sources);
  });

  it('has headers that can be included alone, and in several files of a program', {
    timeout,
  }, async () => {
    const folder = join(work, 'headers');
    mkdirSync(folder);
    const include = join(kit, 'include');
    const headers = readdirSync(include, { recursive: true, encoding: 'utf8' });
    const sources = headers
      .filter((name) => name.endsWith('.hpp'))
      .map((name, at) => {
        const source = join(folder, `${at}.cpp`);
        writeFileSync(source, `#include "${name}"\n`);
        return source;
      });
    expect(sources.length).toBeGreaterThan(20);
    await compile('g++', ...strict, '-fsyntax-only', ...sources);
    // Everything that is not inline would be defined twice.
    const [one, other] = ['int main() {}', ''].map((code, at) => {
      const source = join(folder, `part-${at}.cpp`);
      writeFileSync(
        source,
        `#include "loadout/client.hpp"\n#include "loadout/curl_transport.hpp"\n${code}\n`,
      );
      return source;
    });
    await compile('g++', `${one}`, `${other}`, '-o', join(folder, 'program'), '-lcurl');
  });

  it('has values of the type of the default, and callbacks in update only', {
    timeout,
  }, async () => {
    const program = join(work, 'values');
    await compile('clang++', ...strict, ...sanitized, 'test/values.cpp', '-o', program);
    const folder = join(work, 'saves');
    mkdirSync(folder);
    expect(await run(program, folder)).toBe('');
  });

  it('survives a short fuzz under sanitizers', { timeout }, async () => {
    // A finding, and anything that does not build, ends the script with a status of its own: execFile rejects.
    const output = await run('sh', 'fuzz/run.sh', String(fuzzSeconds));
    expect(output.match(/^== .*$/gm)).toEqual(
      ['json', 'event-stream', 'page'].map((target) => `== ${target}, ${fuzzSeconds} s`),
    );
  });

  it('has a quick start that compiles', { timeout }, async () => {
    const [, code = ''] =
      /```cpp\n([\s\S]*?)```/.exec(readFileSync(join(kit, 'README.md'), 'utf8')) ?? [];
    expect(code).toContain('int main()');
    const source = join(work, 'quick-start.cpp');
    writeFileSync(source, code);
    await compile('g++', ...strict, '-fsyntax-only', source);
  });

  describe('installed with CMake', () => {
    let server: LoadoutServer;
    let game: Environment;
    const prefix = join(work, 'prefix');
    const build = join(work, 'build');
    beforeAll(async () => {
      server = await startServer({ listeners: 1, flags: ['--stream-wakes-per-second', '0'] });
      game = await makeEnvironment(server);
      await game.put('shop', '{"price":5.5}');
      await run('cmake', '-S', '.', '-B', join(work, 'kit'));
      await run('cmake', '--install', join(work, 'kit'), '--prefix', prefix);
      await run(
        'cmake',
        '-S',
        'samples',
        '-B',
        build,
        `-DCMAKE_PREFIX_PATH=${prefix}`,
        `-DCMAKE_CXX_FLAGS=${strict.join(' ')}`,
      );
      await run('cmake', '--build', build);
    }, timeout);

    it('is found by a game, whose loop sees each edit', { timeout }, async () => {
      const program = join(build, 'loop');
      const rest = [game.key, 'ada', join(work, 'kept')] as const;
      const loop = spawn(program, [server.deliveryUrl, ...rest, '1000000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      loop.stdout.setEncoding('utf8').on('data', (piece: string) => {
        said += piece;
      });
      const closed = once(loop, 'close');
      // A game that ends before it has confirmed a configuration has crashed on it, and starts with the one before.
      const expectSaid = (line: string): Promise<unknown> =>
        eventually(`${line} in ${said}`, shownMillisMax, () => said.includes(`${line}\nconfirmed`));
      try {
        await expectSaid('a sword costs 5.50 (server)');
        await game.put('shop', '{"price":6.25}');
        await expectSaid('a sword costs 6.25 (server)');
      } finally {
        loop.kill('SIGKILL');
        await closed;
      }
      await server.stop();
      expect(await run(program, server.deliveryUrl, ...rest, '1')).toContain(
        'a sword costs 6.25 (cache)',
      );
    });

    it('is not found by a game that needs another minor version', async () => {
      const folder = join(work, 'other');
      mkdirSync(folder);
      writeFileSync(
        join(folder, 'CMakeLists.txt'),
        'cmake_minimum_required(VERSION 3.16)\nproject(Other LANGUAGES CXX)\nfind_package(Loadout 0.9 REQUIRED)\n',
      );
      const configured = run(
        'cmake',
        '-S',
        folder,
        '-B',
        join(folder, 'build'),
        `-DCMAKE_PREFIX_PATH=${prefix}`,
      );
      await expect(configured).rejects.toThrow('requested version "0.9"');
    });
  });
});
