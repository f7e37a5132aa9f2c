/** Question: what does it cost to know every value that a content with 50 rules could deliver? */
import type { JsonObject } from '../../data/game-content.js';
import type { MicroQuestion } from '../contender.js';
import { documentNamed } from '../documents.js';

export interface RuledContent {
  readonly json: Buffer;
  /** The text of the mapping: 50 rules, every third with two variants. */
  readonly mapping: string;
}

export const question: MicroQuestion<RuledContent, string> = {
  name: 'micro/envelope',
  contenders: [
    { name: 'parse', ours: false, isYardstick: true },
    { name: 'typescript', ours: true },
  ],
  input: (name) => ({
    json: Buffer.from(JSON.stringify(documentNamed(name))),
    mapping: JSON.stringify(Array.from({ length: 50 }, (_, rule) => ruleOf(rule))),
  }),
  bytes: ({ json }) => json.byteLength,
  expected: () => 'highest 4900',
  actual: (highest) => highest,
};

/** The last merge sets 4,900, which the plain content stays below. */
function ruleOf(rule: number): JsonObject {
  const economy = { economy: { dailyCoins: rule * 100, discountPercent: 15 } };
  if (rule % 3 !== 0) return { segment: 's', merge: economy };
  return {
    segment: 's',
    variants: [
      { name: 'a', groups: [0, 499], merge: economy },
      {
        ...{ name: 'b', groups: [500, 999] },
        patch: [{ op: 'add', path: '/settings/banner', value: `banner-${rule}` }],
      },
    ],
  };
}
