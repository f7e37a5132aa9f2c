/** The rules of a mapping together with their conditions, their own or the saved ones: what two rules are compared by. */
import { parseMapping, type Rule } from '../../content/mapping/mapping.js';
import { ownConditions } from './warnings/own-conditions.js';

export interface RuleWithCondition {
  readonly rule: Rule;
  /** As `JSON.parse` gave it; null: there is no such segment. */
  readonly when: unknown;
  /** The saved condition, JSON text; null: the rule has its own, or there is none. */
  readonly saved: string | null;
}

/**
 * In their order. None of an invalid mapping, which delivery would not take either.
 * @param segments those that it uses, as far as they are there; conditions are JSON texts
 */
export function rulesWithConditions(
  mapping: Uint8Array,
  segments: readonly { readonly name: string; readonly condition: string }[],
): readonly RuleWithCondition[] {
  const parsed = parseMapping(mapping);
  if (!parsed.ok) return [];
  const conditions = new Map(segments.map(({ name, condition }) => [name, condition]));
  const own = ownConditions(mapping);
  return parsed.rules.map((rule, place) => {
    const saved = rule.condition === null ? (conditions.get(rule.segment) ?? null) : null;
    const when: unknown = own[place] ?? (saved === null ? null : JSON.parse(saved));
    return { rule, when, saved };
  });
}
