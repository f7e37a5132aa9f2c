/** Tests a condition on user contexts, and says for each what decided. */
import { strict as assert } from 'node:assert';
import type { TestedContext } from '../../contract/operations/segments.js';
import { takeApart } from '../evaluation/condition-tree.js';
import { explainCondition } from '../evaluation/explain-condition.js';
import { contextOf, overworked, withinWork } from '../evaluation/read-context.js';

export interface TestCondition {
  /** JSON text of a condition that compiles. */
  readonly condition: string;
  /** JSON text of a list of valid contexts. */
  readonly contexts: string;
}

export function testCondition({ condition, contexts }: TestCondition): TestedContext[] {
  const tree = takeApart(JSON.parse(condition));
  const list = JSON.parse(contexts) as readonly unknown[];
  return list.map((context) => {
    const caller = contextOf(context);
    assert(typeof caller !== 'string', 'the contexts were checked');
    const explained = withinWork(caller, () => explainCondition(tree, caller));
    if (explained === null) {
      return { matches: false, reason: `The context ${overworked}.`, decidedBy: [] };
    }
    const { holds, decidedBy } = explained;
    const texts = decidedBy.map(({ text }) => text).join(' ');
    const reason = texts === '' ? `It matches ${holds ? 'every' : 'no'} user.` : texts;
    return { matches: holds, reason, decidedBy };
  });
}
