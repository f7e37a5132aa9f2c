/** What is told of a store that is slow or away. */
import { describe, expect, it } from 'vitest';
import { StaleCache } from '../../../../src/management/store/stale-cache.js';
import { StoreUnavailable } from '../../../../src/management/store/store-faults.js';

describe('the last answer of the store', () => {
  it('is asked for anew as long as it answers, and stays while it is away', async () => {
    let answer: () => Promise<number> = async () => 1;
    const known = new StaleCache(() => answer(), 0, 1_000);
    expect(known.value).toBe(0);
    expect(await known.soon()).toBe(1);
    answer = async () => 2;
    expect(await known.soon()).toBe(2);
    answer = () => Promise.reject(new StoreUnavailable(null));
    expect(await known.soon()).toBe(2);
    answer = async () => 3;
    expect(await known.soon()).toBe(3);
  });

  it('is not waited for longer than it is worth, and asked for once at a time', async () => {
    let asked = 0;
    let answer = (_value: number): void => {};
    const late = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const ask = (): Promise<number> => {
      asked++;
      return late;
    };
    const known = new StaleCache(ask, 0, 5);
    expect(await Promise.all([known.soon(), known.soon()])).toEqual([0, 0]);
    expect(asked).toBe(1);
    answer(7);
    expect(await known.soon()).toBe(7);
  });

  it('hides no bug', async () => {
    const known = new StaleCache(() => Promise.reject(new TypeError('a bug')), 0, 1_000);
    await expect(known.soon()).rejects.toThrow('a bug');
  });
});
