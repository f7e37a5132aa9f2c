/** The A/B tests that an experiment can be made of. Pure. */
import type { AbTest } from '../../../contract/operations/tests.js';
import type { ExperimentSummary } from '../../../contract/schemas/experiment.js';
import { ruleKey } from '../../experiments/rule-key.js';
import { sizeOf } from '../../mapping/buckets/bucket-ranges.js';

/** Tests with two variants or more whose rule has no experiment that is under way. */
export function testsWithout(
  tests: readonly AbTest[],
  experiments: readonly ExperimentSummary[],
): AbTest[] {
  const taken = new Set(experiments.filter(({ state }) => state !== 'decided').map(ruleKey));
  return tests.filter((test) => test.variants.length > 1 && !taken.has(ruleKey(test)));
}

/** The variant that changes nothing, else the first one. */
export function controlOf({ variants }: Pick<AbTest, 'variants'>): string {
  const control = variants.find(({ mutation }) => mutation === null) ?? variants[0];
  return control?.name ?? '';
}

/** Share of the players in the buckets of all variants: a part of 1. */
export function shareOf({ variants }: Pick<AbTest, 'variants'>): number {
  return variants.reduce((sum, { groups }) => sum + sizeOf(groups), 0) / 1000;
}
