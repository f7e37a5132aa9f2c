/** Compares variants with the control, with one level for all comparisons of a family. */
import type { Comparison } from '../../contract/schemas/experiment-results.js';
import type { Metric } from '../../contract/schemas/metric.js';
import type { MetricSums } from '../messages.js';
import { adjustedPair } from '../statistics/cuped.js';
import { hasEnoughValues } from '../statistics/enough-values.js';
import {
  addSums,
  type Estimate,
  meanOf,
  proportionOf,
  ratioOf,
  type Sums,
} from '../statistics/estimate.js';
import {
  difference,
  type Interval,
  type Intervals,
  intervalsOf,
  type Method,
  type Pair,
  pValueOf,
  relativeEffect,
} from '../statistics/pair.js';
import type { CrossoverAnalysis } from './health.js';

export type MetricRole = 'primary' | 'guard' | 'other';

/** What of the sums is compared, and how. */
export interface ComparisonPlan {
  readonly control: string;
  readonly method: Method;
  readonly crossoverAnalysis: CrossoverAnalysis;
}

/** A variant beside the control, not judged yet. */
export interface Contrast {
  readonly variant: string;
  readonly pair: Pair;
  /** By CUPED. */
  readonly isAdjusted: boolean;
  /** Null without enough data for one. */
  readonly pValue: number | null;
}

/** How a family of contrasts is judged. */
export interface Judgement {
  /** Of all its intervals and decisions; see `correction.ts`. */
  readonly level: number;
  readonly role: MetricRole;
  readonly direction: Metric['direction'];
  /** False where the split was not fair: then nothing is decided. */
  readonly mayDecide: boolean;
}

/** @returns the sums by variant, with or without the users who crossed over */
export function sumsByVariant(
  sums: readonly MetricSums[],
  crossoverAnalysis: CrossoverAnalysis,
): ReadonlyMap<string, Sums> {
  const byVariant = new Map<string, Sums>();
  for (const each of sums) {
    if (each.crossed && crossoverAnalysis === 'excluded') continue;
    const before = byVariant.get(each.variant);
    byVariant.set(each.variant, before === undefined ? each : addSums(before, each));
  }
  return byVariant;
}

/** @returns a contrast for each variant but the control; none without the control's users */
export function contrastsOf(
  kind: Metric['kind'],
  byVariant: ReadonlyMap<string, Sums>,
  { control, method }: ComparisonPlan,
): readonly Contrast[] {
  const controlSums = byVariant.get(control);
  if (controlSums === undefined) return [];
  return [...byVariant].flatMap(([variant, sums]) => {
    if (variant === control) return [];
    const adjusted = adjustedPair(controlSums, sums);
    const pair = adjusted ?? {
      control: estimateOf(kind, controlSums),
      treatment: estimateOf(kind, sums),
    };
    const pValue = hasEnoughValues(controlSums, sums) ? pValueOf(pair, method) : null;
    return [{ variant, pair, isAdjusted: adjusted !== null, pValue }];
  });
}

export function estimateOf(kind: Metric['kind'], sums: Sums): Estimate {
  switch (kind) {
    case 'count':
    case 'sum':
      return meanOf(sums);
    case 'conversion':
    case 'retention':
      return proportionOf(sums);
    case 'ratio':
      return ratioOf(sums);
  }
}

const unknown: Interval = [null, null];
const unbounded: Intervals = { absolute: unknown, relative: unknown };

export function comparisonOf(
  { variant, pair, isAdjusted, pValue }: Contrast,
  { control, method }: ComparisonPlan,
  judgement: Judgement,
): Comparison {
  const isKnown = pValue !== null;
  const significant = isKnown && pValue <= judgement.level;
  const { absolute, relative } = isKnown ? intervalsOf(pair, method, judgement.level) : unbounded;
  return {
    ...{ variant, control, method, adjusted: isAdjusted },
    effect: relativeEffect(pair),
    interval: [...relative],
    absolute: {
      effect: pair.control.users > 0 && pair.treatment.users > 0 ? difference(pair) : null,
      interval: [...absolute],
    },
    ...{ pValue, significant },
    verdict: significant ? verdictOf(difference(pair), judgement) : 'no_decision',
  };
}

/** A guard metric only says what got worse. */
function verdictOf(
  effect: number,
  { role, direction, mayDecide }: Judgement,
): Comparison['verdict'] {
  if (!mayDecide) return 'no_decision';
  if (effect > 0 !== (direction === 'up')) return 'worse';
  return role === 'guard' ? 'no_decision' : 'better';
}
