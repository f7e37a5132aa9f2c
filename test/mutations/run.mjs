/**
 * Tries the suite on the mutations of `sample.json`: `node test/mutations/run.mjs <name of the record> [id…]`.
 *
 * First each mutation is tried alone on the tests that import its module, until one fails or `--near-minutes` have passed.
 * `--on FILE` names tests to try instead, a JSON object of a mutation's id to vitest's filters, and stops after these.
 * Then the mutations that remain are put together, several of different modules at a time, and the whole suite runs on
 * them. Each test file that fails there, and does not fail without any mutation, runs on half of them and half again,
 * until it is known which ones it fails for.
 * With `--projects "pure server"` only these projects of vitest's run then, and what they do not catch remains.
 * With `--selected` the suite is what `.ci/run` would run for each mutation: `npm test`, and the suites that its path calls
 * for (../suites.mjs). `results/<name>.json` is written after each step, so an interrupted run goes on where it was.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { counts, suites } from '../suites.mjs';
import { applied } from './apply.mjs';
import { withCopy } from './tree-copy.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    selected: { type: 'boolean', default: false },
    'near-minutes': { type: 'string', default: '1.5' },
    on: { type: 'string' },
    projects: { type: 'string' },
    together: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '90' },
    /** The commit whose tree is mutated, with the suite that it has. */
    at: { type: 'string', default: 'HEAD' },
  },
});
const nearMinutes = Number(values['near-minutes']);
/** What stands for the failing files of a run that was ended. */
const lateRun = 'the run did not end';
const [name = 'now', ...ids] = positionals;
const { sample } = JSON.parse(readFileSync(join(import.meta.dirname, 'sample.json'), 'utf8'));
const chosen = ids.length === 0 ? sample : sample.filter(({ id }) => ids.includes(id));
/** @type {Record<string, string> | null} */
const named = values.on === undefined ? null : JSON.parse(readFileSync(values.on, 'utf8'));
const record = join(import.meta.dirname, 'results', `${name}.json`);
/**
 * By id. `caughtBy`: a test file, or null. `of`: which tests caught it, or `suite` when nothing did; left out when only
 * the first ones were tried.
 * @type {Record<string, { caughtBy: string | null, of?: 'related' | 'named' | 'suite' }>}
 */
const results = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};

class Tree {
  #copy;
  constructor(copy) {
    this.#copy = copy;
  }

