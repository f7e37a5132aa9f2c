/** Which A/B tests a mapping holds: its rules with variants, without what they do to the content. */
import { parseMapping } from '../../../content/mapping/mapping.js';
import type { Window } from '../../../content/mapping/window.js';
import type { AbTest as ContractTest } from '../../../contract/operations/tests.js';

/** A rule with variants, and when it is open. */
export interface AbTest
  extends Window,
    Omit<ContractTest, 'content' | 'revision' | 'live' | 'from' | 'until' | 'local' | 'repeat'> {}

/** None of an invalid mapping, which delivery would not take either. */
export function findAbTests(mapping: Uint8Array): AbTest[] {
  const parsed = parseMapping(mapping);
  if (!parsed.ok) return [];
  const tests: AbTest[] = [];
  for (const [rule, { segment, condition, info, salt, ...rest }] of parsed.rules.entries()) {
    const { fromMs, untilMs, isLocal, repeat, layer, slice, holdout, variants } = rest;
    if (variants === null) continue;
    tests.push({
      ...{ rule, segment, saved: condition === null, info, salt, layer, slice, holdout },
      ...{ fromMs, untilMs, isLocal, repeat },
      variants: variants.map(({ name, from, to, info: own, mutation }) => {
        return { name, groups: [from, to], info: own, mutation: mutation?.kind ?? null };
      }),
    });
  }
  return tests;
}
