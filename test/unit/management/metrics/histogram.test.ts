/** Buckets of durations, and how Prometheus reads them. */
import { expect, it } from 'vitest';
import { countedHistogram } from '../../../../src/management/metrics/counted-metric.js';
import { histogram } from '../../../../src/management/metrics/definition.js';
import { Histogram } from '../../../../src/management/metrics/histogram.js';

const metric = histogram({ name: 'loadout_tested_seconds', help: 'Tested.' });

it('counts a duration in the first bucket whose bound it does not pass', () => {
  const times = new Histogram(metric, [0.1, 1]);
  for (const seconds of [0, 0.1, 0.100001, 1, 1.5, 100]) times.note(seconds);
  expect(times.read()).toMatchObject({ counts: [2, 2, 2], boundsSeconds: [0.1, 1] });
  expect(times.read().sumSeconds).toBeCloseTo(102.700001);
});

it('is written with buckets that include those below, and their sum and count', () => {
  const times = new Histogram(metric, [0.1, 1]);
  for (const seconds of [0.05, 0.5, 0.5, 4]) times.note(seconds);
  const { values, type } = countedHistogram(metric, [times.read()]);
  expect(type).toBe('histogram');
  expect(values.map(({ metricName, labels, value }) => [metricName, labels['le'], value])).toEqual([
    ['loadout_tested_seconds_bucket', 0.1, 1],
    ['loadout_tested_seconds_bucket', 1, 3],
    ['loadout_tested_seconds_bucket', '+Inf', 4],
    ['loadout_tested_seconds_sum', undefined, 5.05],
    ['loadout_tested_seconds_count', undefined, 4],
  ]);
});

it('what was read does not change with what is noted later', () => {
  const times = new Histogram(metric, [1]);
  const before = times.read();
  times.note(0.5);
  expect(before.counts).toEqual([0, 0]);
  expect(times.read().counts).toEqual([1, 0]);
});