  /**
   * Runs a command on the mutated tree, and takes the mutations back.
   * @returns {Promise<string[]>} the test files that fail, or what else failed
   */
  async tryOn(entries, command, minutesMax) {
    for (const entry of entries) {
      const path = join(this.#copy, entry.path);
      writeFileSync(path, applied(readFileSync(path, 'utf8'), entry));
    }
    try {
      // Before D61 the modules that tsc emits were what ran.
      const isBundled = existsSync(join(this.#copy, 'rolldown.config.mjs'));
      const build = isBundled ? ['npm', ['run', 'build:server']] : ['npx', ['tsc', '-p', '.']];
      const { status } = spawnSync(...build, { cwd: this.#copy });
      return status === 0 ? await this.#run(command, minutesMax) : ['the build'];
    } finally {
      spawnSync('git', ['checkout', '--quiet', 'src'], { cwd: this.#copy });
    }
  }

  async #run(command, minutesMax) {
    const report = join(this.#copy, '.mutations-report.json');
    writeFileSync(report, '{}');
    const child = spawn('bash', ['-c', command.replaceAll('{report}', report)], {
      cwd: this.#copy,
      stdio: 'ignore',
      detached: true,
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      process.kill(-child.pid, 'SIGKILL');
    }, minutesMax * 60_000);
    const code = await new Promise((ended) => child.on('exit', ended));
    clearTimeout(timer);
    if (late) return [lateRun];
    if (code === 0) return [];
    const { testResults = [] } = JSON.parse(readFileSync(report, 'utf8'));
    // A run that stops at the first failure calls the files that it did not finish failed too.
    const broke = ({ assertionResults }) =>
      assertionResults.some(({ status }) => status === 'failed');
    const unfinished = testResults.filter(({ status }) => status === 'failed');
    const failed = unfinished.some(broke) ? unfinished.filter(broke) : unfinished;
    const files = failed.map(({ name: file }) => file.slice(this.#copy.length + 1));
    return files.length > 0 ? [...new Set(files)] : ['the run itself'];
  }
}

await withCopy(root, values.at, async (copy) => {
  const tree = new Tree(copy);
  const isNear = ({ id }) => (named === null ? results[id] === undefined : named[id] !== undefined);
  for (const entry of chosen.filter((each) => !results[each.id]?.caughtBy && isNear(each))) {
    const command =
      named === null
        ? vitest('related', `${entry.path} --run --bail 1`)
        : suiteOf([entry], `--bail 1 --passWithNoTests ${named[entry.id]}`);
    const failures = await tree.tryOn([entry], command, nearMinutes);
    const isCaught = failures.length > 0 && failures[0] !== lateRun;
    if (isCaught) keep(entry, failures[0], named === null ? 'related' : 'named');
    else if (results[entry.id]?.of !== 'suite') keep(entry, null);
  }
  if (named !== null) return;
  const left = chosen.filter(({ id }) => results[id].of === undefined);
  for (const group of groupsOf(left, Number(values.together))) {
    console.error(`together: ${group.map(({ id }) => id).join(' ')}`);
    const minutes = Number(values.minutes);
    for (const file of await tree.tryOn(group, suiteOf(group), minutes)) {
      // Without a file (the run did not end, or did not begin) each has the whole suite to itself.
      const only = existsSync(join(copy, file)) ? `--bail 1 --passWithNoTests ${file}` : '';
      const fails = async (entries) =>
        (await tree.tryOn(entries, suiteOf(group, only), minutes)).length > 0;
      if (await fails([])) console.error(`${file} fails without a mutation`);
      else for (const entry of await culpritsOf(group, fails)) keep(entry, file, 'suite');
    }
    const of = values.projects === undefined ? 'suite' : undefined;
    for (const entry of group) if (results[entry.id].caughtBy === null) keep(entry, null, of);
  }
});
const caught = chosen.filter(({ id }) => results[id]?.caughtBy);
console.log(`${caught.length} of ${chosen.length} caught: ${record}`);

/** Those of the entries for which `fails`, as it does for all of them together; each has not been caught yet. */
async function culpritsOf(entries, fails) {
  const left = entries.filter(({ id }) => results[id].caughtBy === null);
  if (left.length === 0 || !(await fails(left))) return [];
  if (left.length === 1) return left;
  const half = left.length >> 1;
  const first = await culpritsOf(left.slice(0, half), fails);
  return [...first, ...(await culpritsOf(left.slice(half), fails))];
}

function vitest(subcommand, rest) {
  return `npx vitest ${subcommand} --config test/vitest.config.ts --reporter json --outputFile {report} ${rest}`;
}

/** The command that runs what `.ci/run` would for the mutations together, or all that there is. */
function suiteOf(entries, only = '') {
  if (!values.selected) return vitest('run', only);
  const called = suites.filter((suite) => entries.some(({ path }) => counts(suite, path)));
  // Other versions of Node are no project of vitest's.
  const names = called.map(({ name: suite }) => suite).filter((suite) => suite !== 'nodes');
  const all = ['pure', 'management', 'server', ...names];
  const projects = values.projects?.split(' ') ?? all;
  return vitest('run', `${projects.map((project) => `--project ${project}`).join(' ')} ${only}`);
}

/** Mutations of one module stay apart. */
function groupsOf(entries, size) {
  const groups = [];
  for (const entry of entries) {
    const fits = groups.find(
      (group) => group.length < size && group.every(({ path }) => path !== entry.path),
    );
    if (fits === undefined) groups.push([entry]);
    else fits.push(entry);
  }
  return groups;
}

function keep({ id }, caughtBy, of) {
  results[id] = of === undefined ? { caughtBy } : { caughtBy, of };
  mkdirSync(join(record, '..'), { recursive: true });
  writeFileSync(record, `${JSON.stringify(results, null, 2)}\n`);
  console.error(`${id} ${caughtBy ?? 'NOT CAUGHT'}`);
}
