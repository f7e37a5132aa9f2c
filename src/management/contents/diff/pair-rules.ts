/** Finds the rules of two mappings that are the same rule to people: by their name, and of several with one name by their order. */
export interface RulePair<Rule> {
  /** null: the rule is new. */
  readonly now: Rule | null;
  /** null: the rule is removed. */
  readonly edit: Rule | null;
}

/** In the order of the edit; those that are removed come last. */
export function pairRules<Rule extends { readonly segment: string }>(
  now: readonly Rule[],
  edit: readonly Rule[],
): RulePair<Rule>[] {
  const left = new Map<string, Rule[]>();
  for (const rule of now) {
    const same = left.get(rule.segment);
    if (same === undefined) left.set(rule.segment, [rule]);
    else same.push(rule);
  }
  const pairs = edit.map((rule): RulePair<Rule> => {
    return { now: left.get(rule.segment)?.shift() ?? null, edit: rule };
  });
  const removed = new Set([...left.values()].flat());
  for (const rule of now) if (removed.has(rule)) pairs.push({ now: rule, edit: null });
  return pairs;
}
