/*
 * Goal: two rules that both apply to one player at one instant, and whose changes meet, are found, at a time that holds the instant.
 * Method: random pairs of rules with windows of both kinds, conditions, groups and changes; random players and instants; the rules
 * are selected by the kernel.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../../../src/content/bucket.js';
import { firstMeeting, openSpans } from '../../../../src/content/conflicts/meeting.js';
import { effectsOf, touchOf } from '../../../../src/content/conflicts/rule-effects.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { admissionTo, type Layers } from '../../../../src/content/layers.js';
import { parseMapping, type Rule } from '../../../../src/content/mapping/mapping.js';
import { isOpen } from '../../../../src/content/mapping/window.js';

const hourMs = 3_600_000;
const beginMs = Date.UTC(2026, 10, 20);
const rangeMs = 21 * 24 * hourMs;

const ruleOf = (rule: object): Rule => {
  const parsed = parseMapping(Buffer.from(JSON.stringify([rule])));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.rules[0] as Rule;
};

const timeText = (hours: number): string =>
  new Date(beginMs + hours * hourMs).toISOString().slice(0, 19);

const window = fc
  .record({
    from: fc.integer({ min: -100, max: 200 }),
    hours: fc.integer({ min: 20, max: 500 }),
    zone: fc.constantFrom('', '', 'Z', '+09:00', '-08:00'),
    repeat: fc.option(
      fc.record({
        days: fc.uniqueArray(fc.constantFrom('mon', 'wed', 'fri', 'sat'), { minLength: 1 }),
        from: fc.constantFrom('00:00', '12:30', '18:00'),
        until: fc.constantFrom('06:15', '18:30', '23:00'),
      }),
      { freq: 1 },
    ),
  })
  .map(({ from, hours, zone, repeat }) => ({
    from: timeText(from) + zone,
    until: timeText(from + hours) + zone,
    ...(repeat === null ? {} : { repeat }),
  }));

const when = fc.constantFrom<object>(
  ...[{}, { country: 'US' }, { country: 'DE' }, { country: { $in: ['US', 'FR'] } }],
  ...[{ level: { $lt: 10 } }, { level: { $gte: 10 } }, { '@v': { $vgte: '2.0.0' } }],
  ...[{ '@v': { $vlt: '2.0.0' } }, { '@mod': { $lt: 500 } }, { '@mod': { $gte: 500 } }],
  { $or: [{ country: 'DE' }, { level: { $gte: 10 } }] },
);

const merge = fc.constantFrom<object>(
  ...[{ gems: 1 }, { gems: 2 }, { shop: { discount: 5 } }, { shop: { discount: 6 } }],
  ...[{ shop: { title: 'x' } }, { shop: null }],
);

const change = fc.oneof(
  merge.map((value) => ({ merge: value })),
  fc
    .record({
      salt: fc.constantFrom(null, 'one', 'two'),
      merge,
      at: fc.integer({ min: 0, max: 998 }),
    })
    .map(({ salt, merge: value, at }) => ({
      ...(salt === null ? {} : { salt }),
      variants: [
        { name: 'a', groups: [0, at], merge: value },
        { name: 'b', groups: [at + 1, 999] },
      ],
    })),
);

const layers: Layers = {
  layers: [
    { name: 'shop', salt: 'one' },
    { name: 'menu', salt: 'layer' },
  ],
  holdout: { salt: 'two', groups: [0, 300] },
};

/** Members that share players; salts are those of layers, too. */
const sharing = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.constant({ holdout: true }),
  fc
    .record({
      layer: fc.constantFrom('shop', 'menu', 'gone'),
      salt: fc.constantFrom('one', 'two', 'own'),
      from: fc.integer({ min: 0, max: 700 }),
      holdout: fc.boolean(),
    })
    .map(({ from, ...members }) => ({ ...members, slice: [from, from + 250] })),
);

const rule = fc.tuple(window, when, change, sharing).map(([open, condition, changes, members]) => ({
  ...{ segment: 's', when: condition, ...open, ...changes },
  ...members,
}));

const player = fc.record({
  u: fc.integer({ min: 0, max: 500 }).map((id) => (id === 0 ? '' : `player-${id}`)),
  v: fc.constantFrom(null, '1.0.0', '2.0.0', '2.5.0'),
  p: fc.record(
    {
      country: fc.constantFrom('US', 'DE', ['US', 'DE']),
      level: fc.constantFrom(1, 10, '20'),
      utcOffset: fc.constantFrom(0, 540, -480, 840, -720, 345, 'x'),
    },
    { requiredKeys: [] },
  ),
  hours: fc.integer({ min: 0, max: 21 * 24 - 1 }),
});

describe('two rules that touch', () => {
  it('are found whenever both apply to one player at one instant', () => {
    let met = 0;
    fc.assert(
      fc.property(
        rule,
        rule,
        fc.array(player, { minLength: 50, maxLength: 50 }),
        (one, other, all) => {
          const [a, b] = [ruleOf(one), ruleOf(other)];
          const touch = touchOf(effectsOf(a, one.when, layers), effectsOf(b, other.when, layers), {
            left: 1e9,
          });
          for (const { u, v, p, hours } of all) {
            const caller = makeEvaluationContext(u, p, v);
            const atMs = beginMs + hours * hourMs;
            const [first, second] = [mergeFor(a, caller, atMs), mergeFor(b, caller, atMs)];
            if (first === null || second === null || !meets(first, second)) continue;
            met++;
            expect(touch).not.toBeNull();
            const untilMs = beginMs + rangeMs;
            const [ofA, ofB] = [openSpans(a, atMs, untilMs), openSpans(b, atMs, untilMs)];
            const meeting = firstMeeting(ofA, ofB, atMs, untilMs);
            expect(meeting).not.toBeNull();
            expect(meeting?.startMs).toBeLessThanOrEqual(atMs);
            expect(meeting?.endMs).toBeGreaterThan(atMs);
          }
        },
      ),
      { numRuns: 4_000 },
    );
    expect(met).toBeGreaterThan(1_000);
  });
});

/** The merge of the rule that the caller receives at an instant; null: none. */
function mergeFor(
  applied: Rule,
  caller: ReturnType<typeof makeEvaluationContext>,
  atMs: number,
): Record<string, unknown> | null {
  if (!isOpen(applied, caller, atMs) || applied.condition?.(caller) !== true) return null;
  if (admissionTo(applied, layers, caller) !== 'admitted') return null;
  const bucket = bucketOf(applied.salt, caller);
  const variant = applied.variants?.find(({ from, to }) => from <= bucket && bucket <= to);
  const mutation = applied.variants === null ? applied.mutation : (variant?.mutation ?? null);
  return mutation && JSON.parse(Buffer.from(mutation.document.bytes).toString());
}

function meets(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return Object.keys(a).some((name) => {
    if (!Object.hasOwn(b, name)) return false;
    const [one, other] = [a[name], b[name]];
    if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return true;
    return meets(one as Record<string, unknown>, other as Record<string, unknown>);
  });
}
