/** The benchmarks as somebody runs them: help without a build, results where they are wanted, a deployed server. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue, names, namesOf, quickNames } from '../../bench/catalogue.mjs';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { sharedServer } from '../support/server/server.js';

const root = resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-bench-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function bench(words: readonly string[], env: NodeJS.ProcessEnv = {}, tree = root): Run {
  const args = [join(tree, 'bench/start.mjs'), 'run', ...words];
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder, ...env },
    timeout: 110_000,
  });
}

interface Line {
  readonly commit: string;
  readonly memoryTotalMiB: number | null;
  readonly virtualisation: string;
  readonly libc: string;
  readonly flags: readonly string[];
  readonly results: readonly {
    readonly question: string;
    readonly notes: readonly string[];
    readonly figures: readonly {
      readonly contender: string;
      readonly name: string;
      readonly perRound: readonly (number | null)[];
    }[];
  }[];
}

function linesOf(file: string): Line[] {
  const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

const statusOfTree = (): string =>
  execFileSync('git', ['status', '--porcelain', '--', 'bench'], { cwd: root, encoding: 'utf8' });

describe('before anything is built', () => {
  let bare: string;

  /** The plain JavaScript of the benchmarks and their one dependency: nothing there could be built. */
  beforeAll(() => {
    bare = join(folder, 'bare');
    mkdirSync(join(bare, 'bench'), { recursive: true });
    mkdirSync(join(bare, 'node_modules'));
    for (const file of readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.mjs'))) {
      cpSync(join(root, 'bench', file), join(bare, 'bench', file));
    }
    symlinkSync(join(root, 'node_modules/commander'), join(bare, 'node_modules/commander'));
  });

  it('--help lists every question with its sentence and its duration', () => {
    const { status, stdout, stderr } = bench(['--help'], {}, bare);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const { name, asks } of catalogue) {
      const [, listed] = stdout.split(`\n  ${name}`);
      expect(listed, name).toMatch(/^\S*\n {6}.*\n {6}about \d/);
      expect(listed).toContain(asks);
    }
    expect(readdirSync(bare).sort()).toEqual(['bench', 'node_modules']);
  });

  it('a mistyped option or question ends with the nearest name', () => {
    const option = bench(['--ronds', '3'], {}, bare);
    expect(option).toMatchObject({ status: 2, stdout: '' });
    expect(option.stderr).toContain('Did you mean --rounds?');
    const question = bench(['micro/splcie'], {}, bare);
    expect(question).toMatchObject({ status: 2, stdout: '' });
    expect(question.stderr).toContain('Did you mean micro/splice?');
  });
});

describe('a run', () => {
  it('leaves what git tracks alone, and its results where they are wanted', () => {
    const before = statusOfTree();
    const tracked = readFileSync(join(root, 'bench/results/runs.jsonl'));
    const files = ['--out', 'out.jsonl', '--html', 'reports/out.html'];
    const run = bench(['micro/select/3-rules', '--quick', '--no-build', ...files]);
    expect(run.status, run.stderr).toBe(0);
    expect(statusOfTree()).toBe(before);
    expect(readFileSync(join(root, 'bench/results/runs.jsonl')).equals(tracked)).toBe(true);

    const [line, ...more] = linesOf('out.jsonl');
    expect(more).toEqual([]);
    expect(line?.results.map(({ question }) => question)).toEqual(['micro/select/3-rules']);
    const times = line!.results[0]!.figures.filter(({ name }) => name === 'time');
    expect(times.map(({ contender }) => contender)).toEqual(['plan', 'interpret']);
    expect(line).toHaveProperty('memoryTotalMiB');
    expect(line!.libc).not.toBe('');
    expect(line!.virtualisation).not.toBe('');
    const report = readFileSync(join(folder, 'reports/out.html'), 'utf8');
    expect(report).toContain('aria-label="Time per operation');
    expect(run.stdout).toContain(join(folder, 'out.jsonl'));
  });

  it('measures no contender whose responses are not those of the oracle, and the pooled one has them', () => {
    const words = ['http/combine/gzip', '--rounds', '1', '--seconds', '0.2', '--no-build'];
    const run = bench([...words, '--contenders', 'floor,pooled', '--out', 'pooled.jsonl']);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout).not.toContain('NO RESULT');
    const [line] = linesOf('pooled.jsonl');
    const rates = line!.results[0]!.figures.filter(({ name }) => name === 'rate');
    expect(rates.map(({ contender }) => contender)).toEqual(['loadout', 'floor', 'pooled']);
    for (const { perRound } of rates) expect(perRound[0]).toBeGreaterThan(0);
  });

  it('ends at once when its results cannot be written', () => {
    const words = ['micro/select/3-rules', '--no-build', '--quick'];
    const unwritable = bench([...words, '--out', '.']);
    expect(unwritable).toMatchObject({ status: 2, stdout: '' });
    expect(unwritable.stderr).toContain('error: EISDIR');
    expect(unwritable.stderr).not.toContain('    at ');
  });
});

