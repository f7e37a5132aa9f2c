/** What assigns the players of an experiment to variants: the part of its rule that stays as it is while it runs. Pure. */
import type { BucketRange } from '../bucket.js';
import { digestOf } from '../hash.js';
import { stripJsonc } from '../json/jsonc.js';
import { TextIssue } from '../json/text-issue.js';
import type { Layers } from '../layers.js';
import { parseMapping, type Rule } from '../mapping/mapping.js';
import { mappingLevelsMax } from '../mapping/mapping-limits.js';

/** JSON: a phase of an experiment keeps it. */
export interface FrozenRule {
  readonly salt: string | null;
  readonly layer: string | null;
  /** Of the layer; null: without a layer, or it is not defined. */
  readonly layerSalt: string | null;
  readonly slice: BucketRange | null;
  /** JSON of the environment’s holdout; '' where it keeps no player out. */
  readonly holdout: string;
  readonly variants: readonly { readonly name: string; readonly groups: BucketRange }[];
  /** Digest of the condition, the rule's own or the saved segment's. */
  readonly condition: string;
  /** The condition is a saved segment's, which has the name of the rule. */
  readonly isSaved: boolean;
  /** JSON of the members that say when the rule is open; '' without them. */
  readonly window: string;
  /** Digest of what the variants change. It may change while the experiment runs. */
  readonly values: string;
}

/** Where a rule stands, and what it refers to. */
export interface RuleSources {
  /** Text of the mapping; null: there is none. */
  readonly mapping: Uint8Array | null;
  /** Condition of a saved segment, JSON text; null: there is none of that name. */
  readonly conditionOf: (segment: string) => string | null;
  /** Of the environment. */
  readonly layers: Layers;
}

/** Why a mapping has no rule that could be an experiment. */
export type NoRule = 'none' | 'several' | 'no_variants';

/** @param segment name of the rule */
export function frozenRuleOf(sources: RuleSources, segment: string): FrozenRule | NoRule {
  const { mapping } = sources;
  const parsed = mapping === null ? null : parseMapping(mapping);
  if (mapping === null || parsed?.ok !== true) return 'none';
  const places = parsed.rules.flatMap((rule, at) => (rule.segment === segment ? [at] : []));
  const tests = places.filter((at) => parsed.rules[at]?.variants !== null);
  const [at] = tests;
  if (at === undefined) return places.length === 0 ? 'none' : 'no_variants';
  if (tests.length > 1) return 'several';
  return frozen(sources, parsed.rules[at] as Rule, membersOf(mapping)[at] as Members);
}

/** A rule as it is written. */
interface Members {
  readonly when?: unknown;
  readonly from?: unknown;
  readonly until?: unknown;
  readonly repeat?: unknown;
}

function membersOf(mapping: Uint8Array): readonly Members[] {
  const json = stripJsonc(mapping, mappingLevelsMax);
  return json instanceof TextIssue ? [] : (JSON.parse(Buffer.from(json).toString()) as Members[]);
}

function frozen(
  { conditionOf, layers }: RuleSources,
  { segment, condition, variants, ...rule }: Rule,
  members: Members,
): FrozenRule {
  const isSaved = condition === null;
  const saved = isSaved ? conditionOf(segment) : null;
  const when = isSaved ? parsedCondition(saved) : members.when;
  const { from, until, repeat } = members;
  const window = JSON.stringify({ from, until, repeat });
  const { salt, layer, slice, holdout } = rule;
  return {
    ...{ salt, layer, slice },
    layerSalt: layers.layers.find(({ name }) => name === layer)?.salt ?? null,
    holdout: holdout && layers.holdout !== null ? JSON.stringify(layers.holdout) : '',
    variants: (variants ?? []).map(({ name, from: first, to }) => ({ name, groups: [first, to] })),
    ...{
      condition: digestOf(JSON.stringify(when)),
      isSaved,
      window: window === '{}' ? '' : window,
    },
    values: digestOf(
      JSON.stringify((variants ?? []).map(({ mutation }) => mutation?.digest ?? null)),
    ),
  };
}

/** A segment that is gone lets no player in. */
function parsedCondition(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}

/** What differs between two states of a rule, in words; none: the same players are assigned to the same variants. */
export function changedMembers(before: FrozenRule, after: FrozenRule): string[] {
  const isSame = (name: keyof FrozenRule): boolean =>
    JSON.stringify(before[name]) === JSON.stringify(after[name]);
  const changed: string[] = (['salt', 'layer', 'slice', 'holdout'] as const).filter(
    (name) => !isSame(name),
  );
  if (isSame('layer') && !isSame('layerSalt')) changed.push('salt of its layer');
  if (!isSame('variants')) changed.push('variants and groups');
  if (!isSame('condition')) {
    changed.push(before.isSaved && after.isSaved ? 'condition of its saved segment' : 'condition');
  }
  if (!isSame('window')) changed.push('window');
  return changed;
}

/** Whether two experiments of a layer can have a player in common. */
export function slicesOverlap(a: FrozenRule, b: FrozenRule): boolean {
  if (a.layer === null || a.layer !== b.layer || a.slice === null || b.slice === null) return false;
  return a.slice[0] <= b.slice[1] && b.slice[0] <= a.slice[1];
}

/** Whether two experiments of a layer split their players at the same places. */
export function saltsAgree(a: FrozenRule, b: FrozenRule): boolean {
  return a.layer !== null && a.layer === b.layer && a.salt !== null && a.salt === b.salt;
}
