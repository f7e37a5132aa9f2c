import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ReleaseBrake } from '../../../../../src/contract/schemas/release.js';
import { QueryWatch } from '../../../../../src/management/releases/brake/query-watch.js';
import type { ReleaseRecord } from '../../../../../src/management/store/releases/releases.js';

const secondMs = 1_000;
type Query = NonNullable<ReleaseBrake['query']>;
const errors: Query = { query: 'errors', above: 5, minutes: 1, noData: 'ignore' };

/** A ramp whose query has the results of a test, each when the leader looks. */
class Watched {
  readonly warned: unknown[] = [];
  readonly #watch: QueryWatch;
  readonly #release: ReleaseRecord;
  #nowMs = 0;
  #next: readonly number[] | 'away' = [];
  asked = 0;

  constructor(query: Query) {
    const release: Partial<ReleaseRecord> = {
      ...{ environment: 'dev', release: 1, run: 1 },
      brake: { action: 'stop', receipts: null, query },
    };
    this.#release = release as ReleaseRecord;
    const ask = async (promql: string) => {
      expect(promql).toBe(query.query);
      this.asked += 1;
      if (this.#next === 'away') throw new Error('away');
      return this.#next;
    };
    this.#watch = new QueryWatch(ask, { warn: (entry: unknown) => this.warned.push(entry) });
  }

  /** The result from now on, and what the leader is told after each look of so many seconds. */
  async over(seconds: number, result: readonly number[] | 'away'): Promise<string | null> {
    this.#next = result;
    let trip: string | null = null;
    for (let passed = 0; passed < seconds; passed += 5) {
      this.#nowMs += 5 * secondMs;
      this.#watch.trip(this.#release, this.#nowMs);
      await nextTurn();
      trip ??= this.#watch.trip(this.#release, this.#nowMs);
    }
    return trip;
  }

  pass(seconds: number): void {
    this.#nowMs += seconds * secondMs;
  }
}

describe('a query', () => {
  it('trips once its result has been above for as long as the brake says, with the figures', async () => {
    const watched = new Watched(errors);
    expect(await watched.over(600, [4, 5])).toBeNull();
    expect(await watched.over(60, [4, 6])).toBeNull();
    expect(await watched.over(5, [4, 7])).toBe(
      'The query has been above 5 for 1 min, and is 7: errors',
    );
  });

  it('trips below a number, at once where no time is set', async () => {
    const { above: _, ...below } = errors;
    const watched = new Watched({ ...below, below: 0.9, minutes: 0 });
    expect(await watched.over(5, [0.9])).toBeNull();
    expect(await watched.over(5, [0.8])).toBe('The query has been below 0.9, and is 0.8: errors');
  });

  it('begins again after a result that is not bad', async () => {
    const watched = new Watched(errors);
    await watched.over(55, [6]);
    await watched.over(5, [5]);
    expect(await watched.over(60, [6])).toBeNull();
    expect(await watched.over(5, [6])).not.toBeNull();
  });

  it('ignores that there is no result, and no response, and warns once', async () => {
    const watched = new Watched(errors);
    expect(await watched.over(600, [])).toBeNull();
    expect(await watched.over(600, 'away')).toBeNull();
    expect(watched.warned).toHaveLength(1);
    await watched.over(30, [6]);
    await watched.over(10, 'away');
    expect(await watched.over(30, [6])).not.toBeNull();
  });

  it('takes no result, and no response, for bad if the brake says so', async () => {
    for (const result of [[], 'away'] as const) {
      const watched = new Watched({ ...errors, noData: 'bad' });
      expect(await watched.over(60, result)).toBeNull();
      expect(await watched.over(5, result)).toBe(
        'The query has had no result, or has been above 5 for 1 min: errors',
      );
    }
  });

  it('knows nothing of a time in which it was not asked', async () => {
    const watched = new Watched(errors);
    await watched.over(5, [6]);
    watched.pass(120);
    expect(await watched.over(5, [6])).toBeNull();
  });

  it('is asked once at a time, however often the leader looks', async () => {
    let asked = 0;
    const watch = new QueryWatch(
      () => {
        asked += 1;
        return new Promise(() => undefined);
      },
      { warn: () => undefined },
    );
    const release = {
      ...{ environment: 'dev', release: 1, run: 1 },
      brake: { action: 'stop', receipts: null, query: errors },
    } as unknown as ReleaseRecord;
    for (let at = 0; at < 100; at += 1) expect(watch.trip(release, at * 10 * secondMs)).toBeNull();
    expect(asked).toBe(1);
  });
});
