/**
 * Flags as members of one content item. A vendor takes the first step of a flag that holds; rules here all apply, each on the result
 * of those before. So the steps become rules in reverse order, each of which gives the flag its value: the first has the last word.
 */

import { mappingRulesMax } from '../../../content/mapping/mapping-limits.js';
import type { Condition } from '../conditions.js';
import { ConversionIssue, type ConvertedContent } from '../conversion.js';
import { segmentName } from '../names.js';
import { contentText, mappingText, type RuleParts } from '../rule-text.js';

/** What a step gives. */
export type Served =
  | { readonly kind: 'value'; readonly json: string | null }
  | {
      readonly kind: 'shares';
      readonly salt: string;
      readonly shares: readonly Share[];
    };

export interface Share {
  readonly name: string;
  /** JSON text; null: none, the game's own default. */
  readonly json: string | null;
  /** Of all players, 0 to 1. Those whom no share takes get what the next step that holds gives. */
  readonly share: number;
}

export interface FlagStep {
  /** For people: what the rule is reported as. */
  readonly name: string;
  readonly when: Condition;
  /** The saved segment that says just this; null: none does. */
  readonly segment: string | null;
  /** Milliseconds since the epoch between which it holds; absent or null: open. */
  readonly fromMs?: number | null;
  readonly untilMs?: number | null;
  readonly served: Served;
}

export interface FlagPlan {
  readonly key: string;
  readonly description: string;
  /** Without any step; null: none, the game's own default. */
  readonly json: string | null;
  /** The first that holds decides. */
  readonly steps: readonly FlagStep[];
}

const buckets = 1000;

/** @throws ConversionIssue */
export function flagContent(
  id: string,
  description: string,
  plans: readonly FlagPlan[],
): ConvertedContent {
  const members = plans.flatMap(({ key, json, description }) =>
    json === null ? [] : [{ name: key, json, description }],
  );
  const rules = plans.flatMap(({ key, steps }) =>
    steps.toReversed().map((step) => ruleOf(key, step)),
  );
  if (rules.length > mappingRulesMax) {
    throw new ConversionIssue(
      `Its flags need ${rules.length} rules, and a content item takes ${mappingRulesMax}: export and import them in parts, each with another --as.`,
    );
  }
  return { id, description, text: contentText(members), mapping: mappingText(rules) };
}

function ruleOf(
  key: string,
  { name, when, segment, fromMs = null, untilMs = null, served }: FlagStep,
): RuleParts {
  const named = segment === null ? { segment: segmentName(name), when } : { segment, when: null };
  const rule = { ...named, fromMs, untilMs };
  if (served.kind === 'value') return { ...rule, changes: [{ name: key, json: served.json }] };
  const variants = bucketsOf(served.shares.map(({ share }) => share)).flatMap((groups, index) => {
    const share = served.shares[index];
    if (groups === null || share === undefined) return [];
    return [{ name: share.name, groups, changes: [{ name: key, json: share.json }] }];
  });
  return { ...rule, salt: served.salt, variants };
}

/** First and last bucket of each share; null: it is smaller than half a bucket. */
export function bucketsOf(shares: readonly number[]): (readonly [number, number] | null)[] {
  let sum = 0;
  let first = 0;
  return shares.map((share) => {
    sum += share;
    const next = Math.min(buckets, Math.round(sum * buckets));
    const range = next > first ? ([first, next - 1] as const) : null;
    first = Math.max(first, next);
    return range;
  });
}
