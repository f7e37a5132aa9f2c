/**
 * The suites beside `npm test`, and when each must run again. A suite covers paths; its fingerprint is a hash of the
 * tracked files there. `suites.json` has the fingerprint with which each passed last, so what has not changed since then
 * need not run again: `.ci/run` runs those that differ. No commit is compared with another one.
 *
 *   node test/suites.mjs fast              the tests of `npm test`, and the checks beside them
 *   node test/suites.mjs list              each suite, and whether it must run
 *   node test/suites.mjs changed           runs those that must, for --minutes at most (CI)
 *   node test/suites.mjs record [name…]    runs those named, or all, and records each that passes
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const recordPath = 'test/suites.json';

const vitest = (project) => `npx vitest run --config test/vitest.config.ts --project ${project}`;

/**
 * Paths are prefixes: a file, or a folder with its slash. `minutes` is what the suite may take on two cores; it stands in
 * for the measured time until there is one.
 * @type {readonly { name: string, promises: string, command: string, covers: readonly string[] }[]}
 */
export const suites = [
  {
    name: 'stores',
    promises: 'what the store promises, on PostgreSQL, and the life of a content there',
    command: vitest('stores'),
    covers: [
      'src/management/',
      'src/published/',
      'src/management-worker.ts',
      'test/unit/management/',
      'test/server/life-of-content.test.ts',
    ],
  },
  {
    name: 'fleet',
    promises: 'several servers on a database that fails over, is cut off, or is moved to',
    command: vitest('fleet'),
    covers: [
      'src/management/',
      'src/published/',
      'src/delivery/follower.ts',
      'src/delivery/published-index.ts',
      'src/delivery-process.ts',
      'src/command/database',
      'src/command/migrate.ts',
      'src/command/nodes.ts',
      'src/command/serve',
      'src/command/start-server.ts',
      'src/OPERATING.md',
      'test/fleet/',
    ],
  },
  {
    name: 'console',
    promises: 'what people do in the console, in Chromium, and that everybody can',
    command: vitest('console'),
    covers: ['src/console/', 'src/management/', 'src/command/demo', 'test/console/'],
  },
  {
    name: 'failures',
    promises: 'kills, full disks, damaged files, stalled processes, upgrades and backups',
    command: vitest('failures'),
    covers: [
      'src/management/',
      'src/published/',
      'src/delivery/',
      'src/backup-thread.ts',
      'src/delivery-process.ts',
      'src/management-worker.ts',
      'src/render-worker.ts',
      'src/command/backup.ts',
      'src/command/output.ts',
      'src/command/restore.ts',
      'src/command/serve',
      'src/command/start-server.ts',
      'test/failures/',
    ],
  },
  {
    name: 'hostile',
    promises:
      'malformed, cut, endless and oversized requests, and more of them than there is room for',
    command: vitest('hostile'),
    covers: [
      'src/content/',
      'src/delivery/',
      'src/management/api/',
      'src/management/limits.ts',
      'src/management/work/',
      'src/native/',
      'src/delivery-process.ts',
      'native/',
      'test/hostile/',
    ],
  },
  {
    name: 'native',
    promises: 'the addon under AddressSanitizer, fuzzed',
    command: vitest('native'),
    covers: ['native/', 'src/native/', 'test/native/'],
  },
  {
    name: 'package',
    promises:
      'what `npm pack` makes installs and runs without a compiler or a network; what does not load says so',
    command: vitest('package'),
    covers: [
      'native/',
      'src/native/',
      'src/delivery/uws/',
      'src/published/sqlite-driver.ts',
      'src/command/check-binaries.ts',
      'src/program-folder.ts',
      'src/systemd/',
      'test/package/',
    ],
  },
  {
    name: 'nodes',
    promises: 'Node 22, 24 and 26: what is compiled loads, the hot paths, one content over HTTP',
    command: 'test/node-versions.sh',
    covers: [
      'native/',
      'src/native/',
      'src/content/',
      'src/delivery/',
      'src/published/',
      'test/node-versions.sh',
    ],
  },
];

/** Of every suite: what all are built with and stand on. */
export const common = [
  '.ci/',
  'package.json',
  'package-lock.json',
  'rolldown.config.mjs',
  'tsconfig.json',
  'test/support/',
  'test/suites.mjs',
  'test/vitest.config.ts',
];

