/**
 * What is compiled and does not load ends `serve` and `demo` with one sentence and its remedy, before the data folder is
 * touched; and a build of the front end is chosen, patched where it must be, and shared by processes that start at once.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builds } from '../../src/delivery/uws/builds.js';
import { eventually } from '../support/eventually.js';
import { OtherInstall } from '../support/server/other-install.js';
import { childrenOf } from '../support/server/process-tree.js';

const { platform, arch, versions } = process;
const frontEnd = '@btc-vision/uwebsockets.js';
const binary = `uws_${platform}_${arch}_${versions.modules}.node`;
const sqlite = Number(versions['napi']) >= 10 ? 'better-sqlite3' : 'better-sqlite3-12';
const here = `Node ${versions.node} \\(ABI ${versions.modules}\\) on ${platform}-${arch}`;
const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
const isPatchedHere =
  platform === 'linux' && Number(header.glibcVersionRuntime?.split('.')[1]) < 38;
const ports = ['--host', '127.0.0.1', '--port', '0', '--admin-port', '0', '--listeners', '2'];

/** The command ends with 1 and says one sentence, and has made no data folder. */
async function expectSentence(
  install: OtherInstall,
  command: 'serve' | 'demo',
  sentence: RegExp,
): Promise<void> {
  const data = install.path('data');
  const ran = await install.run([command, ...ports, '--data', data]);
  expect(ran.stderr).toMatch(sentence);
  expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect([ran.code, ran.stdout]).toEqual([1, '']);
  expect(existsSync(data)).toBe(false);
}

// Each test starts several servers.
const timeout = 90_000;

describe('a start without', { timeout }, () => {
  it('a front-end binary for this Node names the versions that have one', async () => {
    const install = new OtherInstall().hollow(frontEnd, 'package.json', 'uws.js');
    const sentence = new RegExp(
      `^error: The delivery front end has no binary for ${here}; run Loadout with Node 24 or 22`,
    );
    await expectSentence(install, 'serve', sentence);
    await expectSentence(install, 'demo', sentence);
  });

  it('the front end at all says to install it', async () => {
    const install = new OtherInstall().hollow(frontEnd);
    await expectSentence(
      install,
      'serve',
      /^error: The delivery front end is not installed: .*npm ci/,
    );
  });

  it('a whole front-end binary says so', async () => {
    const install = new OtherInstall().hollow(frontEnd, 'package.json', 'uws.js', binary);
    truncateSync(install.path(`node_modules/${frontEnd}/${binary}`), 1_000_000);
    await expectSentence(
      install,
      'serve',
      new RegExp(`^error: The delivery front end cannot be loaded by ${here}: .*npm ci`),
    );
  });

  it('SQLite says so, and not that the data folder cannot be written to', async () => {
    const install = new OtherInstall().hollow(sqlite, 'package.json', 'lib');
    const sentence = /^error: SQLite cannot be loaded by Node [\d.]+ \(.+\); .*install.*\./;
    await expectSentence(install, 'serve', sentence);
    await expectSentence(install, 'demo', sentence);
    // A command that needs no server, but the driver.
    const restored = await install.run(['restore', 'backup.db', '--data', install.path('data')]);
    expect([restored.code, restored.stdout]).toEqual([1, '']);
    expect(restored.stderr).toMatch(sentence);
  });

  it('the hash addon says so', async () => {
    const install = new OtherInstall().hollow('xxhash-addon', 'package.json', 'xxhash-addon.js');
    await expectSentence(
      install,
      'serve',
      /^error: xxhash-addon cannot be loaded by Node .*npm ci/,
    );
  });

  it('the native addon serves in TypeScript and says so, in a demo too', async () => {
    const note =
      /^The native addon is not built for this machine, so the server works in TypeScript/m;
    const install = new OtherInstall();
    const served = await install.run(
      ['serve', ...ports, '--data', install.path('data')],
      /^ready$/m,
    );
    expect([served.code, served.stderr]).toEqual([0, expect.stringMatching(note)]);
    const demo = await install.run(['demo', ...ports, '--game-port', '0', '--no-players'], note);
    expect(demo.stderr).toMatch(note);
    const withAddon = new OtherInstall().withAddon();
    const quiet = await withAddon.run(
      ['serve', ...ports, '--data', install.path('data')],
      /^ready$/m,
    );
    expect([quiet.code, quiet.stderr]).toEqual([0, expect.not.stringMatching(note)]);
  });
});

