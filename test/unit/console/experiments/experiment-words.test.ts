/** Days, health and plans of experiments for people. */
import { describe, expect, it } from 'vitest';
import { emptyPlan, idOf, planOf } from '../../../../src/console/experiment/setup/plan-values.js';
import { sourceOf, wholeWeeks } from '../../../../src/console/experiment/setup/sample-source.js';
import {
  controlOf,
  shareOf,
  testsWithout,
} from '../../../../src/console/experiment/setup/test-choice.js';
import {
  describeCut,
  effectRange,
  loneIntervals,
} from '../../../../src/console/experiment/words/cumulative.js';
import { sortChecks } from '../../../../src/console/experiment/words/health-words.js';
import {
  emptyMetric,
  eventsToPropose,
  inputOf,
} from '../../../../src/console/experiments/metrics/metric-values.js';
import { daysOf, runText } from '../../../../src/console/experiments/words/days.js';
import { describeMetric } from '../../../../src/console/experiments/words/metric-words.js';
import type { AbTest } from '../../../../src/contract/operations/tests.js';
import type { ExperimentSummary } from '../../../../src/contract/schemas/experiment.js';
import type { Metric } from '../../../../src/contract/schemas/metric.js';
import { aCheck } from '../../contract/results/some-results.js';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-20T12:00:00Z');
const run = {
  ...{ startedAt: new Date(startMs).toISOString(), stoppedAt: null, decidedAt: null },
  plannedDays: 14,
};

describe('the days of an experiment', () => {
  it('count from the first, and do not end with the plan', () => {
    expect(runText({ ...run, startedAt: null }, startMs)).toBe('14 days planned');
    expect(runText(run, startMs + 1)).toBe('Day 1 of 14');
    expect(runText(run, startMs + 3.5 * dayMs)).toBe('Day 4 of 14');
    expect(runText(run, startMs + 20.5 * dayMs)).toBe('Day 21, 14 planned');
  });

  it('end when it is stopped', () => {
    const stoppedAt = new Date(startMs + 5 * dayMs).toISOString();
    expect(runText({ ...run, stoppedAt }, startMs + 40 * dayMs)).toBe('Ran 5 days, 14 planned');
    const atOnce = { ...run, stoppedAt: run.startedAt };
    expect(runText(atOnce, startMs + 40 * dayMs)).toBe('Ran 1 day, 14 planned');
  });

  it('have the counts of each variant, oldest first', () => {
    const daily = [
      { day: '2026-11-21', variant: 'b', assigned: null, exposed: 4 },
      { day: '2026-11-20', variant: 'a', assigned: 9, exposed: 3 },
      { day: '2026-11-21', variant: 'a', assigned: 9, exposed: 5 },
    ];
    expect(daysOf(daily, ['a', 'b'])).toEqual([
      { day: '2026-11-20', exposed: [3, 0], total: 3 },
      { day: '2026-11-21', exposed: [5, 4], total: 9 },
    ]);
  });
});

it('shows the checks that ask for attention first', () => {
  const checks = [aCheck(), aCheck({ status: 'no_data' }), aCheck({ status: 'broken' })];
  expect(sortChecks(checks).map(({ status }) => status)).toEqual(['broken', 'ok', 'no_data']);
});

it('keeps no change in the middle of the chart, and the first wild days out of its scale', () => {
  const of = (low: number, high: number) => ({
    ...{ day: '2026-11-20', variant: 'b', effect: 0, interval: [low, high] as [number, number] },
  });
  const [bottom, top] = effectRange([of(-9, 9), of(-0.2, 0.3), of(-0.1, 0.2)]);
  expect(bottom).toBeCloseTo(-0.33);
  expect(top).toBeCloseTo(0.33);
});

it('proposes events that came, and those of metrics that have not come', () => {
  const metrics = [
    { event: 'purchase', denominator: null },
    { event: 'spent', denominator: 'match' },
  ];
  expect(eventsToPropose(metrics, ['session', 'purchase'])).toEqual([
    ...['session', 'purchase', 'spent', 'match'],
  ]);
  expect(eventsToPropose([], [])).toEqual([]);
});

it('says which days the chart cuts', () => {
  const of = (day: number, low: number | null, high: number | null) => ({
    ...{ day: `2026-11-2${day}`, variant: 'b', effect: 0 },
    interval: [low, high] as [number | null, number | null],
  });
  const calm = [of(2, -0.1, 0.2), of(3, -0.1, 0.2), of(4, null, null)];
  expect(describeCut(calm)).toBeNull();
  expect(describeCut([])).toBeNull();
  expect(describeCut([of(1, -9, 9), ...calm])).toBe(
    'The interval of 21 Nov reaches beyond the chart: the table has it.',
  );
  expect(describeCut([of(0, 0, 9), of(1, -3, 0), ...calm, ...calm])).toBe(
    'The intervals of 2 days from 20 Nov to 21 Nov reach beyond the chart: the table has them.',
  );
});

