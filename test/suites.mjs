/**
 * The suites beside `npm test`, and when each must run again. A suite covers paths; its fingerprint is a hash of the
 * tracked files there. `suites.json` has the fingerprint with which each passed last, so what has not changed since then
 * need not run again: `.ci/run` runs those that differ. No commit is compared with another one.
 *
 *   node test/suites.mjs fast              the tests of `npm test`, and the checks beside them
 *   node test/suites.mjs list              each suite, and whether it must run
 *   node test/suites.mjs tools             the tools that those lack which must run, each with its Debian packages
 *   node test/suites.mjs changed           runs those that must, for --minutes at most (CI)
 *   node test/suites.mjs record [name…]    runs those named, or all, and records each that passes
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { missingTools, tools } from './tools.mjs';

const root = resolve(import.meta.dirname, '..');
const recordPath = 'test/suites.json';

/** Of what a failed suite printed, repeated at the end. */
const failureLinesMax = 150;

const vitest = (project) => `npx vitest run --config test/vitest.config.ts --project ${project}`;

/** What only the page in the browser, or a reader, has of `src/`. */
const notServer = ['src/console/', 'src/README.md'];

/** The tests of the console look at a demo; what other commands do is none of their business. */
const otherCommands = [
  'bench',
  'client',
  'completion',
  'content',
  'environment',
  'evaluate',
  'importers',
  'login',
]
  .concat(['people', 'profile', 'segment', 'server', 'status', 'terminal', 'transfer', 'webhook'])
  .concat(['program.ts'])
  .map((name) => `src/command/${name}`);

/**
 * Paths are prefixes: a file, or a folder with its slash. A suite that runs `dist/` covers all of `src/` but what it
 * names in `except`: what a process loads cannot be told from what a test imports. `tools` are those of tools.mjs.
 * @typedef {{ name: string, promises: string, command: string, covers: readonly string[], except?: readonly string[], tools?: readonly string[] }} Suite
 * @type {readonly Suite[]}
 */
