/** Says which rules of a mapping were added, removed, changed or moved. */
import { BRACKET_OPEN } from '../../../content/json/ascii.js';
import { indexDocument, nextOf, valueEndOf, valueStartOf } from '../../../content/json/document.js';
import { textOf } from '../../../content/json/json-text.js';
import { stripJsonc } from '../../../content/json/jsonc.js';
import { TextFault } from '../../../content/json/text-fault.js';
import { storedLevelsMax } from '../../limits.js';
import { diffPointers, type PointerChange } from './diff-pointers.js';

export interface RuleChange {
  readonly segment: string;
  readonly change: 'added' | 'changed' | 'moved' | 'removed';
  /** Its place in the list, from 0, before and after; null: it is not there. */
  readonly from: number | null;
  readonly to: number | null;
  /** Within the rule, where it changed. */
  readonly pointers: readonly PointerChange[];
  /** There are more than are shown. */
  readonly pointersCut: boolean;
}

/** A rule is read as a whole; what changes more of it than this is another rule. */
const pointersPerRuleMax = 20;

interface ListedRule {
  readonly index: number;
  readonly segment: string;
  readonly json: string;
}

export interface DiffMappings {
  /** As it was sent; null: there is none. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/**
 * Rules that are equal are the same rule; of the others, those of one segment name are matched in their order: a rule is
 * known by the name it reports.
 */
export function diffMappings({ before, after }: DiffMappings): RuleChange[] {
  const old = rulesOf(before);
  const now = rulesOf(after);
  const matches = matchRules(old, now);
  const matched = new Set(matches.values());
  const moved = movedRules(now, matches);
  const changes: RuleChange[] = [];
  for (const rule of now) {
    const was = matches.get(rule) ?? null;
    if (was === null) changes.push(bareChange('added', null, rule));
    else if (was.json !== rule.json) changes.push(changedRule(was, rule));
    else if (moved.has(rule)) changes.push(bareChange('moved', was, rule));
  }
  for (const rule of old) {
    if (!matched.has(rule)) changes.push(bareChange('removed', rule, null));
  }
  return changes;
}

function matchRules(
  old: readonly ListedRule[],
  now: readonly ListedRule[],
): Map<ListedRule, ListedRule> {
  const matches = new Map<ListedRule, ListedRule>();
  const left = new Set(old);
  for (const key of ['json', 'segment'] as const) {
    const waiting = new Map<string, ListedRule[]>();
    for (const rule of left) waiting.set(rule[key], [...(waiting.get(rule[key]) ?? []), rule]);
    for (const rule of now) {
      if (matches.has(rule)) continue;
      const match = waiting.get(rule[key])?.shift();
      if (match === undefined) continue;
      matches.set(rule, match);
      left.delete(match);
    }
  }
  return matches;
}

/** Rules that no longer stand after all the ones that stood before them: order decides what a rule works on. */
function movedRules(
  now: readonly ListedRule[],
  matches: ReadonlyMap<ListedRule, ListedRule>,
): Set<ListedRule> {
  const moved = new Set<ListedRule>();
  let furthest = -1;
  for (const rule of now) {
    const from = matches.get(rule)?.index;
    if (from === undefined) continue;
    if (from < furthest) moved.add(rule);
    else furthest = from;
  }
  return moved;
}

function changedRule(was: ListedRule, rule: ListedRule): RuleChange {
  const limit = pointersPerRuleMax;
  const pointers = diffPointers(Buffer.from(was.json), Buffer.from(rule.json), limit + 1);
  return {
    ...bareChange('changed', was, rule),
    pointers: pointers.slice(0, limit),
    pointersCut: pointers.length > limit,
  };
}

function bareChange(
  change: RuleChange['change'],
  was: ListedRule | null,
  rule: ListedRule | null,
): RuleChange {
  return {
    segment: rule?.segment ?? was?.segment ?? '',
    change,
    from: was?.index ?? null,
    to: rule?.index ?? null,
    pointers: [],
    pointersCut: false,
  };
}

/** A stored mapping was parsed when it was saved: it is a list of objects with segment names. */
function rulesOf(mapping: Uint8Array | null): ListedRule[] {
  if (mapping === null) return [];
  const bytes = stripJsonc(mapping, storedLevelsMax);
  if (bytes instanceof TextFault) throw new Error(`A stored mapping is not JSON: ${bytes.message}`);
  const document = indexDocument(bytes);
  const rules: ListedRule[] = [];
  if (bytes[valueStartOf(document, 0)] !== BRACKET_OPEN) return rules;
  const end = nextOf(document, 0);
  for (let node = 1; node < end; node = nextOf(document, node)) {
    const json = textOf(bytes, valueStartOf(document, node), valueEndOf(document, node));
    const { segment } = JSON.parse(json) as { segment: string };
    rules.push({ index: rules.length, segment, json });
  }
  return rules;
}