it('draws an interval between days without one, which no band can show, by itself', () => {
  const of = (...interval: [number | null, number | null]) => ({
    ...{ day: '2026-11-20', variant: 'b', effect: 0, interval },
  });
  const [known, unknown] = [of(-0.1, 0.2), of(null, null)];
  expect(loneIntervals([known])).toEqual([0]);
  expect(loneIntervals([unknown, known])).toEqual([1]);
  expect(loneIntervals([known, unknown, known, known])).toEqual([0]);
  expect(loneIntervals([known, known])).toEqual([]);
  expect(loneIntervals([unknown])).toEqual([]);
});

const aTest = (more: Partial<AbTest> = {}): AbTest => ({
  ...{ content: 'Shop', revision: 1, live: true, rule: 0, segment: 'price', saved: false },
  ...{
    info: null,
    salt: 's',
    layer: null,
    slice: null,
    holdout: false,
    from: null,
    until: null,
    local: false,
    repeat: null,
  },
  variants: [
    { name: 'low', groups: [0, 249], info: null, mutation: 'merge' },
    { name: 'same', groups: [250, 499], info: null, mutation: null },
  ],
  ...more,
});

describe('the set-up of an experiment', () => {
  const summary = { content: 'shop', segment: 'price', state: 'running' } as ExperimentSummary;

  it('offers rules with variants that no experiment measures yet', () => {
    const other = aTest({ segment: 'colour' });
    const lone = aTest({ segment: 'lone', variants: aTest().variants.slice(0, 1) });
    expect(testsWithout([aTest(), other, lone], [summary])).toEqual([other]);
    expect(testsWithout([aTest()], [{ ...summary, state: 'decided' }])).toHaveLength(1);
  });

  it('proposes the variant that changes nothing as the control, and knows who takes part', () => {
    expect(controlOf(aTest())).toBe('same');
    expect(shareOf(aTest())).toBe(0.5);
  });

  it('makes an id of a name', () => {
    expect(idOf('Cheaper chest, take 2!')).toBe('cheaper-chest-take-2');
    expect(idOf('Überraschung')).toBe('berraschung');
  });

  it('sends percent as parts of 1, and no guard that is the primary metric', () => {
    const plan = planOf({
      ...{ ...emptyPlan, name: ' Prices ', control: 'a', smallestEffect: 2.5 },
      ...{ primaryMetric: 'buyers', guardMetrics: ['buyers', 'crashes'] },
    });
    expect(plan).toMatchObject({
      ...{ name: 'Prices', smallestEffect: 0.025, guardMetrics: ['crashes'] },
    });
  });

  it('computes the size from what is typed, else from what the metric was', () => {
    const empty = { share: '', mean: '', deviation: '' };
    const buyers = { name: 'buyers', kind: 'conversion' } as Metric;
    const revenue = { name: 'revenue', kind: 'sum' } as Metric;
    expect(sourceOf(buyers, empty)).toEqual({ metric: 'buyers' });
    expect(sourceOf(buyers, { ...empty, share: 4 })).toEqual({ rate: 0.04 });
    expect(sourceOf(revenue, { ...empty, mean: 2 })).toEqual({ metric: 'revenue' });
    expect(sourceOf(revenue, { ...empty, mean: 2, deviation: 3 })).toEqual({
      ...{ mean: 2, variance: 9 },
    });
    expect([1, 7, 8].map(wholeWeeks)).toEqual([7, 7, 14]);
  });
});

describe('a metric', () => {
  it('sends no members of other kinds', () => {
    const values = { ...emptyMetric, name: 'x', event: 'purchase', windowDays: 7, day: '30' };
    expect(inputOf({ ...values, kind: 'conversion' })).toMatchObject({ windowDays: 7, day: null });
    expect(inputOf({ ...values, kind: 'retention' })).toMatchObject({ windowDays: null, day: 30 });
    expect(inputOf({ ...values, kind: 'sum' }).cap).toEqual({ perUserDay: null, winsorise: 0.999 });
  });

  it('says in a sentence what counts', () => {
    const cap = { perUserDay: 5, winsorise: null };
    const metric = { ...inputOf({ ...emptyMetric, event: 'purchase', windowDays: 7 }), cap };
    expect(describeMetric(metric as Metric)).toBe(
      'Share of players with at least one purchase event within 7 days of their first exposure. At most 5 a day and player count.',
    );
  });
});
