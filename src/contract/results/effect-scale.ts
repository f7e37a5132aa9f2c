/** Places of effects on a scale with zero in its middle, which all intervals of a table share. Pure. */
import type { Comparison } from '../schemas/experiment-results.js';

export interface EffectScale {
  /** The scale reaches from -limit to +limit, relative: 0.1 is 10 %. */
  readonly limit: number;
}

const limits = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;
const largest = 1;

/** Wide enough for every interval, but never beyond ±100 %: what is wider is drawn with an open end. */
export function scaleOf(comparisons: readonly Pick<Comparison, 'interval'>[]): EffectScale {
  const ends = comparisons.flatMap(({ interval }) => interval.map((end) => Math.abs(end ?? 0)));
  const reach = Math.max(0, ...ends);
  return { limit: limits.find((limit) => limit >= reach) ?? largest };
}

export interface PlacedInterval {
  /** Percent of the width, 0 to 100. */
  readonly from: number;
  readonly to: number;
  readonly effect: number | null;
  /** The interval goes on beyond the scale. */
  readonly isOpenLeft: boolean;
  readonly isOpenRight: boolean;
}

/** @returns null when nothing is known of the interval */
export function placeInterval(
  { limit }: EffectScale,
  { interval: [low, high], effect }: Pick<Comparison, 'interval' | 'effect'>,
): PlacedInterval | null {
  if (low === null && high === null) return null;
  const place = (value: number): number =>
    50 + (Math.max(-limit, Math.min(limit, value)) / limit) * 50;
  return {
    from: place(low ?? -limit),
    to: place(high ?? limit),
    effect: effect === null ? null : place(effect),
    isOpenLeft: low === null || low < -limit,
    isOpenRight: high === null || high > limit,
  };
}
