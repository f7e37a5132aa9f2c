/** What of a mapping belongs into a calendar: its rules with windows, and which of its rules touch the same of the same players. */
import { createHash } from 'node:crypto';
import {
  effectsOf,
  type RuleEffects,
  type Touch,
  touchOf,
} from '../../content/conflicts/rule-effects.js';
import { indexDocument, nextOf, valueEndOf, valueStartOf } from '../../content/json/document.js';
import type { Layers } from '../../content/layers.js';
import type { Rule } from '../../content/mapping/mapping.js';
import type { Window } from '../../content/mapping/window.js';
import { rulesWithConditions } from '../contents/rules-with-conditions.js';
import { deliveredJson } from '../store/contents/delivered-json.js';

/** A mapping as players receive it. */
export interface SegmentedMapping {
  readonly mapping: Uint8Array;
  /** The saved segments that it uses, as far as they are there; conditions are JSON texts. */
  readonly segments: readonly { readonly name: string; readonly condition: string }[];
  /** Of the environment. */
  readonly layers: Layers;
}

export interface PlanMapping {
  readonly now: SegmentedMapping;
  /** What is live, for a mapping that is not; null: there is nothing to compare with. */
  readonly live: SegmentedMapping | null;
}

export interface PlannedWindow extends Window {
  /** Its place in the mapping, from 0. */
  readonly rule: number;
  /** The place of the same rule in the live mapping; null: there is none. */
  readonly liveRule: number | null;
  readonly segment: string;
  /** Names; null: it is no A/B test. */
  readonly variants: readonly string[] | null;
}

/** Two rules, by their places, of which at least one has a window. */
export interface PlannedTouch extends Touch {
  readonly a: number;
  readonly b: number;
}

/** Data only: it comes from a worker. */
export interface MappingPlan {
  readonly windows: readonly PlannedWindow[];
  /** Of a mapping that is not live, only those with a rule that is not. */
  readonly touches: readonly PlannedTouch[];
  /** Rules with windows of the live mapping that this one has not. */
  readonly gone: readonly { readonly liveRule: number; readonly paths: readonly string[] }[];
  /** There were more pairs of rules, or longer conditions, than are compared. */
  readonly cut: boolean;
}

/** Pairs of rules whose paths are compared: all of 300 rules. */
const pairsMax = 45_000;
/** Sample values that their conditions are tested on: a second of work. */
const samplesMax = 1_000_000;
/** Paths that are kept for each pair: one more than are shown, and how many there are. */
const pathsKeptMax = 1_000;

export const emptyPlan: MappingPlan = { windows: [], touches: [], gone: [], cut: false };

interface ReadRule {
  readonly place: number;
  readonly rule: Rule;
  readonly when: unknown;
  readonly layers: Layers;
  /** Equal for rules that do the same to the same players. */
  readonly digest: string;
}

export function planMapping({ now, live }: PlanMapping): MappingPlan {
  const rules = readRules(now);
  const liveRules = live === null ? [] : readRules(live);
  const placeOf = new Map(liveRules.map(({ digest, place }) => [digest, place]));
  const digests = new Set(rules.map(({ digest }) => digest));
  const isNew = ({ digest }: ReadRule): boolean => !placeOf.has(digest);
  return {
    windows: rules.filter(hasWindow).map(({ place, rule, digest }) => {
      const { fromMs, untilMs, isLocal, repeat, segment } = rule;
      const variants = rule.variants?.map(({ name }) => name) ?? null;
      const liveRule = placeOf.get(digest) ?? null;
      return { rule: place, liveRule, segment, variants, fromMs, untilMs, isLocal, repeat };
    }),
    ...findTouches(rules, live === null ? hasWindow : (one) => hasWindow(one) || isNew(one), isNew),
    gone: liveRules
      .filter((one) => hasWindow(one) && !digests.has(one.digest))
      .map(({ place, rule, when, layers }) => ({
        liveRule: place,
        paths: effectsOf(rule, when, layers).paths,
      })),
  };
}

function findTouches(
  rules: readonly ReadRule[],
  isLookedAt: (one: ReadRule) => boolean,
  isNew: (one: ReadRule) => boolean,
): Pick<MappingPlan, 'touches' | 'cut'> {
  const lookedAt = rules.filter(isLookedAt);
  const effects = new Map<ReadRule, RuleEffects>();
  if (lookedAt.some(hasWindow) && lookedAt.length > 1) {
    for (const one of lookedAt) effects.set(one, effectsOf(one.rule, one.when, one.layers));
  }
  const touches: PlannedTouch[] = [];
  const budget = { left: samplesMax };
  let pairs = 0;
  for (const [a, ofA] of effects) {
    for (const [b, ofB] of effects) {
      const isPair = a.place < b.place && (hasWindow(a) || hasWindow(b)) && (isNew(a) || isNew(b));
      if (!isPair) continue;
      if (pairs++ === pairsMax || budget.left <= 0) return { touches, cut: true };
      const touch = touchOf(ofA, ofB, budget);
      if (touch === null) continue;
      touches.push({ a: a.place, b: b.place, ...touch, paths: touch.paths.slice(0, pathsKeptMax) });
    }
  }
  return { touches, cut: false };
}

function hasWindow({ rule: { fromMs, untilMs, repeat } }: ReadRule): boolean {
  return Number.isFinite(fromMs) || Number.isFinite(untilMs) || repeat !== null;
}

function readRules({ mapping, segments, layers }: SegmentedMapping): readonly ReadRule[] {
  const rules = rulesWithConditions(mapping, segments);
  const texts = rules.length === 0 ? [] : ruleTexts(mapping);
  return rules.map(({ rule, when, saved }, place) => {
    const hash = createHash('sha256').update(texts[place] ?? '');
    const digest = hash.update(`\n${saved ?? ''}`).digest('base64');
    return { place, rule, when, layers, digest };
  });
}

/** The minified text of each rule. */
function ruleTexts(mapping: Uint8Array): Uint8Array[] {
  const document = indexDocument(deliveredJson(mapping));
  const texts: Uint8Array[] = [];
  const end = nextOf(document, 0);
  for (let node = 1; node < end; node = nextOf(document, node)) {
    const [start, stop] = [valueStartOf(document, node), valueEndOf(document, node)];
    texts.push(document.bytes.subarray(start, stop));
  }
  return texts;
}
