/** Says which rules of a mapping were added, removed, changed or moved. */
import { BRACKET_OPEN } from '../../../content/json/ascii.js';
import { indexDocument, nextOf, valueEndOf, valueStartOf } from '../../../content/json/document.js';
import { textOf } from '../../../content/json/json-text.js';
import { stripJsonc } from '../../../content/json/jsonc.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import type { RuleDiff } from '../../../contract/operations/history/content-history.js';
import { storedLevelsMax } from '../../limits/bodies.js';
import { firstPointers } from './diff-pointers.js';
import { pairRules } from './pair-rules.js';

/** People read a rule as a whole; one with more changes than this is a different rule. */
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
 * Equal rules are the same rule. The others are matched by segment name, in their order, because people know a rule by the
 * name it reports.
 */
export function diffMappings({ before, after }: DiffMappings): RuleDiff[] {
  const old = rulesOf(before);
  const now = rulesOf(after);
  const matches = matchRules(old, now);
  const matched = new Set(matches.values());
  const moved = movedRules(now, matches);
  const changes: RuleDiff[] = [];
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
  for (const key of ['json', 'segment'] as const) {
    const matched = new Set(matches.values());
    const left = old.filter((rule) => !matched.has(rule));
    const open = now.filter((rule) => !matches.has(rule));
    for (const { now: was, edit: rule } of pairRules(left, open, key)) {
      if (was !== null && rule !== null) matches.set(rule, was);
    }
  }
  return matches;
}

/** Rules that no longer follow all the rules they followed before: the order decides what a rule applies to. */
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

function changedRule(was: ListedRule, rule: ListedRule): RuleDiff {
  const pointers = firstPointers(Buffer.from(was.json), Buffer.from(rule.json), pointersPerRuleMax);
  return { ...bareChange('changed', was, rule), ...pointers };
}

function bareChange(
  change: RuleDiff['change'],
  was: ListedRule | null,
  rule: ListedRule | null,
): RuleDiff {
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
  if (bytes instanceof TextIssue) throw new Error(`A stored mapping is not JSON: ${bytes.message}`);
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
