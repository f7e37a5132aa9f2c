/** What an experiment says so far: nothing more than its data allow. */
import { describe, expect, it } from 'vitest';
import { leadOf } from '../../../../src/contract/results/lead.js';
import { aCheck, aComparison, aMetric, someResults } from './some-results.js';

const better = aComparison({ effect: 0.2, interval: [0.1, 0.3], verdict: 'better' });
const worse = aComparison({ effect: -0.2, interval: [-0.3, -0.1], verdict: 'worse' });

describe('the lead of an experiment', () => {
  it('is normally that there is no decision yet', () => {
    expect(leadOf(someResults())).toMatchObject({
      kind: 'undecided',
      short: 'No decision yet',
    });
  });

  it('names the variant, the effect and its interval once they are clear', () => {
    const { kind, short, text } = leadOf(
      someResults({ metrics: [aMetric({ comparisons: [better] })] }),
    );
    expect(kind).toBe('better');
    expect(short).toBe('cheap is better: +20 %');
    expect(text).toBe('“cheap” is better than “control”: buyers +20 % (+10 % to +30 %).');
  });

  it('names the best of several', () => {
    const best = aComparison({ ...better, variant: 'cheapest', effect: 0.3 });
    const metrics = [aMetric({ comparisons: [better, best, worse] })];
    expect(leadOf(someResults({ metrics })).short).toBe('cheapest is better: +30 %');
  });

  it('stays open while a variant may still be better, and says which is worse', () => {
    const open = aComparison({ variant: 'cheapest' });
    const { kind, text } = leadOf(
      someResults({ metrics: [aMetric({ comparisons: [worse, open] })] }),
    );
    expect(kind).toBe('undecided');
    expect(text).toContain('“cheap” is worse than “control”.');
  });

  it('is that the control stays when all variants are worse', () => {
    const metrics = [aMetric({ comparisons: [worse] })];
    expect(leadOf(someResults({ metrics })).short).toBe('cheap is worse: −20 %');
  });

  it('is nothing but the fault while the split is broken, however clear the numbers look', () => {
    const checks = [aCheck(), aCheck({ status: 'broken', sentence: 'Far too few see “cheap”.' })];
    const health = { status: 'broken', checks } as const;
    const metrics = [aMetric({ comparisons: [better] })];
    const { kind, text } = leadOf(someResults({ health, metrics }));
    expect(kind).toBe('unsound');
    expect(text).toBe('The result cannot be trusted. Far too few see “cheap”.');
  });

  it('waits for players, and for a metric that decides', () => {
    const health = { status: 'no_data', checks: [] } as const;
    expect(leadOf(someResults({ health })).kind).toBe('waiting');
    const metrics = [aMetric({ role: 'guard' })];
    expect(leadOf(someResults({ metrics })).short).toBe('No primary metric');
  });

  it('does not hide a guard that got worse behind a winner', () => {
    const guard = aMetric({ name: 'crashes', role: 'guard', comparisons: [worse] });
    const metrics = [aMetric({ comparisons: [better] }), guard];
    const { kind, short, text } = leadOf(someResults({ metrics }));
    expect(kind).toBe('better');
    expect(short).toBe('cheap is better: +20 %, but a guard is worse');
    expect(text).toContain('A guard got worse: crashes in “cheap”.');
  });
});