/** Of none: `npm test` has all that is to be said of it. */
export const fast = [
  '.biome.json',
  '.gitignore',
  '.npmrc',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'bench/',
  'docs/',
  'src/README.md',
  'src/command/',
  'src/loadout.ts',
  'src/compile-cache.ts',
  'src/program-folder.ts',
  'test/README.md',
  'test/client/',
  'test/contract/',
  'test/mutations/',
  'test/server/',
  'test/soak/',
  'test/suites.json',
  'test/suites.test.ts',
  'test/tidy.test.ts',
  'test/tsconfig.json',
  'test/unit/',
];

const isBelow = (prefixes, path) => prefixes.some((prefix) => path.startsWith(prefix));

/** Whether a file counts for the suite. One that nobody has heard of counts for all. */
export function counts(suite, path) {
  if (path === recordPath) return false;
  if (isBelow(suite.covers, path) || isBelow(common, path)) return true;
  return !isBelow(fast, path) && suites.every(({ covers }) => !isBelow(covers, path));
}

/** @param {readonly string[]} paths of the repository @param {string} folder where they are */
export function fingerprintOf(suite, paths, folder = root) {
  const hash = createHash('sha256');
  for (const path of paths.filter((each) => counts(suite, each)).sort()) {
    const file = join(folder, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const bytes = stat.isSymbolicLink() ? readlinkSync(file) : readFileSync(file);
    hash.update(`${path}\0${stat.mode & 0o100 ? 'x' : '-'}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function trackedPaths() {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '');
}

/** Checks take one core for a while, and tests wait much: together they take less long than one after the other. */
async function runFast() {
  const checks = spawn('npm run check', { cwd: root, shell: true });
  let said = '';
  for (const stream of [checks.stdout, checks.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  }
  const checked = once(checks, 'close');
  const tests = spawn(vitest('pure --project management --project server'), {
    cwd: root,
    shell: true,
    stdio: 'inherit',
  });
  const [code] = await once(tests, 'close');
  const [checkCode] = await checked;
  if (checkCode !== 0) console.error(`\n${said}\nnpm run check FAILED`);
  return code === 0 && checkCode === 0 ? 0 : 1;
}

/** @returns {Record<string, { fingerprint: string, minutes: number }>} */
function readRecord() {
  const file = join(root, recordPath);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** @returns minutes; null: it failed */
function run({ name, command, promises }) {
  console.log(`\n== ${name}: ${promises}`);
  const startedAtMs = performance.now();
  const { status } = spawnSync(command, { cwd: root, stdio: 'inherit', shell: true });
  const minutes = Math.round((performance.now() - startedAtMs) / 6_000) / 10;
  console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${minutes} minutes`);
  return status === 0 ? minutes : null;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '50' } },
  });
  const [act, ...names] = positionals;
  const unknown = names.filter((name) => suites.every((suite) => suite.name !== name));
  if (!['fast', 'list', 'changed', 'record'].includes(act) || unknown.length > 0) {
    console.error(
      'usage: node test/suites.mjs fast | list | changed [--minutes N] | record [name…]',
    );
    console.error(`suites: ${suites.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  if (act === 'fast') return runFast();
  const paths = trackedPaths();
  const record = readRecord();
  const isNew = (suite) => record[suite.name]?.fingerprint !== fingerprintOf(suite, paths);
  if (act === 'list') {
    for (const suite of suites) {
      const minutes = record[suite.name]?.minutes;
      const last = minutes === undefined ? 'never recorded' : `${minutes} minutes`;
      console.log(`${isNew(suite) ? 'changed' : 'as recorded'}\t${suite.name}\t${last}`);
    }
    return 0;
  }
  const failed = [];
  if (act === 'record') {
    for (const suite of suites.filter(({ name }) => names.length === 0 || names.includes(name))) {
      // Before the run: what is edited meanwhile was not tested.
      const fingerprint = fingerprintOf(suite, paths);
      const minutes = run(suite);
      if (minutes === null) {
        failed.push(suite.name);
        continue;
      }
      record[suite.name] = { fingerprint, minutes };
      writeFileSync(join(root, recordPath), `${JSON.stringify(record, null, 2)}\n`);
    }
  } else {
    let left = Number(values.minutes);
    const late = [];
    for (const suite of suites.filter(isNew)) {
      if ((record[suite.name]?.minutes ?? 0) > left) {
        late.push(suite.name);
        continue;
      }
      const startedAtMs = performance.now();
      if (run(suite) === null) failed.push(suite.name);
      left -= (performance.now() - startedAtMs) / 60_000;
    }
    if (late.length > 0) {
      console.error(
        `\nno time for ${late.join(', ')}: run \`npm run test:full\` and commit ${recordPath}`,
      );
      failed.push(...late);
    }
  }
  if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
