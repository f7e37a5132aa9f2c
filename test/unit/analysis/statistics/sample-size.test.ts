import { describe, expect, it } from 'vitest';
import { normalCdf } from '../../../../src/analysis/statistics/normal.js';
import {
  type SampleSizePlan,
  sampleSizePerVariant,
} from '../../../../src/analysis/statistics/sample-size.js';
import { sequentialCriticalValue } from '../../../../src/analysis/statistics/sequential.js';

const plan: SampleSizePlan = {
  ...{ mean: 10, variance: 400, smallestEffect: 0.1, variants: 2 },
  ...{ method: 'fixed', power: 0.8, alpha: 0.05 },
};

describe('the size of a sample', () => {
  it('is that of the textbook for one look', () => {
    // (1.95996 + 0.84162)² (400 + 484) / 1²
    expect(sampleSizePerVariant(plan)).toBe(6_939);
    // Of 10 % against 12 %: (1.95996 + 0.84162)² (0.09 + 0.1056) / 0.02²
    const conversion = { ...plan, mean: 0.1, variance: null, smallestEffect: 0.2 };
    expect(sampleSizePerVariant(conversion)).toBe(3_839);
  });

  it.each([
    [2, 0.8, 0.05],
    [4, 0.8, 0.05],
    [20, 0.95, 0.01],
  ])('has its power at the boundary of %d variants', (variants, power, alpha) => {
    const users = sampleSizePerVariant({ ...plan, method: 'sequential', variants, power, alpha });
    const powerWith = (count: number) =>
      normalCdf(
        1 / Math.sqrt(884 / count) - sequentialCriticalValue(2 * count, alpha / (variants - 1)),
      );
    expect(powerWith(users)).toBeGreaterThanOrEqual(power);
    expect(powerWith(users - 1)).toBeLessThan(power);
  });

  it('is never so small that nothing could be decided, whatever the effect', () => {
    for (const method of ['fixed', 'sequential'] as const) {
      const huge = { ...plan, method, mean: 1, variance: 1e-9, smallestEffect: 10 };
      expect(sampleSizePerVariant(huge)).toBe(25);
    }
  });

  it('is no safe integer where no number of users would do', () => {
    for (const method of ['fixed', 'sequential'] as const) {
      const none = { ...plan, method, mean: 1e-300, smallestEffect: 1e-300 };
      expect(Number.isSafeInteger(sampleSizePerVariant(none))).toBe(false);
    }
  });
});
