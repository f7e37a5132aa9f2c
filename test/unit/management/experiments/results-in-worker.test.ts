/** Goal: results whose intervals take the control process long are made in a worker, and those of a few sums at once. */
import { expect, it } from 'vitest';
import type { AnalysisStatistics } from '../../../../src/analysis/messages.js';
import {
  type AnalysisClient,
  withoutEvents,
} from '../../../../src/management/analysis/analysis-client.js';
import { EventCounts } from '../../../../src/management/analysis/event-counts.js';
import type { Work } from '../../../../src/management/jobs/work.js';
import {
  statisticsOf,
  sumsFor,
  usersWithMean,
} from '../../../support/statistics/results-source.js';
import { startApi, workHere } from '../harness.js';
import { makeExperiment, priceTest, publish } from './harness.js';

/** What the events of so many days say. */
function statisticsOfDays(count: number): AnalysisStatistics {
  const sums = ['control', 'cheap'].map((variant) => sumsFor(variant, usersWithMean(500, 2)));
  const days = Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
  );
  return statisticsOf({
    metrics: [{ name: 'revenue', sums, winsorisedAt: null }],
    cumulative: days.flatMap((day) => sums.map((each) => ({ ...each, day }))),
  });
}

it.each([
  [7, []],
  [365, ['resultsOf']],
])('results of %i days ask a worker for %j', async (days, expected) => {
  const asked: string[] = [];
  const work: Work = {
    tasks: workHere.tasks,
    run: (name, input, options) => {
      asked.push(name);
      // What a worker is given is copied.
      return workHere.run(name, structuredClone(input), options);
    },
  };
  const analysis: AnalysisClient = {
    ...withoutEvents(new EventCounts()),
    analyse: async () => statisticsOfDays(days),
  };
  const api = await startApi({}, { work, analysis });
  await publish(api, [priceTest]);
  await api.dev('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase' });
  await makeExperiment(api, { primaryMetric: 'revenue' });
  await api.dev('POST', '/experiments/prices/start', {});
  asked.length = 0;
  const { status, body } = await api.dev('GET', '/experiments/prices/results?method=fixed');
  expect([status, body.cumulative.length]).toEqual([200, days]);
  expect(asked).toEqual(expected);
});
