/** Makes up users for a preview: from the rules that are open on either side, and the app versions of both. */
import { compileCondition } from '../../../content/condition/condition.js';
import type { Rule } from '../../../content/mapping/mapping.js';
import { isOpenAnywhere } from '../../../content/mapping/window.js';
import type { Candidate } from '../candidate.js';
import { type AskedCondition, type MadeUpUsers, makeUpUsers } from './made-up-users.js';

/** How many users to make up. */
export interface MadeUpOptions {
  readonly count: number;
  /** JSON texts: contexts of sample users, whose values they may have. */
  readonly samples: readonly string[];
  /** By name of the attribute JSON texts of values that requests carry, which they may have too. */
  readonly seen: readonly (readonly [name: string, values: readonly string[]])[];
}

/** @param atMs milliseconds since the epoch: a rule that is not open then applies to no user */
export function makeUpForSides(
  sides: readonly Candidate[],
  { count, samples, seen: seenValues }: MadeUpOptions,
  atMs: number,
): MadeUpUsers {
  const seen = sides.map((side) => new Set(side.rules.map((rule, at) => keyOf(rule, side, at))));
  const changed: AskedCondition[] = [];
  const same: AskedCondition[] = [];
  for (const side of sides) {
    for (const [at, rule] of side.rules.entries()) {
      const condition = side.conditions[at] ?? null;
      if (condition === null || !isOpenAnywhere(rule, atMs)) continue;
      const holds = compileCondition(condition);
      if (typeof holds !== 'function') continue;
      const isSame = seen.every((keys) => keys.has(keyOf(rule, side, at)));
      (isSame ? same : changed).push({ condition, holds });
    }
  }
  return makeUpUsers({
    conditions: [...changed, ...same],
    firstOnes: changed.length,
    versions: sides.flatMap(({ plan }) => plan.lines.map(({ versionText }) => versionText)),
    samples: samples.map((context) => JSON.parse(context) as unknown),
    seen: seenValues.map(([name, values]) => {
      return [name, values.map((value) => JSON.parse(value) as unknown)] as const;
    }),
    count,
  });
}

/** Equal for rules that do the same. */
function keyOf(rule: Rule, { conditions }: Candidate, at: number): string {
  const { segment, info, fromMs, untilMs, isLocal, repeat, salt, variants, mutation } = rule;
  const arms = variants?.map((arm) => [arm.name, arm.from, arm.to, arm.info, arm.mutation?.digest]);
  const own = [segment, info, fromMs, untilMs, isLocal, repeat, salt, arms, mutation?.digest];
  return JSON.stringify([own, conditions[at]]);
}
