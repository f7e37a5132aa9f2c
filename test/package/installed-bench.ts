/** `loadout bench` of the installed package, in a folder outside the repository. Its timings are never pass or fail. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';

/** Some thirty seconds on an idle machine. */
const quickMillisMax = 240_000;
const endedMillisMax = 20_000;
/** What is short, and says as much about the program. */
const brief = ['--rounds', '1', '--seconds', '0.3'];

interface Installed {
  /** Of this test alone. */
  readonly folder: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Report {
  readonly format: string;
  readonly version: number;
  readonly name: string;
  readonly loadout: string;
  readonly machine: Readonly<Record<string, string | number | null>>;
  readonly cautions: readonly string[];
  readonly results: readonly {
    readonly question: string;
    readonly notes: readonly string[];
    readonly figures: readonly {
      readonly contender: string;
      readonly name: string;
      readonly perRound: readonly (number | null)[];
    }[];
  }[];
  readonly carries: readonly { readonly perSecond: number; readonly perHour: number }[];
}

interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

/** @param serve starts the installed server with a content item `shop` in an environment with this key */
export function describeBench(
  { folder, program, env }: Installed,
  serve: () => Promise<{ readonly deliveryUrl: string; readonly stop: () => Promise<void> }>,
  key: string,
): void {
  describe('loadout bench', { timeout: quickMillisMax }, () => {
    const at = (name: string): string => join(folder, name);
    const temporary = at('temporary');
    const running = new Set<ChildProcess>();
    beforeAll(() => {
      mkdirSync(temporary, { recursive: true });
    });
    afterAll(() => {
      for (const child of running) child.kill('SIGKILL');
    });

    function start(args: readonly string[], more: Readonly<Record<string, string>> = {}): Run {
      const child = spawn(program, ['bench', ...args], {
        cwd: folder,
        env: { ...env, TMPDIR: temporary, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      const output = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].setEncoding('utf8').on('data', (piece: string) => {
          output[stream] += piece;
        });
      }
      const ended = once(child, 'close').then(([code]) => {
        running.delete(child);
        return code as number | null;
      });
      return { child, stdout: () => output.stdout, stderr: () => output.stderr, ended };
    }

    const reportIn = (name: string): Report => JSON.parse(readFileSync(at(name), 'utf8'));

    it('measures this machine where there is no compiler, no taskset and no repository', async () => {
      const run = start(['--quick', '--name', 'first', '--out', 'first.json']);
      expect(await run.ended, run.stderr()).toBe(0);
      expect(run.stdout()).toMatch(/What one listener of this machine carries/);
      expect(run.stderr()).toMatch(/; about \d+ s left\n/);

      const report = reportIn('first.json');
      const { format, version, name } = report;
      expect({ format, version, name }).toEqual({
        format: 'loadout-bench',
        version: 1,
        name: 'first',
      });
      expect(report.machine['cores']).toBeGreaterThan(0);
      // The programs that bind processes to cores and count ticks are not on this PATH.
      expect(report.cautions.join()).toMatch(/taskset|one core/);
      const questions = report.results.map(({ question }) => question);
      expect(questions).toEqual([
        'http/one-content/wrapped-1kb',
        'http/refresh/unchanged-30x2kb',
        'http/steady/unchanged-30x2kb',
      ]);
      for (const { perSecond, perHour } of report.carries) {
        expect(perSecond).toBeGreaterThan(0);
        expect(perHour).toBe(Math.floor(perSecond * 3600));
      }
      expect(report.carries).toHaveLength(2);
      const medianOf = (question: number, contender: string, figure: string): number => {
        const { figures } = report.results[question] ?? { figures: [] };
        const found = figures.find((each) => each.contender === contender && each.name === figure);
        return found?.perRound[0] ?? Number.NaN;
      };
      for (const question of [0, 1]) {
        const ratio = medianOf(question, 'loadout', 'rate') / medianOf(question, 'floor', 'rate');
        expect(Number.isFinite(ratio) && ratio > 0, questions[question]).toBe(true);
      }
      for (const load of ['10 %', '25 %', '50 %', '75 %', '90 %']) {
        const latencies = ['p50', 'p90', 'p99', 'p99.9'].map((each) => medianOf(2, load, each));
        expect(
          latencies.every((ms) => ms > 0),
          load,
        ).toBe(true);
        expect(latencies).toEqual(latencies.toSorted((a, b) => a - b));
      }
      const page = readFileSync(at('first.html'), 'utf8');
      expect(page.match(/<svg /g)?.length).toBeGreaterThanOrEqual(3);
      expect(page).not.toMatch(/NaN|undefined|<script|https?:\/\//);
      expect(readdirSync(temporary)).toEqual([]);
    });

    it('compares reports, and says what is wrong with a file that is none', async () => {
      const first = reportIn('first.json');
      const results = first.results.map((result) => ({
        ...result,
        figures: result.figures.map((figure) => ({
          ...figure,
          perRound: figure.perRound.map((value) => (value ?? 0) * 2),
        })),
      }));
      writeFileSync(at('second.json'), JSON.stringify({ ...first, name: 'second', results }));
      const run = start(['--compare', 'first.json', 'second.json', '--html', 'both.html']);
      expect(await run.ended, run.stderr()).toBe(0);
      expect(run.stdout()).toMatch(/second of first/);
      expect(run.stdout()).toMatch(/^loadout +requests\/s .* 2\.00/m);
      const page = readFileSync(at('both.html'), 'utf8');
      expect(page).toContain('>second, p99</text>');

      writeFileSync(at('garbage.json'), 'not a report');
      writeFileSync(at('later.json'), JSON.stringify({ ...first, version: 2 }));
      for (const [file, reason] of [
        ['garbage.json', 'garbage.json is not JSON.'],
        ['later.json', 'later.json has version 2 of the report; this Loadout reads version 1.'],
        ['none.json', 'none.json cannot be read: there is no such file.'],
      ] as const) {
        const broken = start(['--compare', 'first.json', file]);
        expect(await broken.ended).toBe(1);
        expect(broken.stderr()).toBe(`error: ${reason}\n`);
      }
    });

    it('that is interrupted leaves no process and no folder', async () => {
      const run = start(['--quick', '--out', 'interrupted.json']);
      await eventually('a load runs', quickMillisMax, async () =>
        run.stderr().includes('round 1 of 1'),
      );
      expect(readdirSync(temporary)).toHaveLength(1);
      run.child.kill('SIGINT');
      expect(await run.ended).toBe(130);
      expect(run.stderr()).toMatch(/Interrupted: no report was written\.\n$/);
      expect(existsSync(at('interrupted.json'))).toBe(false);
      expect(readdirSync(temporary)).toEqual([]);
      await eventually('its processes are gone', endedMillisMax, async () => {
        return processesWith(realpathSync(program).replace(/loadout\.js$/, '')).length === 0;
      });
    });

    it('loads a server that runs already, with a key that no argument has', async () => {
      const server = await serve();
      try {
        writeFileSync(at('key.txt'), `${key}\n`);
        const target = ['--url', server.deliveryUrl, '--content', 'shop', '--key-file', 'key.txt'];
        const run = start([...target, ...brief, '--out', 'deployed.json']);
        expect(await run.ended, run.stderr()).toBe(0);
        const { results } = reportIn('deployed.json');
        expect(results.map(({ question }) => question)).toEqual(['http/one-content/wrapped']);
        expect(results[0]?.figures[0]?.perRound[0]).toBeGreaterThan(0);
        expect(readFileSync(at('deployed.json'), 'utf8')).not.toContain(key);
        expect(readFileSync(at('deployed.html'), 'utf8')).not.toContain(key);
      } finally {
        await server.stop();
      }
    });

    it.each([
      [['--content', 'shop'], '--content needs --url: no server is loaded unless you name it.'],
      [['--url', 'http://127.0.0.1:9'], '--url needs --content: the content items to ask for.'],
      [['--only', 'http/one-contnet'], "no question is called 'http/one-contnet'."],
      [['--compare', 'first.json'], '--compare needs two reports or more.'],
      [['--compare', 'a.json', 'b.json', '--quick'], '--quick does not go with --compare.'],
      [['--cores', '0'], 'It is two sets of cores'],
    ])('%j is wrong usage', async (args, message) => {
      const run = start(args);
      expect(await run.ended).toBe(2);
      expect(run.stderr()).toContain(`error: ${message}`);
    });

    it('asks before it loads a server elsewhere, and keeps to the bounds', async () => {
      const url = ['--url', 'https://config.example.com', '--content', 'shop'];
      const secret = { LOADOUT_BENCH_KEY: key };
      const unasked = start(url, secret);
      expect(await unasked.ended).toBe(1);
      expect(unasked.stderr()).toMatch(/its players will notice\. Use --yes to skip/);
      const long = start([...url, '--yes', '--seconds', '61'], secret);
      expect(await long.ended).toBe(2);
      expect(long.stderr()).toContain('--seconds is at most 60 with --url.');
    });
  });
}

/** Command lines of processes that have the text; none where there is no /proc. */
function processesWith(text: string): readonly string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
        return line.includes(text) ? [line] : [];
      } catch {
        return [];
      }
    });
}
