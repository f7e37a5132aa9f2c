import { describe, expect, it } from 'vitest';
import type { MetricStatistics } from '../../../../src/analysis/messages.js';
import { resultsOf } from '../../../../src/analysis/results/results-of.js';
import { resultsSchema } from '../../../../src/contract/schemas/experiment-results.js';
import {
  computedAtMs,
  exposures,
  metric,
  sourceOf,
  statisticsOf,
  sumsFor,
  usersWithMean,
} from '../../../support/statistics/results-source.js';

/** Both variants with 5,000 users. */
function statisticsFor(name: string, control: number, cheap: number): MetricStatistics {
  const sums = [
    sumsFor('control', usersWithMean(5_000, control)),
    sumsFor('cheap', usersWithMean(5_000, cheap)),
  ];
  return { name, sums, winsorisedAt: null };
}

function resultsFor(...metrics: readonly MetricStatistics[]) {
  return resultsOf(sourceOf({ statistics: statisticsOf({ metrics }) }));
}

describe('verdicts', () => {
  it('waits while the interval contains no effect', () => {
    const { metrics, health } = resultsFor(statisticsFor('revenue', 1.5, 1.505));
    expect(health.status).toBe('ok');
    const [comparison] = metrics[0]?.comparisons ?? [];
    expect(comparison).toMatchObject({ verdict: 'no_decision', significant: false });
    const [low, high] = comparison?.interval ?? [];
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  it.each([
    ['up', 1.6, 'better'],
    ['up', 1.4, 'worse'],
    ['down', 1.6, 'worse'],
    ['down', 1.4, 'better'],
  ] as const)(
    'of a metric that should go %s, %d instead of 1.5 is %s',
    (direction, mean, verdict) => {
      const source = sourceOf({
        metrics: [metric('revenue', { direction })],
        statistics: statisticsOf({ metrics: [statisticsFor('revenue', 1.5, mean)] }),
      });
      expect(resultsOf(source).metrics[0]?.comparisons[0]).toMatchObject({
        ...{ verdict, significant: true, method: 'sequential' },
        effect: expect.closeTo(mean / 1.5 - 1, 9),
      });
    },
  );

  it('reports of a guard only what is worse', () => {
    const better = resultsFor(statisticsFor('crashes', 1.5, 1.2)).metrics[0];
    expect(better).toMatchObject({ role: 'guard', comparisons: [{ verdict: 'no_decision' }] });
    const worse = resultsFor(statisticsFor('crashes', 1.5, 1.8)).metrics[0];
    expect(worse).toMatchObject({ role: 'guard', comparisons: [{ verdict: 'worse' }] });
  });

  it('decides nothing where the split was not fair', () => {
    const statistics = statisticsOf({
      exposures: [exposures('control', 5_000), exposures('cheap', 4_000)],
      metrics: [statisticsFor('revenue', 1.5, 1.8), statisticsFor('crashes', 1.5, 1.8)],
    });
    const { health, metrics } = resultsOf(sourceOf({ statistics }));
    expect(health.status).toBe('broken');
    expect(health.checks.find(({ name }) => name === 'srm_exposed')).toMatchObject({
      ...{ status: 'broken', sentence: expect.stringContaining('cannot be compared') },
    });
    expect(metrics.map(({ comparisons }) => comparisons[0]?.verdict)).toEqual([
      'no_decision',
      'no_decision',
    ]);
  });

  it('gives no interval while too few users have anything', () => {
    const few = (payers: number) =>
      Array.from({ length: 5_000 }, (_, at) => ({ x: at < payers ? 1 : 0 }));
    const sums = [sumsFor('control', few(30)), sumsFor('cheap', few(2))];
    const { metrics, sources } = resultsFor({ name: 'revenue', sums, winsorisedAt: null });
    expect(sources.notes).toContain(
      'Too few users have a value of revenue to compare all variants yet.',
    );
    expect(metrics[0]?.comparisons[0]).toMatchObject({
      ...{ pValue: null, interval: [null, null], verdict: 'no_decision', significant: false },
      effect: expect.closeTo(2 / 30 - 1, 9),
    });
  });

  it('corrects for several variants, and draws intervals at the level that decides', () => {
    const experiment = { ...sourceOf().experiment };
    const names = ['control', 'a', 'b', 'c', 'd'];
    const variants = names.map((name, at) => ({
      name,
      groups: [at * 200, at * 200 + 199] as [number, number],
    }));
    const phase = { ...sourceOf().phase, variants };
    // Each alone would be just significant; of four, none is.
    const means = [1.5, 1.534, 1.5, 1.5, 1.5];
    const users = (mean: number) => usersWithMean(5_000, mean);
    const sums = names.map((name, at) => sumsFor(name, users(means[at] as number)));
    const statistics = (chosen: number) =>
      statisticsOf({
        exposures: names.slice(0, chosen).map((name) => exposures(name, 5_000)),
        metrics: [{ name: 'revenue', sums: sums.slice(0, chosen), winsorisedAt: null }],
      });
    const alone = resultsOf(
      sourceOf({
        ...{ experiment, statistics: statistics(2) },
        phase: { ...phase, variants: variants.slice(0, 2) },
      }),
    );
    const together = resultsOf(sourceOf({ experiment, phase, statistics: statistics(5) }));
    const first = ({ metrics }: typeof alone) => metrics[0]?.comparisons[0];
    expect(first(alone)).toMatchObject({ variant: 'a', significant: true });
    expect(first(together)).toMatchObject({ variant: 'a', significant: false });
    expect(first(together)?.pValue).toBe(first(alone)?.pValue);
    expect(first(alone)?.interval[0]).toBeGreaterThan(0);
    expect(first(together)?.interval[0]).toBeLessThan(0);
  });
});

describe('crossovers', () => {
  const metrics = [
    {
      name: 'revenue',
      winsorisedAt: null,
      sums: [
        sumsFor('control', usersWithMean(4_900, 1.5)),
        sumsFor('control', usersWithMean(100, 9), true),
        sumsFor('cheap', usersWithMean(4_900, 1.5)),
        sumsFor('cheap', usersWithMean(100, 1), true),
      ],
    },
  ];

  it('are left out while they are few', () => {
    const statistics = statisticsOf({
      exposures: [
        exposures('control', 5_000, { crossovers: 40 }),
        exposures('cheap', 5_000, { crossovers: 42 }),
      ],
      metrics,
    });
    const results = resultsOf(sourceOf({ statistics }));
    expect(results.health.checks.find(({ name }) => name === 'crossovers')).toMatchObject({
      ...{ status: 'ok', sentence: expect.stringContaining('they are left out') },
    });
    expect(results.metrics[0]?.variants.map(({ users }) => users)).toEqual([4_900, 4_900]);
  });

  it.each([
    ['above 1 %', 100, 104],
    ['from one variant more than from the other', 0, 60],
  ])('count for the variant that they saw first when they are %s', (_, control, cheap) => {
    const statistics = statisticsOf({
      exposures: [
        exposures('control', 5_000, { crossovers: control }),
        exposures('cheap', 5_000, { crossovers: cheap }),
      ],
      metrics,
    });
    const results = resultsOf(sourceOf({ statistics }));
    expect(results.health.status).toBe('warning');
    expect(results.metrics[0]?.variants.map(({ users }) => users)).toEqual([5_000, 5_000]);
  });
});

describe('results', () => {
  it('are as the contract says, whatever is missing', () => {
    for (const source of [
      sourceOf(),
      sourceOf({ statistics: statisticsOf({ exposures: [], dataUntilMs: null }) }),
      sourceOf({
        bySegment: true,
        statistics: statisticsOf({
          metrics: [statisticsFor('revenue', 1.5, 1.8), statisticsFor('unknown', 1, 2)],
          segments: [
            { value: 'FI', isOther: false, metric: statisticsFor('revenue', 1.5, 1.8) },
            { value: null, isOther: true, metric: statisticsFor('revenue', 1.5, 1.5) },
          ],
        }),
      }),
    ]) {
      const results = resultsOf(source);
      expect(resultsSchema.parse(results)).toEqual(results);
      expect(results.health.checks).toHaveLength(8);
      for (const { sentence } of results.health.checks) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
    }
  });

  it('have no segments where no event has the attribute', () => {
    const metric = statisticsFor('revenue', 1.5, 1.8);
    const segmentsOf = (...segments: readonly { value: string | null; isOther: boolean }[]) =>
      resultsOf(
        sourceOf({
          bySegment: true,
          statistics: statisticsOf({
            metrics: [metric],
            segments: segments.map((segment) => ({ ...segment, metric })),
          }),
        }),
      ).segments?.map(({ value }) => value);
    const without = { value: null, isOther: false };
    expect(segmentsOf(without)).toEqual([]);
    expect(segmentsOf({ value: 'FI', isOther: false }, without)).toEqual(['FI', '(no value)']);
  });

  it('say that none is left out where no user saw two variants, however unfair the split is', () => {
    const statistics = statisticsOf({
      exposures: [exposures('control', 900), exposures('cheap', 300)],
    });
    const { checks } = resultsOf(sourceOf({ statistics })).health;
    const statusOf = (name: string) => checks.find((check) => check.name === name)?.status;
    expect(statusOf('srm_exposed')).toBe('broken');
    expect(statusOf('srm_without_crossovers')).toBe('ok');
  });

  it('have no data before the first exposure', () => {
    const results = resultsOf(sourceOf({ statistics: statisticsOf({ exposures: [] }) }));
    expect(results).toMatchObject({ health: { status: 'no_data' }, days: 7.5, metrics: [] });
  });

  it('show who was in: expected, assigned and exposed, by day', () => {
    const results = resultsOf(
      sourceOf({
        statistics: statisticsOf({
          exposures: [exposures('control', 80), exposures('cheap', 90, { contradictions: 1 })],
          daily: [{ day: '2026-11-02', variant: 'cheap', exposed: 90 }],
        }),
        assigned: {
          days: [{ day: '2026-11-01', variant: 'control', users: 100.4 }],
          variants: [{ variant: 'control', users: 100.4 }],
          sample: [{ variant: 'control', users: 100 }],
        },
      }),
    );
    expect(results.variants).toEqual([
      {
        ...{ name: 'control', expectedShare: 0.5, assigned: 100, assignedInSample: 100 },
        ...{ exposed: 80, crossovers: 0, contradictions: 0 },
      },
      {
        ...{ name: 'cheap', expectedShare: 0.5, assigned: 0, assignedInSample: 0 },
        ...{ exposed: 90, crossovers: 0, contradictions: 1 },
      },
    ]);
    expect(results.daily).toEqual([
      { day: '2026-11-01', variant: 'control', assigned: 100, exposed: 0 },
      { day: '2026-11-01', variant: 'cheap', assigned: 0, exposed: 0 },
      { day: '2026-11-02', variant: 'control', assigned: 0, exposed: 0 },
      { day: '2026-11-02', variant: 'cheap', assigned: 0, exposed: 90 },
    ]);
    // All 100 in one variant.
    expect(results.health.checks[0]).toMatchObject({ name: 'srm_assigned', status: 'broken' });
  });

  it('say what they do not hold', () => {
    const { sources, health } = resultsOf(
      sourceOf({
        ...{ eventsArePartial: true, method: 'fixed' },
        phase: { ...sourceOf().phase, number: 2 },
        metrics: [metric('revenue', { trusted: false, kind: 'sum' })],
        statistics: statisticsOf({
          metrics: [{ ...statisticsFor('revenue', 1.5, 1.5), winsorisedAt: 99.123 }],
        }),
      }),
    );
    expect(sources.notes).toEqual([
      'Users with more than 99.12 of revenue count as 99.12.',
      'Users that the variants were delivered to are not known.',
      'Intervals hold for one look that was planned beforehand, not for repeated looks.',
    ]);
    const warnings = health.checks.filter(({ status }) => status === 'warning');
    expect(warnings.map(({ name }) => name)).toEqual(['changed', 'local_storage', 'trusted']);
  });

  it('end the chart of days where the table is', () => {
    const { sums } = statisticsFor('revenue', 1.5, 1.6);
    const statistics = statisticsOf({
      computedAtMs,
      metrics: [{ name: 'revenue', sums, winsorisedAt: null }],
      cumulative: sums.map((each) => ({ ...each, day: '2026-11-08' })),
    });
    const { cumulative, metrics } = resultsOf(sourceOf({ statistics }));
    const { effect, interval } = metrics[0]?.comparisons[0] ?? {};
    expect(cumulative).toEqual([{ day: '2026-11-08', variant: 'cheap', effect, interval }]);
  });
});