describe('the catalogue', () => {
  it('has the questions there are, and those of --quick', async () => {
    const { questions } = await import('../../bench/questions.js');
    expect(names).toEqual(questions.map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(quickNames));
    expect(catalogue.flatMap(namesOf)).toEqual(names);
  });
});

describe('a deployed server', () => {
  const server = sharedServer();
  let game: Environment;
  const short = ['--rounds', '1', '--seconds', '0.3', '--connections', '4', '--quick'];

  beforeAll(async () => {
    game = await makeEnvironment(server);
    const merge = [{ segment: 'all', when: {}, merge: { on: true } }];
    await game.put('welcome', JSON.stringify({ on: false, text: 'x'.repeat(3000) }), {
      mapping: merge,
    });
    await game.put('shop', '{"coins":1}', { mapping: merge });
  });

  const load = (words: readonly string[], key: string): Run =>
    bench(['--url', server.deliveryUrl, ...short, ...words], { LOADOUT_BENCH_KEY: key });

  it('is asked for its own contents, alone, compressed and combined', () => {
    const forms = ['http/one-content/plain', 'http/one-content/gzip', 'http/combine/wrapped'];
    const results = ['--content', 'welcome,shop', '--out', 'deployed.jsonl'];
    const run = load([...forms, ...results], game.key);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout).not.toContain('NO RESULT');
    expect(run.stdout).toContain(`loads ${server.deliveryUrl} with 4 connections for 1 x`);
    const [line] = linesOf('deployed.jsonl');
    const rates = line!.results.map(({ question, figures }) => [question, figures[0]!.perRound[0]]);
    expect(rates.map(([question]) => question)).toEqual(forms);
    for (const [, rate] of rates) expect(rate).toBeGreaterThan(0);
    const written = readFileSync(join(folder, 'deployed.jsonl'), 'utf8');
    expect(written + run.stdout + run.stderr).not.toContain(game.key);
  });

  it('has a result though a process of it compresses only after the warm-up', async () => {
    // In a process of its own: `bench` blocks this one.
    const late = new Worker(
      `const { createServer } = require('node:http');
      const { parentPort } = require('node:worker_threads');
      const body = (length) => JSON.stringify({ data: 'x'.repeat(length), meta: {} });
      let count = 0;
      let settledAt = Infinity;
      const server = createServer((request, response) => {
        count += 1;
        if (count === 3) settledAt = Date.now() + 1_200;
        const isLong = count > 2 && count % 20 === 0 && Date.now() < settledAt;
        request.resume().on('end', () => response.end(body(isLong ? 200 : 100)));
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    try {
      const [port] = await once(late, 'message');
      const question = ['http/one-content/gzip', '--content', 'welcome'];
      const run = bench(['--url', `http://127.0.0.1:${port}`, ...short, ...question], {
        LOADOUT_BENCH_KEY: game.key,
      });
      expect(run.status, run.stderr).toBe(0);
      expect(run.stdout).not.toContain('NO RESULT');
      expect(run.stdout).toMatch(/1 of the rounds repeated, for \d+ responses of another length/);
    } finally {
      await late.terminate();
    }
  });

  it('is not loaded with a key or a content that it does not have', () => {
    const wrongKey = load(['--content', 'welcome'], 'ldt_wrong');
    expect(wrongKey.status).toBe(1);
    expect(wrongKey.stderr).toContain('responds with status 401');
    expect(wrongKey.stdout).not.toContain('loads http');
    const unknown = load(['http/combine/wrapped', '--content', 'welcome,nothing'], game.key);
    expect(unknown.stderr).toContain('has no content nothing');
  });
});
