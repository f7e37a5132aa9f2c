/** What a player was given in each moment of some periods. Pure. */
import type { EvaluationContext } from '../../../content/evaluation-context.js';
import { isInRamp, type RampStep } from '../../../content/ramp.js';

/** Nothing but windows changed in [fromMs, untilMs), milliseconds since the epoch. */
export interface CohortPeriod {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Number of the state that was live. */
  readonly live: number;
  /** Those that reached the content item; the first counts that a player is in. */
  readonly ramps: readonly (RampStep & { readonly state: number })[];
}

/** `given` and `other`: whether the response had the value; `rejected`: there was none, for the rules need too much work. */
export type CohortOutcome = 'given' | 'other' | 'rejected' | 'not_known';

/** A state that players can be evaluated in. */
export interface WalkedState {
  outcome(caller: EvaluationContext, atMs: number): CohortOutcome;
  /** The first instant after `atMs` at which the clock alone may change the outcome; Infinity: never. */
  changesAtMs(caller: EvaluationContext, atMs: number): number;
}

/** In [fromMs, untilMs) the outcome was the same, in a state given by its number. */
export type VisitSpan = (
  outcome: CohortOutcome,
  state: number,
  fromMs: number,
  untilMs: number,
) => void;

/**
 * Visits the spans of a player in the order of time, apart from each other and without a gap, as far as the states are there.
 * @param states null: its spans are left out
 */
export function walkPeriods(
  periods: readonly CohortPeriod[],
  states: readonly (WalkedState | null)[],
  caller: EvaluationContext,
  visit: VisitSpan,
): void {
  // Of a state without windows the outcome holds for as long as it is the player's.
  const settled = new Map<number, CohortOutcome>();
  for (const { fromMs, untilMs, live, ramps } of periods) {
    const number = ramps.find((ramp) => isInRamp(ramp, caller))?.state ?? live;
    const state = states[number] ?? null;
    if (state === null) continue;
    const known = settled.get(number);
    if (known !== undefined) {
      visit(known, number, fromMs, untilMs);
      continue;
    }
    for (let atMs = fromMs; atMs < untilMs; ) {
      const outcome = state.outcome(caller, atMs);
      const changesAtMs = state.changesAtMs(caller, atMs);
      if (changesAtMs === Number.POSITIVE_INFINITY) settled.set(number, outcome);
      const endMs = Math.min(untilMs, changesAtMs);
      visit(outcome, number, atMs, endMs);
      atMs = endMs;
    }
  }
}