export const suites = [
  {
    name: 'stores',
    promises: 'what the store promises, on PostgreSQL, and the life of a content there',
    command: vitest('stores'),
    covers: [
      'native/',
      'src/analysis/',
      'src/content/',
      'src/management/',
      'src/management-worker.ts',
      'src/native/',
      'src/published/',
      'test/unit/analysis/',
      'test/unit/management/',
      'test/server/life-of-content.test.ts',
    ],
    tools: ['postgresql'],
  },
  {
    name: 'fleet',
    promises: 'several servers on a database that fails over, is cut off, or is moved to',
    command: vitest('fleet'),
    covers: ['docs/operating.md', 'src/', 'test/fixtures/', 'test/fleet/'],
    except: notServer,
    tools: ['haproxy', 'nginx', 'postgresql'],
  },
  {
    name: 'console',
    promises:
      "what people do in the console, in Chromium, and that everybody can; the demo's browser game",
    command: vitest('console'),
    covers: ['clients/samples/', 'clients/typescript/src/', 'src/', 'test/console/'],
    except: ['src/README.md', ...otherCommands, 'src/systemd/'],
    tools: ['chromium', 'postgresql'],
  },
  {
    name: 'failures',
    promises: 'kills, full disks, damaged files, stalled processes, upgrades and backups',
    command: vitest('failures'),
    covers: ['src/', 'test/failures/', 'test/fixtures/'],
    except: [...notServer, 'src/systemd/'],
    tools: ['python'],
  },
  {
    name: 'hostile',
    promises:
      'malformed, cut, endless and oversized requests, and more of them than there is room for',
    command: vitest('hostile'),
    covers: ['native/', 'src/', 'test/hostile/'],
    except: [...notServer, 'src/command/', 'src/systemd/'],
  },
  {
    name: 'deploy',
    promises:
      "what deploy/ has is read by Helm, compose and Kubernetes' types; the image's program is PID 1",
    command: vitest('deploy'),
    covers: [
      'deploy/',
      'native/install.mjs',
      'native/pack-modules.mjs',
      'src/command/server/',
      'src/management/serve/',
      'test/deploy/',
    ],
    except: ['deploy/README.md'],
    tools: ['debootstrap', 'go', 'postgresql', 'prometheus'],
  },
  {
    name: 'native',
    promises: 'the addon under AddressSanitizer, fuzzed',
    command: vitest('native'),
    covers: ['native/', 'test/native/'],
  },
  {
    name: 'package',
    promises:
      'what `npm pack` makes installs and runs without a compiler or a network; what does not load says so',
    command: vitest('package'),
    covers: [
      'bench/',
      'clients/samples/',
      'clients/typescript/src/',
      'docs/operating.md',
      'native/',
      'src/',
      'test/package/',
    ],
    except: ['bench/README.md', 'bench/results/', 'src/README.md'],
  },
  {
    name: 'release',
    promises:
      'the artefacts of a release: two builds have the same bytes, each runs on its platform and every Node, and one is upgraded to under load',
    command: vitest('release'),
    // Building takes minutes, so not all of the sources: what is compiled, what loads it, and what an upgrade meets.
    covers: [
      'native/',
      'release/',
      'src/delivery/uws/',
      'src/management/store/',
      'src/native/',
      'src/published/',
      'test/release/',
    ],
    tools: ['arm64'],
  },
  {
    name: 'providers',
    promises: "OpenFeature's own OFREP providers, unmodified: each type, error, change and failure",
    command: vitest('providers'),
    covers: ['docs/ofrep-providers.md', 'native/', 'src/', 'test/providers/'],
    except: [...notServer, 'src/command/', 'src/systemd/'],
    tools: ['chromium', 'go', 'java', 'maven', 'python'],
  },
  {
    name: 'kits',
    promises: 'the client kits: each scenario, in each language, behind networks of every kind',
    command: vitest('kits'),
    covers: ['clients/', 'docs/clients.md', 'native/', 'src/', 'test/kits/'],
    except: [...notServer, 'src/command/', 'src/systemd/'],
    tools: ['c++', 'chromium', 'mono'],
  },
  {
    name: 'types',
    promises:
      'generated types: programs of three languages compile with them and read a real server; random schemas keep every value',
    command: vitest('types'),
    covers: [
      'clients/cpp/include/',
      'clients/csharp/Loadout.cs',
      'clients/typescript/src/',
      'src/command/types/',
      'test/types/',
    ],
    tools: ['c++', 'mono', 'nlohmann'],
  },
  {
    name: 'sdks',
    promises: 'the official SDKs of the original API, unmodified: each call, each error',
    command: vitest('sdks'),
    covers: ['docs/sdks.md', 'native/', 'src/', 'test/sdks/'],
    except: [...notServer, 'src/command/', 'src/systemd/'],
    tools: ['python'],
  },
  {
    name: 'statistics',
    promises: 'the statistics of experiments agree with SciPy and gbstats, on random questions',
    command: vitest('statistics'),
    covers: ['src/analysis/messages.ts', 'src/analysis/statistics/', 'test/statistics/'],
    tools: ['python'],
  },
  {
    name: 'alerts',
    promises: "Prometheus and Alertmanager stop a release's ramp",
    command: vitest('alerts'),
    covers: ['src/', 'test/alerts/'],
    except: [...notServer, 'src/command/', 'src/delivery/', 'src/systemd/'],
    tools: ['prometheus'],
  },
  {
    name: 'drills',
    promises:
      "each fault of the operators' page fires its alert, and no other; the dashboard shows a server under load",
    command: vitest('drills'),
    covers: [
      'deploy/grafana/',
      'deploy/prometheus/',
      'docs/operating.md',
      'src/delivery/',
      'src/management/fleet/',
      'src/management/follow/',
      'src/management/follower/',
      'src/management/metrics/',
      'src/management/publishing/',
      'src/management/serve/',
      'test/drills/',
    ],
    tools: ['haproxy', 'postgresql', 'prometheus'],
  },
  {
    name: 'nodes',
    promises: 'Node 22, 24 and 26: what is compiled loads, the hot paths, one content over HTTP',
    command: 'test/node-versions.sh',
    covers: [
      'native/',
      'src/',
      'test/node-versions.sh',
      'test/server/life-of-content.test.ts',
      'test/unit/content/',
      'test/unit/delivery/',
      'test/unit/published/',
    ],
    except: [...notServer, 'src/systemd/'],
  },
];

/** Of every suite: what all are built with and stand on. */
export const common = [
  '.ci/',
  'package.json',
  'package-lock.json',
  'rolldown.config.mjs',
  'tsconfig.json',
  'test/.npmrc',
  'test/install-packages.mjs',
  'test/package.json',
  'test/package-lock.json',
  'test/support/',
  'test/suites.mjs',
  'test/tools.mjs',
  'test/vitest.config.ts',
];

