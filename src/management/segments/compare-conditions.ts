/** Which of some user contexts a change of a condition lets in and leaves out. */
import { strict as assert } from 'node:assert';
import { type Condition, compileCondition } from '../../content/condition/condition.js';
import type { SegmentPlan } from '../../contract/operations/segments.js';
import { contextOf, withinWork } from '../evaluation/read-context.js';
import { segmentExamplesMax } from '../limits/evaluation.js';

export interface CompareConditions {
  /** JSON text of a condition that compiles; null: there was none, and it matched no user. */
  readonly before: string | null;
  readonly after: string;
  /** JSON text of a list of valid contexts. */
  readonly contexts: string;
}

export function compareConditions(input: CompareConditions): NonNullable<SegmentPlan['effect']> {
  const before = input.before === null ? never : compile(input.before);
  const after = compile(input.after);
  const list = JSON.parse(input.contexts) as readonly unknown[];
  const entering: number[] = [];
  const leaving: number[] = [];
  let matchedBefore = 0;
  let matchAfter = 0;
  for (const [index, context] of list.entries()) {
    const caller = contextOf(context);
    assert(typeof caller !== 'string', 'the contexts were checked');
    // A caller that delivery rejects matches neither.
    const was = withinWork(caller, () => before(caller)) ?? false;
    const is = withinWork(caller, () => after(caller)) ?? false;
    if (was) matchedBefore++;
    if (is) matchAfter++;
    if (is && !was) entering.push(index);
    if (was && !is) leaving.push(index);
  }
  return {
    contexts: list.length,
    matchedBefore,
    matchAfter,
    entering: entering.length,
    leaving: leaving.length,
    enteringExamples: entering.slice(0, segmentExamplesMax),
    leavingExamples: leaving.slice(0, segmentExamplesMax),
  };
}

const never: Condition = () => false;

function compile(text: string): Condition {
  const condition = compileCondition(JSON.parse(text));
  assert(typeof condition === 'function', 'the conditions were checked');
  return condition;
}
