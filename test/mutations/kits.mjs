/**
 * Tries the scenarios on mutations of the client kits: `node test/mutations/kits.mjs <name of the record> [folder of a kit…]`.
 *
 * Draws `--count` mutations for each kit by `--seed`, one after the other; what does not compile is drawn again. The driver is
 * built from the mutated tree, and the scenarios run until one fails. `results/<name>.json` is written after each of them, with
 * the lines before and after, so an interrupted run goes on where it was.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { applied, entryOf } from './apply.mjs';
import { textMutationsOf } from './text-operators.mjs';
import { withCopy } from './tree-copy.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '20261124' },
    count: { type: 'string', default: '30' },
    /** Of one mutation: what has not ended by then is caught. */
    minutes: { type: 'string', default: '6' },
    at: { type: 'string', default: 'HEAD' },
  },
});

/** By folder below `clients/`. What the driver puts something of its own in the place of is left out: real time, and XMLHttpRequest. */
const kits = {
  typescript: {
    files: /^clients\/typescript\/src\/(?!xhr|system-clock).*\.ts$/,
    name: 'TypeScript (Node)',
    check: ['npx', 'tsc', '-p', 'clients/typescript'],
  },
  csharp: { files: /^clients\/csharp\/Loadout\.cs$/, name: 'C#', check: null },
  cpp: { files: /^clients\/cpp\/include\/(?!.*\/clock\.hpp).*\.hpp$/, name: 'C++', check: null },
};
const [record = 'kits', ...folders] = positionals;
const file = join(import.meta.dirname, 'results', `${record}.json`);
/**
 * By kit. `caughtBy`: the scenario that failed first, or null.
 * @type {Record<string, { id: string, path: string, line: number, operator: string, before: string, after: string, caughtBy: string | null }[]>}
 */
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const { module } = await runnerImport(join(root, 'test/support/seeded-random.ts'));

await withCopy(root, values.at, async (copy) => {
  for (const folder of folders.length > 0 ? folders : Object.keys(kits)) await tryKit(copy, folder);
});
for (const [folder, tried] of Object.entries(results)) {
  const caught = tried.filter(({ caughtBy }) => caughtBy !== null);
  console.log(`${folder}: ${caught.length} of ${tried.length} caught`);
}

async function tryKit(copy, folder) {
  const kit = kits[folder];
  results[folder] ??= [];
  const tried = results[folder];
  const random = module.seededRandom(Number(values.seed));
  const all = mutationsOf(copy, kit);
  while (tried.length < Number(values.count) && all.length > 0) {
    const [entry] = all.splice(Math.floor(random() * all.length), 1);
    // Of an interrupted run.
    if (tried.some((other) => other.path === entry.path && other.after === entry.after)) continue;
    const caughtBy = await tryMutation(copy, folder, entry);
    if (caughtBy === undefined) continue;
    const { path, line, operator, before, after } = entry;
    const id = `${folder}-${tried.length + 1}`;
    tried.push({ id, path, line, operator, before, after, caughtBy });
    console.error(`${id} ${path}:${line} ${operator}: ${caughtBy ?? 'NOT CAUGHT'}`);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  }
}

function mutationsOf(copy, { files }) {
  const paths = execFileSync('git', ['ls-files', 'clients'], { cwd: copy, encoding: 'utf8' })
    .split('\n')
    .filter((path) => files.test(path));
  return paths.flatMap((path) => {
    const text = readFileSync(join(copy, path), 'utf8');
    return textMutationsOf(text).map((mutation) => entryOf(path, text, mutation));
  });
}

/** @returns {Promise<string | null | undefined>} what caught it; null: nothing; undefined: it does not compile */
async function tryMutation(copy, folder, entry) {
  const path = join(copy, entry.path);
  const text = readFileSync(path, 'utf8');
  const builds = join(copy, '.builds');
  mkdirSync(builds);
  writeFileSync(path, applied(text, entry));
  try {
    // What is built goes away with this mutation.
    const env = { ...process.env, TMPDIR: builds };
    return compiles(copy, folder, env)
      ? await firstFailure(copy, kits[folder].name, env)
      : undefined;
  } finally {
    writeFileSync(path, text);
    rmSync(builds, { recursive: true, force: true });
  }
}

function compiles(copy, folder, env) {
  const { check, name } = kits[folder];
  const isSound = check === null || spawnSync(check[0], check.slice(1), { cwd: copy }).status === 0;
  const build = `
    import { runnerImport } from 'vite';
    const { module } = await runnerImport('./clients/conformance/kits.ts');
    await module.driversOf(module.kits.find(({ name }) => name === ${JSON.stringify(name)}));`;
  const run = () => spawnSync('node', ['--input-type=module', '-e', build], { cwd: copy, env });
  return isSound && run().status === 0;
}

/** @returns the name of the first test that failed; null: all passed */
async function firstFailure(copy, name, env) {
  const report = join(copy, '.kits-report.json');
  rmSync(report, { force: true });
  // "C++" begins "C++ (sanitizers)" as well.
  const pattern = `^${name.replaceAll(/[()+#]/g, '.')} [^(]`;
  const filters = ['test/kits/conformance.test.ts', '-t', pattern, '--bail', '1'];
  const project = ['--config', 'test/vitest.config.ts', '--project', 'kits'];
  const output = ['--reporter', 'json', '--outputFile', report];
  const child = spawn('npx', ['vitest', 'run', ...project, ...filters, ...output], {
    cwd: copy,
    env,
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid, 'SIGKILL');
  }, Number(values.minutes) * 60_000);
  const code = await new Promise((ended) => child.on('exit', ended));
  clearTimeout(timer);
  if (isLate) return 'the run did not end';
  if (code === 0) return null;
  const { testResults = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  return failed?.title ?? 'the run itself';
}
