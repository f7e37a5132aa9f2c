/** What `loadout bench` makes of figures: sentences for operators, warnings, reports and their comparison. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Figure, Finding } from '../../../bench/bench.js';
import { comparisonOf } from '../../../bench/installed/comparison.js';
import { allowedIn, divideCores } from '../../../bench/installed/cores.js';
import { durationOf, planOf, questionsOf } from '../../../bench/installed/plan.js';
import { type Report, readReport, reportOf } from '../../../bench/installed/report-file.js';
import { carriedBy, carriedFinding } from '../../../bench/report/carries.js';
import { cautionsOf, cpuQuotaOf, isOnBattery } from '../../../bench/report/cautions.js';
import { figureOf } from '../../../bench/report/figures.js';
import { pageHtml } from '../../../bench/report/html.js';
import { loadPlot } from '../../../bench/report/load-plot.js';
import type { Machine } from '../../../bench/report/machine.js';

const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-unit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const refresh = 'http/refresh/unchanged-30x2kb';
const steady = 'http/steady/unchanged-30x2kb';

function finding(question: string, figures: readonly Figure[]): Finding {
  return { question, columns: [], rows: [], notes: [], figures };
}

function race(rates: readonly number[], better: Figure['better'], micros: readonly number[]) {
  return finding(refresh, [
    figureOf('loadout', 'rate', '1/s', better, rates),
    figureOf('loadout', 'server CPU', 'µs/request', 'lower', micros),
    figureOf('floor', 'rate', '1/s', 'higher', [50_000]),
    figureOf('floor', 'server CPU', 'µs/request', 'lower', [10]),
  ]);
}

describe('what a machine carries', () => {
  it('is the median rate, by the second and by the hour, with what it assumes', () => {
    const [carried, ...more] = carriedBy([race([10_000, 12_000, 11_000], 'higher', [80, 90, 100])]);
    expect(more).toEqual([]);
    expect(carried).toMatchObject({ perSecond: 11_000, perHour: 39_600_000, isAtLeast: false });
    expect(carried?.byCpu).toBeCloseTo(11_111, 0);
    expect(carried?.assumes).toContain('one refresh request');
    const { rows, notes } = carriedFinding([carried!]);
    expect(rows).toEqual([['start-ups, nothing changed', '11,000', '39.6 million', '11,111']]);
    expect(notes.join()).toContain(carried?.assumes);
    const warned = carriedFinding([carried!], ['The machine was busy.']);
    expect(warned.notes[0]).toBe('warning: The machine was busy.');
  });

  it('is at least the rate of a load generator that was the bottleneck', () => {
    const carried = carriedBy([race([20_000], 'neither', [25])]);
    expect(carried).toMatchObject([{ perSecond: 20_000, isAtLeast: true, byCpu: 40_000 }]);
    expect(carriedFinding(carried).rows[0]).toContain('at least 20,000');
  });

  it('has no CPU time where the system does not tell it', () => {
    const carried = carriedBy([race([20_000], 'higher', [Number.NaN])]);
    expect(carried).toMatchObject([{ byCpu: null }]);
    expect(carriedFinding(carried).rows[0]?.at(-1)).toBe('-');
  });

  it('says nothing of a question without a result', () => {
    expect(carriedBy([finding(refresh, []), finding(steady, [])])).toEqual([]);
  });
});

describe('warnings', () => {
  const idle = {
    ...{ cores: 4, cpuQuota: null, load: 0.2, governor: 'performance' },
    ...{ onBattery: false, canPin: true, tellsCpuTime: true },
  };

  it('are absent on an idle machine that tells what it must', () => {
    expect(cautionsOf(idle)).toEqual([]);
    expect(cautionsOf({ ...idle, load: Number.NaN, governor: 'unknown' })).toEqual([]);
  });

  it.each([
    [{ cores: 1, canPin: false }, 'one core'],
    [{ canPin: false }, 'taskset'],
    [{ tellsCpuTime: false }, 'whether the load generator was the bottleneck stays unknown'],
    [{ cpuQuota: 1.5 }, 'A quota allows 1.5 cores'],
    [{ load: 3 }, 'load average 3.0 on 4 cores'],
    [{ governor: 'powersave' }, 'governor is powersave'],
    [{ onBattery: true }, 'battery'],
  ])('of %j', (circumstances, text) => {
    const cautions = cautionsOf({ ...idle, ...circumstances });
    expect(cautions).toHaveLength(1);
    expect(cautions[0]).toContain(text);
  });

  it('read the quota of a control group, and the battery', () => {
    expect([cpuQuotaOf(folder), isOnBattery(folder)]).toEqual([null, false]);
    mkdirSync(join(folder, 'sys/fs/cgroup'), { recursive: true });
    const quota = (text: string): number | null => {
      writeFileSync(join(folder, 'sys/fs/cgroup/cpu.max'), text);
      return cpuQuotaOf(folder);
    };
    expect([quota('150000 100000\n'), quota('max 100000\n')]).toEqual([1.5, null]);
    const battery = join(folder, 'sys/class/power_supply/BAT0');
    mkdirSync(battery, { recursive: true });
    writeFileSync(join(battery, 'status'), 'Discharging\n');
    expect(isOnBattery(folder)).toBe(true);
  });
});

describe('cores', () => {
  it('are those that the kernel allows', () => {
    expect(allowedIn('Name:\tnode\nCpus_allowed_list:\t0-2,8\nThreads:\t7\n')).toEqual([
      0, 1, 2, 8,
    ]);
    expect(allowedIn('')).toEqual([]);
  });

  it('are divided: a third for servers, and no core for both unless there is one only', () => {
    expect(divideCores([4])).toEqual({ server: [4], load: [4] });
    expect(divideCores([0, 1])).toEqual({ server: [0], load: [1] });
    expect(divideCores([0, 1, 2, 3, 4, 5])).toEqual({ server: [0, 1], load: [2, 3, 4, 5] });
  });
});

describe('the plan', () => {
  const wanted = { quick: false, only: [], rounds: null, seconds: null };

  it('takes some three minutes, and half a minute with --quick', () => {
    const secondsOf = (quick: boolean): number => {
      const names = questionsOf({ ...wanted, quick }, 1).map(({ name }) => name);
      return durationOf(names, planOf({ ...wanted, quick }));
    };
    expect(secondsOf(false)).toBeGreaterThan(120);
    expect(secondsOf(false)).toBeLessThan(190);
    expect(secondsOf(true)).toBeLessThan(40);
  });

  it('counts listeners where there are cores for them, or where it is told to', () => {
    const namesOf = (only: readonly string[], cores: number) =>
      questionsOf({ ...wanted, only }, cores).map(({ name }) => name);
    expect(namesOf([], 1)).not.toContain('http/listeners/wrapped-1kb');
    expect(namesOf([], 2)).toContain('http/listeners/wrapped-1kb');
    expect(namesOf(['http/listeners'], 1)).toEqual(['http/listeners/wrapped-1kb']);
    expect(() => namesOf(['http/steedy'], 1)).toThrow('Did you mean http/steady');
  });
});

const machine = { cpu: 'A CPU', cores: 2, load: Number.NaN } as unknown as Machine;

function report(name: string, times: number): Report {
  const step = (contender: string, rate: number, p99: number): Figure[] => [
    figureOf(contender, 'rate', '1/s', 'neither', [rate * times]),
    figureOf(contender, 'p99', 'ms', 'lower', [p99 / times]),
  ];
  const findings = [
    race([10_000 * times, 10_400 * times], 'higher', [80 / times, 82 / times]),
    finding(steady, [...step('10 %', 1_000, 1), ...step('90 %', 9_000, 4)]),
  ];
  const plan = { rounds: 2, seconds: 2, quick: false };
  const head = { name, loadout: '0.1.0', url: null, plan };
  return reportOf(head, machine, [], findings, carriedBy(findings));
}

/** The report as a file has it. */
function reread(value: unknown): Report {
  const path = join(folder, 'report.json');
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return readReport(path);
}

