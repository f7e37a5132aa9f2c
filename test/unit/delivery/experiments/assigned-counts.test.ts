/** What a delivery process counts of experiments: by day, once for a user, and in bounded memory. */
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { type AssignedSketch, unionOf } from '../../../../src/content/sketch/assigned-sketch.js';
import { decodeSketch } from '../../../../src/content/sketch/sketch-bytes.js';
import { AssignedCounts } from '../../../../src/delivery/experiments/assigned-counts.js';
import { CountedArms } from '../../../../src/delivery/experiments/counted-arms.js';
import type { AssignedReport } from '../../../../src/published/barrier.js';
import type { PublishedExperiment } from '../../../../src/published/environment-settings.js';

const noonMs = Date.UTC(2026, 0, 31, 12);
const dayMs = 24 * 3_600_000;
const streamKey = new Uint8Array(32).fill(7);

const published = (id: string, phase = 1, variants = ['a', 'b']): PublishedExperiment => ({
  ...{ id, phase, content: 'shop', segment: id, salt: null, variants },
});

class Counting {
  readonly counts: AssignedCounts;
  readonly #bytesMax: number | undefined;

  constructor(bytesMax?: number) {
    this.#bytesMax = bytesMax;
    this.counts = new AssignedCounts(this.#bytesMax);
    this.counts.setKey(streamKey);
  }

  /** A body that belongs to the same variant of each experiment. */
  arms(variant: number, ...experiments: PublishedExperiment[]): CountedArms {
    const arms = experiments.map((one) => ({
      experiment: this.counts.experiment('dev', one),
      variant,
    }));
    return new CountedArms(this.counts, arms);
  }

  reports(): AssignedReport[] {
    return [...this.counts.takeReports()];
  }
}

const caller = (u: string) => makeEvaluationContext(u, {}, null);

function count(arms: CountedArms, prefix: string, users: number, nowMs = noonMs): void {
  for (let at = 0; at < users; at += 1) arms.count(caller(`${prefix}-${at}`), nowMs);
}

function sketchOf({ users }: AssignedReport): AssignedSketch {
  return decodeSketch(Buffer.from(users, 'base64')) as AssignedSketch;
}

/** Users of variant a and b in the sample. */
const sampled = (sketch: AssignedSketch): number[] => [
  sketch.usersInSample(0),
  sketch.usersInSample(1),
];

describe('the counts of a delivery process', () => {
  it('report a user once a day, and a caller without a user id never', () => {
    const counting = new Counting();
    const arms = counting.arms(1, published('one'), published('two'));
    count(arms, 'u', 100);
    count(arms, 'u', 100);
    arms.count(caller(''), noonMs);
    const reports = counting.reports();
    expect(reports.map(({ experiment, phase, day }) => [experiment, phase, day])).toEqual([
      ['one', 1, '2026-01-31'],
      ['two', 1, '2026-01-31'],
    ]);
    for (const report of reports) expect(sampled(sketchOf(report))).toEqual([0, 100]);
    count(arms, 'u', 100);
    expect(counting.reports()).toEqual([]);
    count(arms, 'u', 101);
    expect(counting.reports().map((report) => sampled(sketchOf(report)))).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('begin afresh at midnight UTC, and report the day before', () => {
    const counting = new Counting();
    const arms = counting.arms(0, published('one'));
    const midnightMs = Date.UTC(2026, 1, 1);
    count(arms, 'u', 30, midnightMs - 0.5);
    count(arms, 'u', 20, midnightMs);
    const byDay = new Map(counting.reports().map((report) => [report.day, report]));
    expect([...byDay.keys()]).toEqual(['2026-01-31', '2026-02-01']);
    const numbers = [...byDay.values()].map((report) => sampled(sketchOf(report))[0]);
    expect(numbers).toEqual([30, 20]);
  });

  it('count for the right day when the clock is put back', () => {
    const counting = new Counting();
    const arms = counting.arms(0, published('one'));
    count(arms, 'u', 10);
    count(arms, 'v', 10, noonMs - dayMs);
    count(arms, 'w', 10);
    const reports = counting.reports();
    const dayOf = (day: string): AssignedSketch =>
      unionOf(reports.filter((report) => report.day === day).map(sketchOf));
    expect(sampled(dayOf('2026-01-30'))[0]).toBe(10);
    expect(sampled(dayOf('2026-01-31'))[0]).toBe(20);
  });

  it('report what an experiment has counted when it is over, and nothing of it later', () => {
    const counting = new Counting();
    const [one, two] = [published('one'), published('two')];
    const arms = counting.arms(0, one, two);
    count(arms, 'u', 10);
    counting.counts.retain('dev', [two]);
    count(counting.arms(0, two), 'u', 11);
    expect(counting.reports().map(({ experiment }) => experiment)).toEqual(['one', 'two']);
    expect(counting.counts.counting).toBe(1);
    counting.counts.retain('dev', []);
    expect(counting.reports()).toEqual([]);
    expect(counting.counts.bytes).toBe(0);
  });

  it('keep the phases of an experiment apart', () => {
    const counting = new Counting();
    count(counting.arms(0, published('one', 1)), 'u', 10);
    count(counting.arms(0, published('one', 2)), 'u', 12);
    const phases = counting.reports().map((one) => [one.phase, sampled(sketchOf(one))[0]]);
    expect(phases).toEqual([
      [1, 10],
      [2, 12],
    ]);
  });

  it('halve the largest sample when memory is short, for all variants alike', () => {
    const counting = new Counting(200_000);
    const large = published('large');
    const arms = [counting.arms(0, large), counting.arms(1, large)] as const;
    count(counting.arms(0, published('small')), 'w', 50);
    for (const each of arms) count(each, 'u', 4_000);
    const first = counting.reports().map(sketchOf);
    expect(counting.counts.bytes).toBeLessThanOrEqual(200_000);
    for (const each of arms) count(each, 'u', 8_000);
    const second = counting.reports().map(sketchOf);
    expect(first.map(({ level }) => level)).toEqual([0, 0]);
    expect(sampled(first[1] as AssignedSketch)).toEqual([50, 0]);
    const whole = unionOf([first[0] as AssignedSketch, ...second]);
    expect(whole.level).toBeGreaterThan(0);
    // The same users were given both variants.
    const [a, b] = sampled(whole) as [number, number];
    expect(a).toBe(b);
    const share = 8_000 / 2 ** whole.level;
    expect(Math.abs(a - share)).toBeLessThan(5 * Math.sqrt(share));
    for (const at of [0, 1]) expect(Math.abs(whole.users(at) - 8_000)).toBeLessThan(240);
  });

  it('leave out experiments that find no room, and say how many deliveries that were', () => {
    const counting = new Counting(120_000);
    const experiments = ['one', 'two', 'three', 'four'].map((id) => published(id));
    const arms = experiments.map((one) => counting.arms(0, one));
    for (const each of arms) count(each, 'u', 10);
    expect(counting.counts.counting).toBe(2);
    expect(counting.counts.uncounted).toBe(20);
    expect(counting.reports().map(({ experiment }) => experiment)).toEqual(['one', 'two']);
    counting.counts.retain('dev', experiments.slice(2));
    counting.reports();
    for (const each of arms.slice(2)) count(each, 'u', 10);
    expect(counting.reports().map(({ experiment }) => experiment)).toEqual(['three', 'four']);
    expect(counting.counts.uncounted).toBe(20);
  });
});