describe('a server without DuckDB', { timeout }, () => {
  it('serves, keeps events in their files, and says what is missing', async () => {
    const install = new OtherInstall().hollow('@duckdb/node-api');
    const data = install.path('data');
    mkdirSync(join(data, 'events/sealed'), { recursive: true });
    const sealed = join(data, 'events/sealed/7-1-0.ndjson');
    const line = {
      r: 2,
      env: 'dev',
      u: 'a',
      k: 0,
      e: { t: 'metric', n: 'b', x: 1, at: 1, eid: '1' },
    };
    writeFileSync(sealed, `${JSON.stringify(line)}\n`);
    const ran = await install.run(
      ['serve', ...ports, '--data', data, '--events-store-seconds', '1'],
      /"reason":"duckdb_unavailable"/,
    );
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^ready$/m);
    expect(ran.stderr).toMatch(/DuckDB cannot be loaded on .*optional packages/);
    const waiting = readdirSync(join(data, 'events/pending'), { recursive: true });
    expect(waiting).toContainEqual(expect.stringContaining('7-1-0.ndjson'));
  });
});

describe('the front end', { timeout }, () => {
  const bundled = realpathSync(new OtherInstall().path(`node_modules/${frontEnd}`));

  it('is an official build where one is installed, and its fault is named where it does not load', async () => {
    const install = new OtherInstall();
    const place = install.path('node_modules/uWebSockets.js');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{"name":"uWebSockets.js","main":"uws.js"}');
    writeFileSync(join(place, 'uws.js'), 'throw new Error("GLIBC_2.38 not found\\nin here")');
    await expectSentence(
      install,
      'serve',
      /^error: The installed official build of uWebSockets.js cannot be loaded: GLIBC_2.38 not found in here; remove it/,
    );
    const copy = readdirSync(bundled).find((name) => name.includes('.patched.')) ?? binary;
    const load = `process.stderr.write('official\\n'); module.exports = require(${JSON.stringify(join(bundled, copy))})`;
    writeFileSync(join(place, 'uws.js'), load);
    const served = await install.run(
      ['serve', ...ports, '--data', install.path('data')],
      /^ready$/m,
    );
    expect(served.code).toBe(0);
    // The control process, which looks whether it loads, and two delivery processes.
    expect(served.stderr.match(/^official$/gm)).toHaveLength(3);
  });

  it.runIf(binary in builds)('is patched once for processes that start at once', async () => {
    const install = new OtherInstall().hollow(frontEnd, 'package.json', 'uws.js', binary);
    const place = install.path(`node_modules/${frontEnd}`);
    const starts = ['a', 'b', 'c'].map((data) =>
      install.run(['serve', ...ports, '--data', install.path(data)], /^ready$/m),
    );
    expect((await Promise.all(starts)).map(({ code }) => code)).toEqual([0, 0, 0]);
    const copies = readdirSync(place).filter((name) => name.includes('patched'));
    // None where the C library is new enough for the original.
    expect(copies.length).toBeLessThanOrEqual(1);
    for (const copy of copies) {
      const bytes = readFileSync(join(place, copy));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(builds[binary]?.patched);
    }
  });

  it.runIf(isPatchedHere)(
    'is a private copy in $TMPDIR where its folder cannot be written',
    async () => {
      const install = new OtherInstall().hollow(frontEnd, 'package.json', 'uws.js', binary);
      // A folder of the copy's name: writing there fails for root as well.
      mkdirSync(
        install.path(`node_modules/${frontEnd}/${binary.replace('.node', '.patched.node')}`),
      );
      const folder = install.path('tmp');
      mkdirSync(folder);
      const child = install.spawn(['serve', ...ports, '--data', install.path('data')], {
        TMPDIR: folder,
      });
      const closed = once(child, 'close');
      try {
        let stdout = '';
        child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
          stdout += piece;
        });
        await eventually('it to be ready', 20_000, () => /^ready$/m.test(stdout));
        const processes = childrenOf(child.pid ?? -1);
        expect(processes).toHaveLength(2);
        for (const pid of processes) {
          const mapped = readFileSync(`/proc/${pid}/maps`, 'utf8');
          expect(mapped).toMatch(new RegExp(`${folder}/\\.loadout-\\w+/uws\\.node \\(deleted\\)`));
        }
        expect(readdirSync(folder)).toEqual([]);
      } finally {
        child.kill('SIGTERM');
        await closed;
      }
    },
  );
});
