/** How far the numbers of a path moved: its lowest against the lowest before, its highest against the highest. */

import type { NumberBound } from '../envelope/line-envelope.js';
import type { ValueGroup } from '../envelope/value-group.js';
import { describeBound, describeNumber } from './describe-bound.js';

export interface BoundChange {
  readonly before: NumberBound;
  readonly now: NumberBound;
  /** Which one, where a path has several values: `the lowest value of`, or ''. */
  readonly which: string;
}

/** The changes of both bounds, the larger first; none where one side has no number. */
export function boundChanges(now: ValueGroup, before: ValueGroup): BoundChange[] {
  if (now.min === null || now.max === null || before.min === null || before.max === null) return [];
  const isSingle = now.min.value === now.max.value && before.min.value === before.max.value;
  const name = (which: string): string => (isSingle ? '' : `the ${which} value of `);
  const highest = { before: before.max, now: now.max, which: name('highest') };
  const lowest = { before: before.min, now: now.min, which: name('lowest') };
  return factorOf(lowest) > factorOf(highest) ? [lowest, highest] : [highest, lowest];
}

/** At least 1. From zero, to zero, and through zero any change is infinite. */
export function factorOf({ before, now }: BoundChange): number {
  if (before.value === now.value) return 1;
  const ratio = now.value / before.value;
  if (!(ratio > 0)) return Number.POSITIVE_INFINITY;
  return Math.max(ratio, 1 / ratio);
}

/** Whether the number moved by more than the factor. 4.9 to 49 is a factor of ten, whatever doubles make of it. */
export function isOverFactor(change: BoundChange, factor: number): boolean {
  return factorOf(change) > factor * (1 + ROUNDING);
}

/** Whether the number moved by more than the difference. */
export function isOverDifference({ before, now }: BoundChange, by: number): boolean {
  return before.value !== now.value && Math.abs(now.value - before.value) > by * (1 + ROUNDING);
}

/** Such as `goes from 5,000 to 50,000,000 (rule "whales")`. */
export function describeChange({ before, now }: BoundChange): string {
  return `goes from ${describeNumber(before.value)} to ${describeBound(now)}`;
}

/** What two divisions of doubles may be off. */
const ROUNDING = 1e-12;
