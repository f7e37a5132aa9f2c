/** Warns of A/B tests that admit callers without a user id: they would all count for one variant. */
import { canBeAnonymous } from '../../../content/condition/anonymous-callers.js';
import type { Rule } from '../../../content/mapping/mapping.js';
import type { ValidationIssue } from '../../../contract/problems.js';

/** The variant that callers without a user id get; null: the rule is no test, or none for them, or no variant has their bucket. */
export function variantOfAnonymous({
  layer,
  variants,
}: Pick<Rule, 'layer' | 'variants'>): string | null {
  // They are in no layer.
  if (layer !== null) return null;
  return variants?.find(({ from }) => from === anonymousBucket)?.name ?? null;
}

const anonymousBucket = 0;

/**
 * @param variant of `variantOfAnonymous`
 * @param condition of the rule or of the saved segment that it names, as `JSON.parse` gave it
 * @param member the member of the rule that decides who takes part
 * @returns null when the condition excludes such callers
 */
export function anonymousWarning(
  rule: number,
  { segment, variant }: { readonly segment: string; readonly variant: string },
  condition: unknown,
  member: 'when' | 'segment',
): ValidationIssue | null {
  if (!canBeAnonymous(condition)) return null;
  const subject = member === 'when' ? `the condition of "${segment}"` : `the segment "${segment}"`;
  const message = `${subject} does not exclude callers without a user id, who all get the variant of bucket 0 ("${variant}"); {"@u": {"$ne": ""}} excludes them`;
  return { path: `mapping[${rule}].${member}`, message };
}
