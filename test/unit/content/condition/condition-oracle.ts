/** The evaluator that defines the condition dialect: the one inside GrowthBook's JavaScript SDK, which does not export it. */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Condition, compileCondition } from '../../../../src/content/condition/condition.js';

type Evaluate = (attributes: unknown, condition: unknown) => boolean;

const require = createRequire(import.meta.url);
const home = dirname(require.resolve('@growthbook/growthbook/package.json'));

/** Throws where the SDK throws. */
export const evaluateByGrowthBook: Evaluate = require(
  join(home, 'dist/cjs/mongrule.js'),
).evalCondition;

/** The condition that must compile. */
export function conditionOf(when: unknown): Condition {
  const condition = compileCondition(when);
  if (typeof condition !== 'function') throw new Error(JSON.stringify(condition));
  return condition;
}
