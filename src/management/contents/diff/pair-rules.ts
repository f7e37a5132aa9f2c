/** Finds the rules of two mappings that people consider the same rule: by name, and by order where several share a name. */
import { getOrAdd } from '../../get-or-add.js';

export interface RulePair<Rule> {
  /** null: the rule is new. */
  readonly now: Rule | null;
  /** null: the rule is removed. */
  readonly edit: Rule | null;
}

/**
 * In the order of the edit; removed rules come last.
 * @param key the member that equal rules share
 */
export function pairRules<Key extends string, Rule extends { readonly [key in Key]: string }>(
  now: readonly Rule[],
  edit: readonly Rule[],
  key: Key,
): RulePair<Rule>[] {
  const left = new Map<string, Rule[]>();
  for (const rule of now) getOrAdd(left, rule[key], () => []).push(rule);
  const pairs = edit.map((rule): RulePair<Rule> => {
    return { now: left.get(rule[key])?.shift() ?? null, edit: rule };
  });
  const removed = new Set([...left.values()].flat());
  for (const rule of now) if (removed.has(rule)) pairs.push({ now: rule, edit: null });
  return pairs;
}
