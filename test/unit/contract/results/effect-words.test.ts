/** Effects and intervals in words, and their places on a scale. */
import { describe, expect, it } from 'vitest';
import { placeInterval, scaleOf } from '../../../../src/contract/results/effect-scale.js';
import {
  formatEffect,
  formatInterval,
  formatMean,
  formatPValue,
} from '../../../../src/contract/results/effect-words.js';

describe('effects in words', () => {
  it.each([
    [0.052, '+5.2 %'],
    [-0.008, '−0.8 %'],
    [0.0001, '0 %'],
    [1.5, '+150 %'],
    [null, '–'],
  ])('%s is %s', (effect, words) => {
    expect(formatEffect(effect)).toBe(words);
  });

  it('says which end of an interval is open', () => {
    expect(formatInterval([-0.011, 0.094])).toBe('−1.1 % to +9.4 %');
    expect(formatInterval([null, 0.1])).toBe('up to +10 %');
    expect(formatInterval([0.1, null])).toBe('+10 % or more');
    expect(formatInterval([null, null])).toBe('not known yet');
  });

  it('gives shares of players in percent, and all else in its own unit', () => {
    expect(formatMean('conversion', 0.314)).toBe('31.4 %');
    expect(formatMean('sum', 1.23456)).toBe('1.235');
    expect(formatMean('count', null)).toBe('–');
  });

  it('bounds very small p-values', () => {
    expect(formatPValue(1e-9)).toBe('p < 0.0001');
    expect(formatPValue(0.4234)).toBe('p = 0.42');
  });
});

describe('the scale of effects', () => {
  it('reaches as far as the widest interval, to the next round number', () => {
    expect(scaleOf([{ interval: [-0.03, 0.04] }, { interval: [0.01, 0.13] }])).toEqual({
      limit: 0.2,
    });
    expect(scaleOf([])).toEqual({ limit: 0.01 });
  });

  it('ends at 100 %, and marks what goes on beyond it', () => {
    const scale = scaleOf([{ interval: [-3, 8] }]);
    expect(scale).toEqual({ limit: 1 });
    expect(placeInterval(scale, { interval: [-0.5, 8], effect: 2 })).toEqual({
      ...{ from: 25, to: 100, effect: 100, isOpenLeft: false, isOpenRight: true },
    });
  });

  it('has no change in its middle', () => {
    const placed = placeInterval({ limit: 0.1 }, { interval: [-0.05, 0.05], effect: 0 });
    expect(placed).toMatchObject({ from: 25, to: 75, effect: 50 });
    expect(placeInterval({ limit: 0.1 }, { interval: [null, null], effect: null })).toBeNull();
  });
});
