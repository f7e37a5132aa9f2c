/** Whom a change of a condition lets in and leaves out, among some user contexts. */
import { strict as assert } from 'node:assert';
import { type Condition, compileCondition } from '../../content/condition/condition.js';
import { contextOf, withinWork } from '../evaluation/read-context.js';
import { segmentExamplesMax } from '../limits.js';

export interface CompareConditions {
  /** JSON text of a condition that compiles; null: there was none, and nobody was in it. */
  readonly before: string | null;
  readonly after: string;
  /** JSON text of a list of valid contexts. */
  readonly contexts: string;
}

export interface ComparedConditions {
  readonly contexts: number;
  readonly matchedBefore: number;
  readonly matchAfter: number;
  /** Contexts that come in, and that drop out. */
  readonly entering: number;
  readonly leaving: number;
  /** The first of each, as places in the list, from 0. */
  readonly enteringExamples: readonly number[];
  readonly leavingExamples: readonly number[];
}

export function compareConditions(input: CompareConditions): ComparedConditions {
  const before = input.before === null ? nobody : compile(input.before);
  const after = compile(input.after);
  const list = JSON.parse(input.contexts) as readonly unknown[];
  const entering: number[] = [];
  const leaving: number[] = [];
  let matchedBefore = 0;
  let matchAfter = 0;
  for (const [index, context] of list.entries()) {
    const caller = contextOf(context);
    assert(typeof caller !== 'string', 'the contexts were checked');
    // A caller that delivery refuses is in neither.
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

const nobody: Condition = () => false;

function compile(text: string): Condition {
  const condition = compileCondition(JSON.parse(text));
  assert(typeof condition === 'function', 'the conditions were checked');
  return condition;
}
