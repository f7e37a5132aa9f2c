/** Which A/B tests a mapping holds: its rules with variants, without what they do to the content. */
import { parseMapping } from '../../../content/mapping/mapping.js';
import type { MutationKind } from '../../../content/mutation/mutation.js';

export interface AbTest {
  /** Place of the rule in the mapping, from 0. */
  readonly rule: number;
  /** The name that players are reported under. */
  readonly segment: string;
  /** The saved segment of that name decides who takes part; else the rule's own condition does. */
  readonly saved: boolean;
  readonly info: string | null;
  /** null: the group is the caller's `mod`. */
  readonly salt: string | null;
  /** Open in [fromMs, untilMs), milliseconds since the epoch; infinite where nothing was said. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly variants: readonly {
    readonly name: string;
    readonly groups: readonly [from: number, to: number];
    /** null: the rule's is reported. */
    readonly info: string | null;
    /** null: a control group. */
    readonly mutation: MutationKind | null;
  }[];
}

/** None of a mapping with faults, which delivery would not take either. */
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
