/** Adapts a condition to a choice in the builder: a new operator gets an operand of its kind. */
import { operatorOf, plainOperator } from './condition-operators.js';
import {
  type ConditionGroup,
  type ConditionNode,
  type ConditionRule,
  jsonOperator,
} from './condition-query.js';
import { fitOperand } from './operand-source.js';

/** Changes only rules whose operator or attribute is different from before. */
export function followChoices(before: ConditionGroup, after: ConditionGroup): ConditionGroup {
  const known = new Map<string, ConditionRule>();
  collect(before, known);
  return followGroup(after, known);
}

function followGroup(group: ConditionGroup, known: ReadonlyMap<string, ConditionRule>) {
  const rules = group.rules.map((node): ConditionNode => {
    if ('rules' in node) return followGroup(node, known);
    const old = known.get(node.id);
    return old === undefined ? node : followRule(old, node);
  });
  return rules.every((rule, index) => rule === group.rules[index]) ? group : { ...group, rules };
}

function followRule(old: ConditionRule, rule: ConditionRule): ConditionRule {
  if (rule.operator === jsonOperator) return rule;
  if (rule.operator !== old.operator) {
    const kind = operatorOf(rule.operator)?.kind;
    return kind === undefined ? rule : { ...rule, value: fitOperand(kind, rule.value) };
  }
  const isFresh = rule.operator === plainOperator && rule.value === '""';
  if (rule.field === old.field || !isFresh) return rule;
  // Versions are not compared as texts, and buckets are numbers.
  if (rule.field === '@v') return { ...rule, operator: '$vgte', value: '"1.0.0"' };
  if (rule.field === '@mod') return { ...rule, operator: '$lt', value: '500' };
  return rule;
}

function collect(group: ConditionGroup, known: Map<string, ConditionRule>): void {
  for (const node of group.rules) {
    if ('rules' in node) collect(node, known);
    else known.set(node.id, node);
  }
}
