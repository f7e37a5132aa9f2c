/** Results as text: each interval is a bar on the scale of all. */
import { describe, expect, it } from 'vitest';
import { formatResults } from '../../../../src/command/experiment/format-results.js';
import { formatAxis, formatBar } from '../../../../src/command/experiment/interval-bar.js';
import { aComparison, aMetric, someResults } from '../../contract/results/some-results.js';

describe('an interval as a bar of text', () => {
  const scale = { limit: 0.1 };

  it.each([
    [[-0.04, 0.04], 0, '.........------o------.........'],
    [[0.02, 0.1], 0.06, '...............|..------o------'],
    [[-0.4, 0.04], -0.08, '<--o-----------|------.........'],
    [[null, null], null, '...............|...............'],
  ] as const)('of %j with %s', (interval, effect, bar) => {
    expect(formatBar(scale, { interval: [...interval], effect })).toBe(bar);
  });

  it('is as wide as its axis', () => {
    expect(formatAxis(scale)).toBe('−10 %          0          +10 %');
    expect(formatAxis(scale)).toHaveLength(formatBar(scale, aComparison()).length);
  });
});

describe('results as text', () => {
  const worse = aComparison({ effect: -0.08, interval: [-0.1, -0.06], verdict: 'worse' });
  const text = formatResults(
    someResults({
      metrics: [aMetric({ comparisons: [worse] }), aMetric({ name: 'sessions', role: 'other' })],
      segments: [],
    }),
    false,
  );

  it('say what leads and whether it is fair before anything else', () => {
    expect(text).toMatch(/^“cheap” is worse than “control”: buyers −8 %/);
    expect(text).toContain('\nPhase 1, 4 of 14 days.\n');
    expect(text.indexOf('Health:')).toBeLessThan(text.indexOf('buyers (primary'));
  });

  it('have the players of each variant with their share', () => {
    expect(text).toMatch(/cheap +50\.0 % +1,031 \(50\.3 %\) +1,010 \(50\.2 %\) +1 +2/);
  });

  it('leave out metrics that the plan does not name', () => {
    expect(text).not.toContain('sessions');
  });

  it('mark what any client can send, and what was chosen afterwards', () => {
    expect(text).toContain('buyers (primary, more is better, client-reported)');
    expect(text).toContain('Exploratory: chosen afterwards, so it decides nothing.');
  });
});
