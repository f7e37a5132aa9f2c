/**
 * The package of `npm pack`, as an operator uses it: installed globally where there is no compiler and no registry, then run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { packLoadout } from '../support/package.js';
import { makeDataFolder } from '../support/server/server.js';
import { ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';
import { describeBench } from './installed-bench.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Installing writes some 7,000 files: 10 s on an idle machine.
const npmMillisMax = 90_000;
const startMillisMax = 20_000;
const isNodeApi10 = Number(process.versions['napi']) >= 10;
const sqliteBinary = isNodeApi10
  ? `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`
  : 'node_modules/better-sqlite3-12/build/Release/better_sqlite3.node';
const key = 'installed-key-0123456789abcdef';

const folder = makeDataFolder();
const prefix = join(folder, 'prefix');
const installed = join(prefix, 'lib/node_modules/loadout');
const program = join(prefix, 'bin/loadout');
/** What an operator's machine has, and no more: Node, npm and a shell; no compiler, no registry, no npm cache. */
const bareEnv = {
  PATH: join(folder, 'bin'),
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_offline: 'true',
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_update_notifier: 'false',
};
let packed: readonly string[] = [];

beforeAll(async () => {
  mkdirSync(bareEnv.PATH);
  symlinkSync(process.execPath, join(bareEnv.PATH, 'node'));
  for (const name of ['npm', 'sh']) symlinkSync(programOf(name), join(bareEnv.PATH, name));
  packed = pathsOf(await packLoadout(folder, bareEnv));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'none was made';
  await run('npm', ['install', '--global', '--prefix', prefix, join(folder, tarball)]);
}, 2 * npmMillisMax);

describe('the package', () => {
  it('brings the program, the console, and the binaries of this platform only', () => {
    expect(packed).toContain('dist/loadout.js');
    expect(packed).toContain('dist/demo-game/history.json');
    expect(packed).toContain('dist/game/index.html');
    expect(packed).toContain('dist/game/loadout-client.js');
    expect(packed).toContain('dist/console/index.html');
    expect(packed).toContain('native/build/Release/LICENSES');
    const documents = [
      'docs/README.md',
      'docs/delivery-api.md',
      'docs/operating.md',
      'SECURITY.md',
    ];
    expect(packed).toEqual(expect.arrayContaining(documents));
    const { platform, arch, versions } = process;
    expect(
      packed.filter((path) => path.endsWith('.node')).map((path) => path.split('/').at(-1)),
    ).toEqual(
      expect.arrayContaining([
        'loadout.node',
        sqliteBinary.split('/').at(-1),
        `uws_${platform}_${arch}_${versions.modules}.node`,
      ]),
    );
    const frontEnds = packed.filter((path) => /\/uws_.*\.node$/.test(path));
    expect(frontEnds).toHaveLength(isNodeApi10 ? 2 : 1);
    expect(frontEnds.every((path) => path.includes(`_${platform}_${arch}_`))).toBe(true);
    expect(packed.filter((path) => /sqlite.*\.node$/.test(path))).toEqual([sqliteBinary]);
    expect(packed.filter((path) => /^dist\/.*\.(map|tsbuildinfo)$/.test(path))).toEqual([]);
  });

  it('brings no package that npm would download for or compile when it is installed', () => {
    const manifests = packed.filter((path) => /^node_modules\/.*package\.json$/.test(path));
    expect(manifests.length).toBeGreaterThan(50);
    const withScripts = manifests.filter((path) => {
      const { scripts } = JSON.parse(readFileSync(join(installed, path), 'utf8'));
      return scripts?.preinstall ?? scripts?.install ?? scripts?.postinstall;
    });
    expect(withScripts).toEqual([]);
    expect(packed.filter((path) => path.endsWith('binding.gyp'))).toEqual([]);
  });

  it('leaves the clone as it was', () => {
    const manifestOf = (folder: string) =>
      JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    expect(manifestOf('.').bundleDependencies).toBeUndefined();
    const names = ['better-sqlite3', 'better-sqlite3-12', 'simdjson', 'node-api-headers'];
    for (const name of [...names, '@btc-vision/uwebsockets.js', 'xxhash-addon']) {
      expect(existsSync(join(root, 'node_modules', name, 'package.json.whole'))).toBe(false);
    }
    expect(manifestOf('node_modules/better-sqlite3-12').scripts.install).toMatch(/node-gyp/);
  });
});

