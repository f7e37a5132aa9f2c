/** The dynamic mappings of the benchmark contents, with the evaluation contexts that they apply to. */
import type { JsonObject } from './game-content.js';

/** A rule as docs/targeting.md has it, reduced to what the benchmarks use: merge patches only. */
export interface BenchRule {
  readonly segment: string;
  readonly when: JsonObject;
  /** RFC 3339. */
  readonly from?: string;
  readonly until?: string;
  readonly info?: string;
  readonly salt?: string;
  readonly merge?: JsonObject;
  readonly variants?: readonly {
    readonly name: string;
    readonly groups: readonly [from: number, to: number];
    readonly merge?: JsonObject;
  }[];
}

/** The evaluation context of a request, as its body has it. */
export interface PlainContext {
  readonly u: string;
  readonly p: JsonObject;
  readonly v: string;
}

/** Three rules that all apply to `player`, five fields in three places. */
export const threeRules: readonly BenchRule[] = [
  {
    segment: 'spenders-us',
    when: { country: { $in: ['US', 'CA'] }, level: { $gte: 10 }, '@v': { $vgte: '1.4.0' } },
    info: 'promo-7',
    merge: { settings: { banner: 'treasure', refreshSeconds: 60 } },
  },
  {
    segment: 'coins-test',
    when: {},
    variants: [
      { name: 'control', groups: [0, 0] },
      {
        name: 'generous',
        groups: [1, 999],
        merge: { economy: { dailyCoins: 750, discountPercent: 15 } },
      },
    ],
  },
  {
    segment: 'veterans',
    when: { days: { $gt: 30 }, language: 'en' },
    merge: { events: { active: true } },
  },
];

/** The context of every fixed request. */
export const player: PlainContext = {
  u: 'player-7d3f1c52a9',
  p: {
    country: 'US',
    level: 42,
    days: 120,
    language: 'en',
    platform: 'ios',
    tags: ['beta', 'guild'],
  },
  v: '1.5.2',
};

export const independentRules = 12;
export const variantCount: number = 2 ** independentRules;

/** Twelve rules, each switched by an attribute of its own, each changing a number of its own in place. */
export const twelveRules: readonly BenchRule[] = Array.from(
  { length: independentRules },
  (_, rule) => ({
    segment: `switch-${rule}`,
    when: { [`f${rule}`]: true },
    merge: { switches: { [`s${rule}`]: switchOn(rule) } },
  }),
);

/** The same while all of them are open: the micro benchmarks' time is 2026-01-01. */
export const twelveOpenRules: readonly BenchRule[] = twelveRules.map((rule) => ({
  ...rule,
  from: '2025-12-01T00:00:00Z',
  until: '2026-02-01T00:00:00Z',
}));

/** What `content.switches` must hold for the twelve rules: numbers of equal length, off and on. */
export function switchesOff(): JsonObject {
  const entries = Array.from({ length: independentRules }, (_, r) => [`s${r}`, switchOff(r)]);
  return Object.fromEntries(entries) as JsonObject;
}

export function switchOff(rule: number): number {
  return 10_000 + rule;
}

export function switchOn(rule: number): number {
  return 20_000 + rule;
}

/** The context to which exactly those rules apply whose bit is set in `variant` (0..4095). */
export function contextOfVariant(variant: number): PlainContext {
  const flags: Record<string, boolean> = {};
  for (let rule = 0; rule < independentRules; rule += 1) flags[`f${rule}`] = hasRule(variant, rule);
  return { u: 'player-7d3f1c52a9', p: flags, v: '1.5.2' };
}

export const hasRule = (variant: number, rule: number): boolean => ((variant >> rule) & 1) === 1;
