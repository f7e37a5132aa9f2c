/** The effect on the primary metric day by day: the days of a variant, the range of their chart, and their words. Pure. */

import { formatEffect, formatInterval } from '../../../contract/results/effect-words.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { dayLabel } from '../../experiments/words/days.js';

export type EffectDay = Results['cumulative'][number];

/** Oldest first. */
export function daysOfVariant(cumulative: readonly EffectDay[], variant: string): EffectDay[] {
  return cumulative
    .filter((day) => day.variant === variant)
    .toSorted((one, other) => one.day.localeCompare(other.day));
}

/** On the first days an interval may be as wide as it likes: it must not flatten all that follows. */
const widest = 2;
const narrowest = 0.02;

/** Of the vertical axis: the same above and below zero, so that its middle is no change. */
export function effectRange(days: readonly EffectDay[]): readonly [number, number] {
  const last = days.slice(Math.floor(days.length / 3));
  const ends = last.flatMap(({ interval, effect }) => [...interval, effect]);
  const reach = Math.max(narrowest, ...ends.map((end) => Math.abs(end ?? 0)));
  const limit = Math.min(widest, reach) * 1.1;
  return [-limit, limit];
}

/** Says which days have more than their chart shows; null: it shows all. */
export function describeCut(days: readonly EffectDay[]): string | null {
  const [low, high] = effectRange(days);
  const cut = days.filter(({ effect, interval }) =>
    [...interval, effect].some((end) => end !== null && (end < low || end > high)),
  );
  const [first, last] = [cut[0], cut.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (cut.length === 1) {
    return `The interval of ${dayLabel(first.day)} reaches beyond the chart: the table has it.`;
  }
  return `The intervals of ${cut.length} days from ${dayLabel(first.day)} to ${dayLabel(last.day)} reach beyond the chart: the table has them.`;
}

/**
 * Places of the days whose interval no band shows: a band needs two days that follow each other, so an interval between days
 * without one, such as that of the first day of all, is drawn as a whisker.
 */
export function loneIntervals(days: readonly EffectDay[]): number[] {
  const hasInterval = (place: number): boolean =>
    days[place]?.interval.every((end) => end !== null) ?? false;
  return days
    .map((_, place) => place)
    .filter((at) => hasInterval(at) && !hasInterval(at - 1) && !hasInterval(at + 1));
}

/** The newest day in a sentence, for screen readers. */
export function describeDays(days: readonly EffectDay[], variant: string, metric: string): string {
  const last = days.at(-1);
  if (last === undefined) return `${variant}: nothing yet.`;
  return `Effect of ${variant} on ${metric} up to ${dayLabel(last.day)}: ${formatEffect(last.effect)}, interval ${formatInterval(last.interval)}.`;
}
