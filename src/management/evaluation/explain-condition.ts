/** Says whether a condition holds for a caller, and which of its operands decided that (D36). */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Operand } from '../../contract/schemas/targeting/operand.js';
import { decidersMax } from '../limits/evaluation.js';
import type { ConditionTest, ConditionTree } from './condition-tree.js';
import { describeOperand, shownJson } from './describe-operand.js';

export interface ExplainedCondition {
  readonly holds: boolean;
  /**
   * The one that failed where all must hold, the one that held where any may; all of them (the first few) where no
   * single one decided. None: the condition is empty.
   */
  readonly decidedBy: readonly Operand[];
}

export function explainCondition(
  tree: ConditionTree,
  caller: EvaluationContext,
): ExplainedCondition {
  const { holds, deciders } = decide(tree, caller, false);
  const decidedBy = deciders.map(({ test, held, negated }): Operand => {
    const found = test.read(caller);
    return {
      path: test.path,
      attribute: test.attribute,
      operator: test.operator,
      wanted: shownJson(test.wanted),
      found: found === null ? null : shownJson(found),
      holds: held,
      text: describeOperand(test, found, held, negated),
    };
  });
  return { holds, decidedBy };
}

interface Decider {
  readonly test: ConditionTest;
  readonly held: boolean;
  /** It stands below an odd number of negations. */
  readonly negated: boolean;
}

interface Decision {
  readonly holds: boolean;
  readonly deciders: readonly Decider[];
}

/** Recurses no deeper than the levels that a condition may have. */
function decide(tree: ConditionTree, caller: EvaluationContext, negated: boolean): Decision {
  switch (tree.kind) {
    case 'test': {
      const held = tree.test.holds(caller);
      return { holds: held, deciders: [{ test: tree.test, held, negated }] };
    }
    case 'not': {
      const { holds, deciders } = decide(tree.part, caller, !negated);
      return { holds: !holds, deciders };
    }
    case 'all':
      return decideParts(tree.parts, caller, negated, false);
    case 'any':
      // The dialect has it that an empty `$or` holds.
      if (tree.parts.length === 0) return { holds: true, deciders: [] };
      return decideParts(tree.parts, caller, negated, true);
  }
}

/** @param deciding what a part must be to decide for all of them: false among `all`, true among `any` */
function decideParts(
  parts: readonly ConditionTree[],
  caller: EvaluationContext,
  negated: boolean,
  deciding: boolean,
): Decision {
  const deciders: Decider[] = [];
  for (const part of parts) {
    const decision = decide(part, caller, negated);
    if (decision.holds === deciding) return decision;
    if (deciders.length < decidersMax) deciders.push(...decision.deciders);
  }
  return { holds: !deciding, deciders: deciders.slice(0, decidersMax) };
}
