/** Which rule an A/B test or an experiment is of. Pure. */
import type { AbTest } from '../../contract/operations/tests.js';
import type { ExperimentSummary } from '../../contract/schemas/experiment.js';

/** Identifies the rule of a test or of an experiment: ids of content are the same in both cases, names of rules are not. */
export function ruleKey({
  content,
  segment,
}: Pick<AbTest | ExperimentSummary, 'content' | 'segment'>): string {
  return JSON.stringify([content.toLowerCase(), segment]);
}
