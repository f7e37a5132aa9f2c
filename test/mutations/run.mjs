/**
 * Tries the suite on the mutations of `sample.json`: `node test/mutations/run.mjs <name of the record> [id…]`.
 *
 * Each mutation is tried alone on the tests that import its module, up to the first failure or `--near-minutes`. What those
 * let pass is put together, several mutations of different modules at a time, and the whole suite is run on them; each file that fails
 * is then run on each of them alone. `results/<name>.json` records who catches what, after each step: an interrupted run
 * goes on where it was.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { applied } from './apply.mjs';
import { withCopy } from './tree-copy.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The suite, as a command in the copy; `{report}` is where it writes vitest's JSON report. */
    suite: { type: 'string', default: vitest('') },
    'near-minutes': { type: 'string', default: '1.5' },
    together: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '90' },
  },
});
const nearMinutes = Number(values['near-minutes']);
/** What stands for the failing files of a run that was ended. */
const lateRun = 'the run did not end';
const [name = 'now', ...ids] = positionals;
const { sample } = JSON.parse(readFileSync(join(import.meta.dirname, 'sample.json'), 'utf8'));
const chosen = ids.length === 0 ? sample : sample.filter(({ id }) => ids.includes(id));
const record = join(import.meta.dirname, 'results', `${name}.json`);
/** @type {Record<string, { caughtBy: string | null, of?: 'related' | 'suite' }>} by id; caughtBy null: nothing caught it, `of` says what was tried; without `of`: the tests that import it */
const results = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};

class Tree {
  #copy;
  constructor(copy) {
    this.#copy = copy;
  }

  mutate(entries) {
    for (const entry of entries) {
      const path = join(this.#copy, entry.path);
      writeFileSync(path, applied(readFileSync(path, 'utf8'), entry));
    }
  }

  restore(entries) {
    spawnSync('git', ['checkout', '--quiet', ...entries.map(({ path }) => path)], {
      cwd: this.#copy,
    });
  }

  /** Null, or what caught it: the compiler. */
  build() {
    const { status } = spawnSync('npx', ['tsc', '-p', '.'], { cwd: this.#copy });
    return status === 0 ? null : ['tsc'];
  }

  /** @returns {Promise<string[]>} the test files that fail; or what else failed */
  async run(command, minutesMax) {
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

await withCopy(root, async (copy) => {
  const tree = new Tree(copy);
  const flaky = new Set();
  const passed = [];
  for (const entry of chosen.filter(({ id }) => results[id]?.of === undefined)) {
    if (results[entry.id] !== undefined) {
      passed.push(entry);
      continue;
    }
    tree.mutate([entry]);
    const failures =
      tree.build() ?? (await tree.run(vitest(`related ${entry.path} --bail 1`), nearMinutes));
    tree.restore([entry]);
    if (failures.length > 0 && failures[0] !== lateRun) {
      keep(entry, failures[0], 'related');
    } else {
      keep(entry, null);
      passed.push(entry);
    }
  }
  for (const group of groupsOf(passed, Number(values.together))) {
    console.error(`together: ${group.map(({ id }) => id).join(' ')}`);
    tree.mutate(group);
    const failures = tree.build() ?? (await tree.run(values.suite, Number(values.minutes)));
    tree.restore(group);
    for (const file of failures) {
      if (flaky.has(file)) continue;
      const open = group.filter(({ id }) => results[id].caughtBy === null);
      for (const entry of open) {
        tree.mutate([entry]);
        const again = tree.build() ?? (await tree.run(vitest(`--bail 1 ${file}`), 15));
        tree.restore([entry]);
        if (again.length > 0) keep(entry, file, 'suite');
      }
    }
    for (const entry of group) if (results[entry.id].caughtBy === null) keep(entry, null, 'suite');
  }
});
const caught = chosen.filter(({ id }) => results[id]?.caughtBy);
console.log(`${caught.length} of ${chosen.length} caught: ${record}`);

function vitest(rest) {
  return `npx vitest ${rest.startsWith('related') ? '' : 'run '}${rest} --run --config test/vitest.config.ts --reporter json --outputFile {report}`;
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