describe("what the package says of others' work", () => {
  const text = (name: string): string => readFileSync(join(installed, name), 'utf8');
  // biome-ignore lint/suspicious/noExplicitAny: a bill of materials, of which a test looks at what it needs.
  const bill = (): any => JSON.parse(text('sbom.cdx.json'));
  const inClone = (path: string): string => readFileSync(join(root, path), 'utf8');

  /** Packages that a bundle holds, by their folders in the clone; those of the repository itself are none. */
  function bundled(bundle: 'console' | 'server'): readonly { name: string; folder: string }[] {
    const folders: string[] = JSON.parse(inClone(`build/packages-of-${bundle}.json`));
    return folders.map((folder) => {
      return { folder, name: JSON.parse(inClone(`${folder}/package.json`)).name };
    });
  }

  function licenceFiles(folder: string): readonly string[] {
    const names = readdirSync(join(root, folder)).filter((name) =>
      /^(licen[cs]e|notice)/i.test(name),
    );
    return names.map((name) => inClone(`${folder}/${name}`).trim());
  }

  it('names every package of the bundles with its licence', () => {
    const notices = text('THIRD-PARTY-NOTICES');
    const known = ['react', '@mantine/core', '@codemirror/state', 'zod', 'commander', 'fastify'];
    const all = [...bundled('console'), ...bundled('server')];
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(known));
    for (const { name, folder } of all) {
      const { version } = JSON.parse(inClone(`${folder}/package.json`));
      expect(notices, name).toContain(`\n${name} ${version} (`);
      for (const licence of licenceFiles(folder))
        expect(notices.includes(licence), name).toBe(true);
    }
  });

  it('has the licences of what is compiled into its binaries', () => {
    const notices = text('THIRD-PARTY-NOTICES');
    const [frontEnd = ''] = packed.filter((path) => /\/uws_.*\.node$/.test(path));
    const binary = readFileSync(join(installed, frontEnd), 'latin1');
    for (const [name, trace] of [
      ['uWebSockets', 'uWebSockets/'],
      ['uSockets', 'uSockets/'],
      ['BoringSSL', 'boringssl/'],
      ['lsquic', 'lsquic_'],
      ['ls-qpack', 'lsqpack_'],
      ['ls-hpack', 'lshpack_'],
      ['xxHash', 'XXH64'],
    ] as const) {
      expect(binary.includes(trace), `${name} is in the front end`).toBe(true);
      expect(notices).toMatch(new RegExp(`^${name} \\(.+\\)\nCompiled into the front end, `, 'm'));
    }
    expect(notices).toMatch(
      /^simdjson \(Apache-2\.0\)\nCompiled into native\/build\/Release\/loadout\.node/m,
    );
    const duckdb = packed.find((path) => /libduckdb\.\w+$|duckdb\.dll$/.test(path)) ?? 'none';
    const library = readFileSync(join(installed, duckdb), 'latin1');
    for (const [name, trace] of [
      ['ICU', 'icu_66'],
      ['jemalloc', '<jemalloc>'],
      ['Zstandard', 'duckdb_zstd'],
      ['yyjson', 'duckdb_yyjson'],
    ] as const) {
      expect(library.includes(trace), `${name} is in DuckDB`).toBe(true);
      expect(notices).toContain(`--- ${name} (`);
    }
    expect(notices).toContain('LiteSpeed Technologies Inc');
    expect(notices).not.toContain('AUTHOR\n');
  });

  it('is a bill of materials that CycloneDX takes', async () => {
    const version = Spec.Version.v1dot5;
    expect(bill().specVersion).toBe(version);
    expect(
      await new Validation.JsonStrictValidator(version).validate(text('sbom.cdx.json')),
    ).toBeNull();
    expect(bill().metadata.component).toMatchObject({ name: 'loadout', type: 'application' });
    const refs: string[] = bill().components.map((part: { 'bom-ref': string }) => part['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
  });

  it('lists every package of the bundles and of node_modules, with version and licence', () => {
    type Part = { name: string; purl?: string; licenses: object[] };
    const parts: readonly Part[] = bill().components;
    const listed = new Set(parts.map(({ purl }) => purl));
    const manifests = packed.filter((path) =>
      /^node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    );
    expect(manifests.length).toBeGreaterThan(50);
    const paths = [...bundled('console'), ...bundled('server')].map(
      ({ folder }) => `${folder}/package.json`,
    );
    for (const path of [...manifests, ...paths]) {
      const { name, version } = JSON.parse(inClone(path));
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      expect(listed.has(purl), purl).toBe(true);
    }
    expect(parts.filter(({ licenses }) => licenses.length === 0).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it('lists every binary with its version and its hash', () => {
    const binaries = packed.filter((path) => /\.(node|so|dylib|dll)$/.test(path));
    expect(binaries.length).toBeGreaterThan(3);
    for (const path of binaries) {
      const ref = `file:${path}`;
      const part = bill().components.find((one: { 'bom-ref': string }) => one['bom-ref'] === ref);
      const content = createHash('sha256')
        .update(readFileSync(join(installed, path)))
        .digest('hex');
      expect(part?.hashes, path).toEqual([{ alg: 'SHA-256', content }]);
      expect(part?.version, path).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
    }
    const frontEnd = bill().components.find((one: { name: string }) => one.name.startsWith('uws_'));
    const { version } = JSON.parse(inClone('node_modules/@btc-vision/uwebsockets.js/package.json'));
    expect(frontEnd.version).toBe(version);
  });

  it('is the same whenever it is made of the same', async () => {
    try {
      await run('node', ['native/pack-modules.mjs', 'narrow']);
      for (const name of ['THIRD-PARTY-NOTICES', 'sbom.cdx.json']) {
        expect(inClone(name) === text(name), name).toBe(true);
      }
    } finally {
      await run('node', ['native/pack-modules.mjs', 'restore']);
    }
    expect(existsSync(join(root, 'sbom.cdx.json'))).toBe(false);
  });
});

describe('the installed server', { timeout: 3 * startMillisMax }, () => {
  it('serves what its own command puts, with the native addon, and shows its console', async () => {
    const server = await serveShop();
    try {
      const env = { ...bareEnv, LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
      const loadout = (...args: string[]) => run(program, args, { env });
      const shop = await send(server.deliveryUrl, '/api/v1/config/shop', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{}',
      });
      expect([shop.status, shop.text]).toEqual([200, '{"price":4.99}']);

      const page = await send(server.adminUrl, '/', { headers: { accept: 'text/html' } });
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? 'no script';
      expect((await send(server.adminUrl, script)).status).toBe(200);

      const metrics = await send(server.adminUrl, '/metrics');
      expect(metrics.text).toMatch(/^loadout_native\{listener="0"\} 1$/m);
      expect(server.stderr()).toMatch(/"documentWork":"native"/);

      // What is loaded with its first use is in the package too.
      for (const path of ['/docs', '/docs/static/swagger-initializer.js', '/openapi.json']) {
        expect((await send(server.adminUrl, path)).status, path).toBe(200);
      }
      const copy = join(folder, 'copy.db');
      await loadout('backup', '--out', copy);
      expect(existsSync(copy)).toBe(true);
      const nowhere = 'postgres://127.0.0.1:9/loadout';
      const prepared = loadout('database', 'prepare', '--database', nowhere);
      await expect(prepared).rejects.toThrow(/ECONNREFUSED|cannot be reached/);
    } finally {
      await server.stop();
    }
  });

  it('stores events with the DuckDB of the package', async () => {
    const data = makeDataFolder();
    mkdirSync(join(data, 'events/sealed'), { recursive: true });
    const at = Date.now() - 1_000;
    const e = { t: 'metric', n: 'level', x: 1, at, eid: '1' };
    const line = JSON.stringify({ r: at, env: 'dev', u: 'ann', k: 0, e });
    writeFileSync(join(data, 'events/sealed/7-1-0.ndjson'), `${line}\n`);
    const server = await serve(data);
    try {
      const headers = { authorization: `Bearer ${ownerToken}` };
      await eventually('the event is stored', startMillisMax, async () => {
        const status = await send(server.adminUrl, '/admin/v1/events', { headers });
        return status.json.sinceStart.metricEvents === 1;
      });
    } finally {
      await server.stop();
    }
  });

  it('works in TypeScript where the addon does not load, and says so', async () => {
    await without('native/build/Release/loadout.node', async () => {
      const check = await run('node', [join(installed, 'native/install.mjs')], { env: bareEnv });
      expect(check.stderr).toMatch(/addon does not load[\s\S]*in TypeScript/);
      const server = await serve();
      try {
        const metrics = await send(server.adminUrl, '/metrics');
        expect(metrics.text).toMatch(/^loadout_native\{listener="0"\} 0$/m);
        expect(server.stderr()).toMatch(/"documentWork":"typescript"/);
      } finally {
        await server.stop();
      }
    });
  });

  it('refuses to be installed where what it must have does not load, and says what to do', async () => {
    await without(sqliteBinary, async () => {
      const check = run('node', [join(installed, 'native/install.mjs')], { env: bareEnv });
      await expect(check).rejects.toThrow(/packed for another platform[\s\S]*npm ci && npm pack/);
    });
  });
});

const benchFolder = makeDataFolder();
describeBench({ folder: benchFolder, program, env: bareEnv }, serveShop, key);

/** The installed server with a content item that the key opens. */
async function serveShop() {
  const server = await serve();
  const env = { ...bareEnv, LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
  const loadout = (...args: string[]) => run(program, args, { env, stdin: '{"price": 4.99}' });
  await loadout('env', 'create', 'dev');
  await loadout('key', 'create', '--env', 'dev', '--value', key);
  await loadout('content', 'put', 'shop', '-', '--env', 'dev');
  return server;
}

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Moves a file of the installed package away while `work` runs. */
async function without(file: string, work: () => Promise<void>): Promise<void> {
  const path = join(installed, file);
  renameSync(path, `${path}.away`);
  try {
    await work();
  } finally {
    renameSync(`${path}.away`, path);
  }
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs a program in the clone to its end; throws what it said unless it ended with 0. */
async function run(
  name: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Output> {
  const { env = bareEnv, stdin = '' } = options;
  const child = spawn(name, args, { cwd: root, env, stdio: 'pipe', timeout: npmMillisMax });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (piece: string) => {
      output[stream] += piece;
    });
  }
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [code] = await once(child, 'close');
  running.delete(child);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')}: code ${code}\n${output.stderr}`);
  return output;
}

/** The installed `loadout serve`, ready, on free loopback ports and a data folder of its own. */
async function serve(data: string = makeDataFolder()) {
  const ports = ['--port', '0', '--admin-port', '0', '--host', '127.0.0.1', '--listeners', '1'];
  const child = spawn(program, ['serve', ...ports, '--data', data], {
    env: { ...bareEnv, LOADOUT_ADMIN_TOKEN: ownerToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exit = once(child, 'close').finally(() => running.delete(child));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  const stdout = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`serve did not say ready\n${stderr}`));
    setTimeout(fail, startMillisMax).unref();
    exit.then(fail);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      if (/^ready$/m.test(said)) resolve(said);
    });
  });
  const urlOf = (label: string) =>
    new URL(new RegExp(`^${label}\\s+(\\S+)`, 'm').exec(stdout)?.[1] ?? '').origin;
  return {
    deliveryUrl: urlOf('delivery'),
    adminUrl: urlOf('console'),
    stderr: () => stderr,
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function programOf(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((path) => join(path, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not on the PATH`);
  return realpathSync(found);
}

/** The files of a package, from `npm pack --json`: a list of packages, or since npm 11 perhaps an object by name. */
function pathsOf(json: string): readonly string[] {
  const [answer] = Object.values(JSON.parse(json)) as { files: { path: string }[] }[];
  return (answer?.files ?? []).map(({ path }) => path);
}
