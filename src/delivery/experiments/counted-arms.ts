/** The variants of running experiments that a body belongs to, worked out once for all who are given it. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Rule } from '../../content/mapping/rule.js';
import { NOT_APPLIED } from '../../content/selection.js';
import type { AssignedCounts } from './assigned-counts.js';
import type { CountedExperiment } from './counted-experiment.js';

/** A variant that users are counted for. */
export interface CountedArm {
  readonly experiment: CountedExperiment;
  /** Place among `experiment.published.variants`. */
  readonly variant: number;
}

/** How many were made so far. */
let made = 0;

export class CountedArms {
  readonly arms: readonly CountedArm[];
  /** Tells them from all others: a signed 32-bit integer. */
  readonly id: number;
  readonly #counts: AssignedCounts;

  constructor(counts: AssignedCounts, arms: readonly CountedArm[]) {
    made = (made + 1) | 0;
    this.arms = arms;
    this.id = made;
    this.#counts = counts;
  }

  /**
   * The body was delivered to the caller, who is counted if there is a user id.
   * @param isHashed the caller is the one of the call before
   */
  count({ u }: EvaluationContext, nowMs: number, isHashed = false): void {
    if (u !== '') this.#counts.count(this, u, nowMs, isHashed);
  }
}

/** What a response has of a content item; null: it is not there. */
interface Delivered {
  readonly slot: { readonly counted: CountedArms | null } | null;
}

/** The same for all bodies of a response: the user id is hashed once. */
export function countAll(
  delivered: readonly Delivered[],
  caller: EvaluationContext,
  nowMs: number,
): void {
  let isHashed = false;
  for (let at = 0; at < delivered.length; at += 1) {
    const counted = (delivered[at] as Delivered).slot?.counted ?? null;
    if (counted === null) continue;
    counted.count(caller, nowMs, isHashed);
    isHashed = true;
  }
}

/** The experiments that a content item takes part in, and what counts them. */
export interface ContentExperiments {
  readonly counts: AssignedCounts;
  readonly running: readonly CountedExperiment[];
}

/** By variant; null for one that the experiment does not know. Empty for a rule that is not counted. */
type RuleArms = readonly (CountedArm | null)[];

/** The rules of a content item that are part of running experiments. */
export class CountedRules {
  readonly #counts: AssignedCounts;
  readonly #arms: readonly RuleArms[];

  constructor(counts: AssignedCounts, arms: readonly RuleArms[]) {
    this.#counts = counts;
    this.#arms = arms;
  }

  /**
   * @param choices see `Selection.choices`
   * @returns null when none of the rules that applied is counted
   */
  of(choices: readonly number[]): CountedArms | null {
    const chosen: CountedArm[] = [];
    for (const [at, choice] of choices.entries()) {
      const arm = choice === NOT_APPLIED ? null : this.#arms[at]?.[choice];
      if (arm) chosen.push(arm);
    }
    return chosen.length === 0 ? null : new CountedArms(this.#counts, chosen);
  }
}

/** @returns null when none of the rules is counted */
export function countedRulesOf(
  rules: readonly Rule[],
  { counts, running }: ContentExperiments,
): CountedRules | null {
  if (running.length === 0) return null;
  const arms = rules.map((rule) => armsOfRule(rule, running));
  return arms.every(({ length }) => length === 0) ? null : new CountedRules(counts, arms);
}

function armsOfRule(
  { segment, salt, variants }: Rule,
  running: readonly CountedExperiment[],
): RuleArms {
  const experiment = running.find(
    ({ published }) => published.segment === segment && published.salt === salt,
  );
  if (experiment === undefined || variants === null) return [];
  return variants.map(({ name }) => {
    const variant = experiment.published.variants.indexOf(name);
    return variant < 0 ? null : { experiment, variant };
  });
}
