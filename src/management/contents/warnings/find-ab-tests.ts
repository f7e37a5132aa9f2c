/** Which A/B tests a mapping holds: its rules with variants, without what they do to the content. */
import { parseMapping } from '../../../content/mapping/mapping.js';
import type { AbTest as ContractTest } from '../../../contract/operations/tests.js';

/** Open in [fromMs, untilMs), milliseconds since the epoch; infinite where no time was given. */
export interface AbTest
  extends Omit<ContractTest, 'content' | 'revision' | 'live' | 'from' | 'until'> {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** None of an invalid mapping, which delivery would not take either. */
export function findAbTests(mapping: Uint8Array): AbTest[] {
  const parsed = parseMapping(mapping);
  if (!parsed.ok) return [];
  const tests: AbTest[] = [];
  for (const [rule, { segment, condition, info, salt, ...rest }] of parsed.rules.entries()) {
    const { fromMs, untilMs, variants } = rest;
    if (variants === null) continue;
    tests.push({
      ...{ rule, segment, saved: condition === null, info, salt, fromMs, untilMs },
      variants: variants.map(({ name, from, to, info: own, mutation }) => {
        return { name, groups: [from, to], info: own, mutation: mutation?.kind ?? null };
      }),
    });
  }
  return tests;
}
