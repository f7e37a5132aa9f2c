/** What a content becomes once an experiment of it is decided: without the variants, and with the winner's values. Pure. */
import { commonPaths } from '../../content/conflicts/common-paths.js';
import { effectsOf } from '../../content/conflicts/rule-effects.js';
import { writtenPaths } from '../../content/conflicts/written-paths.js';
import { indexDocument } from '../../content/json/document.js';
import { editedText } from '../../content/json/edited-text.js';
import { noLayers } from '../../content/layers.js';
import { type MutationSource, parseMapping, type Rule } from '../../content/mapping/mapping.js';
import { compileMutation, type Mutation, MutationIssue } from '../../content/mutation/mutation.js';
import { splice } from '../../content/mutation/splice.js';
import { mutatedBytesMax } from '../../content/mutation/splice-limits.js';
import { storedLevelsMax } from '../limits/bodies.js';
import { deliveredJson } from '../store/contents/delivered-json.js';
import { ruleWithWinner, withoutRule } from './edit-rule.js';

export interface LineText {
  readonly version: string;
  readonly text: Uint8Array;
}

export interface PromotionInput {
  readonly lines: readonly LineText[];
  readonly mapping: Uint8Array;
  /** Name of the rule. */
  readonly segment: string;
  /** Condition of the saved segment of that name, JSON text; null: there is none. */
  readonly condition: string | null;
  /** Name of the winner; null: the rule only goes. */
  readonly variant: string | null;
  /** Even where the texts could have the winner's values. */
  readonly keepRule: boolean;
}

export interface Promotion {
  /** Where the winner's values are; null: there is no winner. */
  readonly promoted: 'text' | 'rule' | null;
  readonly lines: readonly LineText[];
  /** Null: no rule is left. */
  readonly mapping: Uint8Array | null;
}

/** Null: the mapping has no such rule, or the rule no such variant. */
export function promote(input: PromotionInput): Promotion | null {
  const { mapping, segment, variant } = input;
  const parsed = parseMapping(mapping);
  if (!parsed.ok) return null;
  const at = parsed.rules.findIndex((rule) => rule.segment === segment && rule.variants !== null);
  const rule = parsed.rules[at];
  if (rule === undefined) return null;
  const winner = rule.variants?.find(({ name }) => name === variant);
  if (variant !== null && winner === undefined) return null;
  const mutation = winner?.mutation ?? null;
  if (mutation === null) {
    // Players of a control receive what the texts have.
    const promoted = variant === null ? null : 'text';
    return { promoted, lines: input.lines, mapping: withoutRule(mapping, at) };
  }
  const lines = input.keepRule ? null : promotedTexts(input, parsed.rules, at, mutation);
  return lines === null
    ? { promoted: 'rule', lines: input.lines, mapping: ruleWithWinner(mapping, at, mutation) }
    : { promoted: 'text', lines, mapping: withoutRule(mapping, at) };
}

/** Null: some player would receive something else than from the rule. */
function promotedTexts(
  { lines, mapping, condition }: PromotionInput,
  rules: readonly Rule[],
  at: number,
  source: MutationSource,
): LineText[] | null {
  const mutation = compileMutation(source.kind, source.document);
  if (mutation instanceof MutationIssue) return null;
  const rule = rules[at] as Rule;
  if (!isForEveryone(rule, mapping, at, condition)) return null;
  if (comesAfterOthers(rules.slice(0, at), mutation)) return null;
  const promoted: LineText[] = [];
  for (const { version, text } of lines) {
    const document = indexDocument(deliveredJson(text));
    const { bytes, issues } = splice(document, [mutation], mutatedBytesMax);
    if (issues.some((issue) => issue !== null)) return null;
    promoted.push({ version, text: editedText(text, bytes, storedLevelsMax) });
  }
  return promoted;
}

/** Its layer and its holdout do not count: both go with the experiment. */
function isForEveryone(
  { condition: own, fromMs, untilMs, repeat }: Rule,
  mapping: Uint8Array,
  at: number,
  saved: string | null,
): boolean {
  if (fromMs !== Number.NEGATIVE_INFINITY || untilMs !== Number.POSITIVE_INFINITY) return false;
  if (repeat !== null) return false;
  const when = own === null ? JSON.parse(saved ?? 'null') : whenOf(mapping, at);
  return JSON.stringify(when) === '{}';
}

function whenOf(mapping: Uint8Array, at: number): unknown {
  const rules = JSON.parse(Buffer.from(deliveredJson(mapping)).toString()) as { when?: unknown }[];
  return rules[at]?.when;
}

/** Whether rules before it write what it writes: they would then come after the texts. Of a patch, what they write could be what it reads. */
function comesAfterOthers(earlier: readonly Rule[], mutation: Mutation): boolean {
  const others = earlier.flatMap((rule) => effectsOf(rule, null, noLayers).paths);
  if (others.length === 0) return false;
  return mutation.kind === 'patch' || commonPaths(others, writtenPaths(mutation)).length > 0;
}
