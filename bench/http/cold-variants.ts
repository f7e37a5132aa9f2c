/** Question: what if every request asks for another body, and there are more bodies than the cache holds? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { callerOfVariant, switchesOff, twelveRules, variantCount } from '../data/mappings.js';
import { type PlainCaller, type PlainContent, plainAnswer } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { raceQuestion } from './race/race.js';
import { type ExpectedRequest, plainDefaults } from './race/scenario.js';

export const coldVariants: readonly Question[] = [
  raceQuestion({
    ...plainDefaults,
    name: 'http/cold-variants/100kb',
    prepare: () => {
      const content = twelveRulesContent();
      return { contents: [content], requests: variantSamples(content), variants: true };
    },
  }),
];

/** 100 KB whose twelve independent rules make 4,096 bodies of it. */
export function twelveRulesContent(): PlainContent {
  const value = { switches: switchesOff(), ...gameContent(12, 100 * 1024 - 256) };
  return benchContent('twelve-rules', value, twelveRules);
}

/** Variant 0 first, then some of the others: every answer of the load itself is compared as well. */
export function variantSamples(content: PlainContent): ExpectedRequest[] {
  const variants = [0, variantCount - 1];
  for (let variant = 1; variant < variantCount; variant += 273) variants.push(variant);
  return variants.map((variant) => {
    const caller = callerOfVariant(variant);
    return {
      path: `/api/v1/config/${content.id}/dynamic`,
      body: JSON.stringify(caller),
      expected: plainAnswer(content, caller as unknown as PlainCaller, 'wrapped'),
    };
  });
}
