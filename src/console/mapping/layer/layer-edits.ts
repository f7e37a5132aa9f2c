/** Puts a rule into a layer and out of it. The mapping goes in and comes out as source. Pure. */
import { type BucketRange, bucketCount } from '../buckets/bucket-ranges.js';
import { proposeSalt, setRuleMember } from '../rules/rule-edits.js';
import type { RuleView } from '../rules/rule-view.js';

/** Wide enough to find something with, and narrow enough that others find room. */
const sliceWanted = 200;

/**
 * Puts the rule into a layer, with a salt of its own and a slice that is free, where one is.
 * @param taken slices of other rules of the layer
 */
export function joinLayer(
  mapping: string,
  index: number,
  rule: RuleView,
  { layer, content, taken }: JoinedLayer,
): string {
  let changed = setRuleMember(mapping, index, 'layer', JSON.stringify(layer));
  changed = setRuleMember(changed, index, 'slice', sourceOf(freeSlice(taken)));
  if (rule.salt !== null) return changed;
  const salt = proposeSalt(content, rule.segment || 'test');
  return setRuleMember(changed, index, 'salt', JSON.stringify(salt));
}

export interface JoinedLayer {
  /** Its name. */
  readonly layer: string;
  /** Id of the content. */
  readonly content: string;
  readonly taken: readonly BucketRange[];
}

/** The salt stays: players keep their variants. The holdout stays only where the rule says so itself. */
export function leaveLayer(mapping: string, index: number): string {
  return setRuleMember(setRuleMember(mapping, index, 'layer', null), index, 'slice', null);
}

/** Says of the holdout what differs from what the rule means by itself. */
export function setHoldout(mapping: string, index: number, rule: RuleView, on: boolean): string {
  const isDefault = on === (rule.layer !== null);
  return setRuleMember(mapping, index, 'holdout', isDefault ? null : String(on));
}

/** Whether players of the holdout are kept out of the rule. */
export function keepsHoldout({ layer, holdout }: Pick<RuleView, 'layer' | 'holdout'>): boolean {
  return holdout ?? layer !== null;
}

/** The first room among the slices that is as wide as is wanted, else the widest, else all buckets. */
export function freeSlice(taken: readonly BucketRange[]): BucketRange {
  let from = 0;
  let widest: BucketRange | null = null;
  const sorted = taken.toSorted((a, b) => a[0] - b[0]);
  for (const [first, last] of [...sorted, [bucketCount, bucketCount] as const]) {
    const width = Math.min(first - from, sliceWanted);
    if (width === sliceWanted) return [from, from + width - 1];
    if (width > (widest === null ? 0 : widest[1] - widest[0] + 1)) widest = [from, first - 1];
    from = Math.max(from, last + 1);
  }
  return widest ?? [0, bucketCount - 1];
}

export function sourceOf([from, to]: BucketRange): string {
  return `[${from}, ${to}]`;
}
