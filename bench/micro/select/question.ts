/** Question: what does it cost to find out which rules apply to a caller, and to word it? */
import type { JsonObject } from '../../data/game-content.js';
import {
  type BenchRule,
  callerOfVariant,
  player,
  threeRules,
  twelveRules,
} from '../../data/mappings.js';
import { type PlainCaller, selectPlainly } from '../../data/plain-response.js';
import type { MicroQuestion } from '../contender.js';

export interface Choosing {
  readonly rules: readonly BenchRule[];
  readonly caller: PlainCaller;
}

const cases: Readonly<Record<string, readonly [rules: readonly BenchRule[], caller: JsonObject]>> =
  {
    '3-rules': [threeRules, player],
    '12-rules': [twelveRules, callerOfVariant(0b101010101010)],
  };

/** The answer is the text of `meta`. */
export const question: MicroQuestion<Choosing, string> = {
  name: 'micro/select',
  contenders: [
    { name: 'plan', ours: true },
    { name: 'interpret', ours: false },
  ],
  input: (name) => {
    const [rules, caller] = cases[name]!;
    return { rules, caller: caller as unknown as PlainCaller };
  },
  bytes: () => 0,
  expected: ({ rules, caller }) => JSON.stringify(selectPlainly(rules, caller).meta),
  answer: (meta) => meta,
};