/** Of no suite: fully covered by `npm test`, or by nothing that runs. */
export const fast = [
  '.biome.json',
  '.gitignore',
  '.npmrc',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bench/',
  'docs/',
  'src/README.md',
  'test/README.md',
  'test/client/',
  'test/changelog.test.ts',
  'test/contract/',
  'test/interfaces.json',
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

/** Whether a file counts for the suite. A path that no list names counts for every suite. */
export function counts(suite, path) {
  if (path === recordPath) return false;
  if (isBelow(common, path)) return true;
  if (isBelow(suite.covers, path)) return !isBelow(suite.except ?? [], path);
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

/** What is tested is what was built last. */
function build() {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Prints what the suite prints.
 * @returns {Promise<{ minutes: number, failure: string | null }>} `failure`: what it printed from its first failed test on
 */
async function run({ name, command, promises }) {
  console.log(`\n== ${name}: ${promises}`);
  const startedAtMs = performance.now();
  // As in CI, where a missing Chromium or PostgreSQL fails the suite: what was skipped has not passed.
  const env = { ...process.env, CI: 'true' };
  const stdio = ['inherit', 'pipe', 'pipe'];
  const child = spawn(command, { cwd: root, stdio, shell: true, env });
  let printed = '';
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.setEncoding('utf8').on('data', (piece) => {
      to.write(piece);
      printed += piece;
    });
  }
  const [status] = await once(child, 'close');
  const minutes = Math.round((performance.now() - startedAtMs) / 6_000) / 10;
  console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${minutes} minutes`);
  return { minutes, failure: status === 0 ? null : failureIn(printed) };
}

/** The end of what a failed suite printed: vitest lists the tests that failed, with their errors, at the end. */
export function failureIn(printed) {
  const lines = stripVTControlCharacters(printed).split('\n');
  const first = lines.findIndex((line) => /Failed (Tests|Suites)/.test(line));
  const from = first === -1 ? -failureLinesMax : first;
  return lines.slice(from).slice(0, failureLinesMax).join('\n');
}

/** @returns {(suite: Suite) => boolean} whether it must run */
function changedSince(record, paths) {
  return (suite) => record[suite.name]?.fingerprint !== fingerprintOf(suite, paths);
}

function list() {
  const record = readRecord();
  const isNew = changedSince(record, trackedPaths());
  for (const suite of suites) {
    const minutes = record[suite.name]?.minutes;
    const last = minutes === undefined ? 'never recorded' : `${minutes} minutes`;
    console.log(`${isNew(suite) ? 'changed' : 'as recorded'}\t${suite.name}\t${last}`);
  }
}

/** A line for each: its name and its packages. */
function listTools() {
  const mustRun = suites.filter(changedSince(readRecord(), trackedPaths()));
  for (const tool of missingTools(mustRun)) console.log([tool, ...tools[tool].packages].join(' '));
}

/** @returns {Promise<string[]>} the names of those that failed, or that there was no time for */
async function runChanged(minutesMax) {
  const record = readRecord();
  const changed = suites.filter(changedSince(record, trackedPaths()));
  if (changed.length > 0) build();
  const failed = new Map();
  const late = [];
  let left = minutesMax;
  for (const suite of changed) {
    if ((record[suite.name]?.minutes ?? 0) > left) {
      late.push(suite.name);
      continue;
    }
    const { minutes, failure } = await run(suite);
    if (failure !== null) failed.set(suite.name, failure);
    left -= minutes;
  }
  // Again at the end, where the reader of a long log looks first.
  for (const [name, failure] of failed) console.error(`\n== ${name} failed:\n${failure}`);
  if (late.length > 0) {
    console.error(
      `\nno time for ${late.join(', ')}: run \`npm run test:full\` and commit ${recordPath}`,
    );
  }
  return [...failed.keys(), ...late];
}

/** @returns {Promise<string[]>} the names of those that were not recorded */
async function runAndRecord(chosen) {
  const record = readRecord();
  const paths = trackedPaths();
  const fingerprints = new Map(chosen.map((suite) => [suite, fingerprintOf(suite, paths)]));
  build();
  const failed = [];
  for (const suite of chosen) {
    const { minutes, failure } = await run(suite);
    const fingerprint = fingerprints.get(suite);
    const isSame = fingerprint === fingerprintOf(suite, paths);
    if (failure === null && !isSame) {
      console.error(`== ${suite.name}: not recorded, since files that it covers changed meanwhile`);
    }
    if (failure !== null || !isSame) {
      failed.push(suite.name);
      continue;
    }
    record[suite.name] = { fingerprint, minutes };
    writeFileSync(join(root, recordPath), `${JSON.stringify(record, null, 2)}\n`);
  }
  return failed;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '50' } },
  });
  const [act, ...names] = positionals;
  const unknown = names.filter((name) => suites.every((suite) => suite.name !== name));
  if (!['fast', 'list', 'tools', 'changed', 'record'].includes(act) || unknown.length > 0) {
    console.error(
      'usage: node test/suites.mjs fast | list | tools | changed [--minutes N] | record [name…]',
    );
    console.error(`suites: ${suites.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  if (act === 'fast') return runFast();
  if (act === 'list') {
    list();
    return 0;
  }
  if (act === 'tools') {
    listTools();
    return 0;
  }
  const chosen = suites.filter(({ name }) => names.length === 0 || names.includes(name));
  const failed = await (act === 'record'
    ? runAndRecord(chosen)
    : runChanged(Number(values.minutes)));
  if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