describe('a report', () => {
  it('is read as it was written', () => {
    expect(reread(report('small', 1))).toEqual(report('small', 1));
  });

  it.each([
    ['garbage', 'not JSON {', 'is not JSON'],
    ['other JSON', { version: 1 }, 'is not a report of `loadout bench`'],
    ['null', null, 'is not a report'],
    ['a later version', { ...report('a', 1), version: 2 }, 'has version 2 of the report'],
    ['half of one', { ...report('a', 1), results: undefined }, 'not a whole report: results'],
  ])('is rejected with a reason: %s', (_, value, reason) => {
    expect(() => reread(value)).toThrow(reason);
  });

  it('is rejected where there is no file', () => {
    expect(() => readReport(join(folder, 'none.json'))).toThrow('there is no such file');
  });

  it('cannot steer a terminal or a page', () => {
    const name = '\u001b[2J<script>alert(1)</script>';
    const read = reread({ ...report('a', 1), name });
    expect(read.name).toBe(' [2J<script>alert(1)</script>');
    const page = pageHtml('Loadout', read.name, {}, comparisonOf([report('b', 1), read]));
    expect(page).not.toContain('<script>');
  });
});

describe('the comparison', () => {
  const findings = comparisonOf([report('small', 1), report('large', 2)]);
  const rowsOf = (question: string) => findings.find((each) => each.question === question)?.rows;

  it('has the ratio of each figure to the first machine', () => {
    const rows = rowsOf(refresh) ?? [];
    const row = (contender: string, figure: string) =>
      rows.find(([who, what]) => who === contender && what === figure);
    expect(row('loadout', 'requests/s')).toEqual([
      'loadout',
      'requests/s',
      10_200,
      20_400,
      '2.00',
      '',
    ]);
    expect(row('loadout', 'server µs/request')?.[4]).toBe('0.50');
    expect(row('floor', 'requests/s')?.slice(2, 5)).toEqual([50_000, 50_000, '1.00']);
    expect(row('loadout', 'CPU of floor')?.slice(2, 5)).toEqual([10 / 81, 10 / 40.5, '2.00']);
  });

  it('draws p99 against load, a line for each machine', () => {
    const { curves = [] } = findings.find((each) => each.question === steady) ?? {};
    expect(curves).toEqual([
      {
        label: 'small, p99',
        points: [
          { perSecond: 1_000, ms: 1 },
          { perSecond: 9_000, ms: 4 },
        ],
      },
      {
        label: 'large, p99',
        points: [
          { perSecond: 2_000, ms: 0.5 },
          { perSecond: 18_000, ms: 2 },
        ],
      },
    ]);
    const svg = loadPlot(curves);
    expect(svg.match(/<polyline /g)).toHaveLength(2);
    expect(svg).toContain('>large, p99</text>');
    expect(svg).not.toContain('NaN');
  });

  it('says where a difference is within the spread, and where the load generator was the bottleneck', () => {
    const near = comparisonOf([report('a', 1), report('b', 1.01)]);
    expect(near.find(({ question }) => question === refresh)?.rows[0]?.at(-1)).toBe(
      'within the spread',
    );
    const bound = { ...report('c', 1) };
    bound.results[0]!.figures[0]!.better = 'neither';
    const [, compared] = comparisonOf([report('a', 1), bound]);
    expect(compared?.rows[0]?.at(-1)).toBe('client-bound: c');
  });

  it('leaves out what one of the reports does not have, and says how they differ', () => {
    const quick = report('quick', 1);
    const other = {
      ...{ ...quick, loadout: '0.2.0', cautions: ['It was busy.'] },
      plan: { ...quick.plan, quick: true },
      results: quick.results.slice(0, 1),
    };
    const compared = comparisonOf([report('a', 1), other]);
    expect(compared.map(({ question }) => question)).toEqual(['Machines', refresh]);
    expect(compared[0]?.notes.join(' ')).toMatch(
      /different versions.*different rounds.*quick: It was busy\./,
    );
  });
});

describe('the plot of latency against load', () => {
  it('is absent without points, and leaves out what was not measured', () => {
    const nothing = { label: 'p99', points: [{ perSecond: 10, ms: Number.NaN }] };
    expect([loadPlot([]), loadPlot([nothing])]).toEqual(['', '']);
    expect(loadPlot([{ label: 'p99', points: [{ perSecond: 10, ms: 2 }] }])).not.toContain('NaN');
  });
});
