import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimerWheel } from '../../../../src/delivery/stream/timer-wheel.js';

const slotMs = 100;

type Step =
  | { readonly kind: 'add'; readonly inMs: number }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'pass'; readonly byMs: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        inMs: fc.integer({ min: -500, max: 5_000 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('add' as const), inMs: fc.constant(3.2e10) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        byMs: fc.integer({ min: 0, max: 700 }),
      }),
    },
    // A long sleep, and steps of the clock in both directions.
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        byMs: fc.constantFrom(3.3e10, 86_400_000, -50, -3_000),
      }),
    },
  ),
  { maxLength: 80 },
) as fc.Arbitrary<Step[]>;

interface Item {
  readonly id: number;
  readonly dueMs: number;
  readonly slot: number;
}

describe('a timer wheel', () => {
  it('gives each item once, never before it is due, and with the first tick a slot after that', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 1e12 }), (all, startMs) => {
        const wheel = new TimerWheel<number>(slotMs, startMs);
        let nowMs = startMs;
        /** The latest time of all ticks: what was due before it may come a tick late after a step back. */
        let latestMs = startMs;
        let left: Item[] = [];
        let next = 0;
        for (const step of all) {
          if (step.kind === 'add') {
            const dueMs = nowMs + step.inMs;
            const id = next;
            next += 1;
            const slot = wheel.add(id, dueMs);
            // What is overdue already comes with the next tick.
            left.push({ id, dueMs: Math.max(dueMs, nowMs), slot });
          } else if (step.kind === 'remove' && left.length > 0) {
            const [item] = left.splice(step.pick % left.length, 1) as [Item];
            wheel.remove(item.id, item.slot);
          } else if (step.kind === 'pass') {
            nowMs += step.byMs;
            const taken = wheel.take(nowMs);
            expect(new Set(taken).size).toBe(taken.length);
            for (const id of taken) {
              const item = left.find((one) => one.id === id);
              expect(item?.dueMs).toBeLessThanOrEqual(nowMs);
            }
            left = left.filter(({ id }) => !taken.includes(id));
            latestMs = Math.max(latestMs, nowMs);
            for (const { dueMs } of left) {
              if (nowMs === latestMs) expect(dueMs).toBeGreaterThan(nowMs - 2 * slotMs);
            }
          }
        }
        const end = Math.max(latestMs, nowMs, ...left.map(({ dueMs }) => dueMs)) + 2 * slotMs;
        expect(wheel.take(end).sort((a, b) => a - b)).toEqual(left.map(({ id }) => id));
        expect(wheel.take(end + 1e6)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
