/** Question: what does it cost to find out which rules apply to a context, and to write `meta`? */
import {
  type BenchRule,
  contextOfVariant,
  type PlainContext,
  player,
  threeRules,
  twelveOpenRules,
  twelveRules,
} from '../../data/mappings.js';
import { selectPlainly } from '../../data/plain-response.js';
import type { MicroQuestion } from '../contender.js';

export interface Choosing {
  readonly rules: readonly BenchRule[];
  readonly context: PlainContext;
}

const cases: Readonly<
  Record<string, readonly [rules: readonly BenchRule[], context: PlainContext]>
> = {
  '3-rules': [threeRules, player],
  '12-rules': [twelveRules, contextOfVariant(0b101010101010)],
  '12-rules-windows': [twelveOpenRules, contextOfVariant(0b101010101010)],
};

/** The result is the text of `meta`. */
export const question: MicroQuestion<Choosing, string> = {
  name: 'micro/select',
  contenders: [
    { name: 'plan', ours: true },
    { name: 'interpret', ours: false },
  ],
  input: (name) => {
    const [rules, context] = cases[name]!;
    return { rules, context: context };
  },
  bytes: () => 0,
  expected: ({ rules, context }) => JSON.stringify(selectPlainly(rules, context).meta),
  actual: (meta) => meta,
};
