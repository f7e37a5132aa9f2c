/** Counters of rejected requests: they only grow, and have a bounded number of series. */
import { describe, expect, it } from 'vitest';
import { RefusedCounts } from '../../../../src/management/health/rejections/refused-counts.js';

/** By environment and code. */
function shown(counts: RefusedCounts): Record<string, number> {
  return Object.fromEntries(
    counts
      .gauges()
      .map(({ labels, value }) => [`${labels?.['environment']} ${labels?.['code']}`, value]),
  );
}

function report(environment: string, code: string, count: number) {
  return { rejected: [[environment, code, 404, count] as const] };
}

describe('rejected requests since the start', () => {
  it('are sums of all reports, by environment and code', () => {
    const counts = new RefusedCounts();
    counts.add(report('dev', 'content_not_found', 3));
    counts.add(report('dev', 'content_not_found', 2));
    counts.add(report('dev', 'invalid_body', 1));
    counts.add(report('', 'invalid_api_key', 7));
    expect(shown(counts)).toEqual({
      'dev content_not_found': 5,
      'dev invalid_body': 1,
      '(none) invalid_api_key': 7,
    });
  });

  it('of one code with two statuses are one counter', () => {
    const counts = new RefusedCounts();
    counts.add({ rejected: [['dev', 'x', 400, 1] as const, ['dev', 'x', 503, 2] as const] });
    expect(shown(counts)).toEqual({ 'dev x': 3 });
  });

  it('of environments beyond the bound share one set of series, and no counter ever falls', () => {
    const counts = new RefusedCounts(2);
    for (const name of ['a', 'b', 'c', 'd']) counts.add(report(name, 'x', 1));
    counts.add(report('a', 'x', 1));
    expect(shown(counts)).toEqual({ 'a x': 2, 'b x': 1, '(other) x': 2 });
  });
});
