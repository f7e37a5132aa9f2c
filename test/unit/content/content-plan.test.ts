import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../../src/content/bucket.js';
import type { Condition } from '../../../src/content/condition/condition.js';
import { ContentPlan, type PlanLine, type Selection } from '../../../src/content/content-plan.js';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../src/content/evaluation-context.js';
import { parseMapping, type Rule } from '../../../src/content/mapping/mapping.js';
import { planSelectionsBytesMax } from '../../../src/content/mapping/mapping-limits.js';
import { NO_VERSION, parseVersion } from '../../../src/content/version.js';
import { conditionOf } from './condition/condition-oracle.js';

const noon = Date.parse('2026-11-15T12:00:00Z');

function lineOf(versionText: string): PlanLine {
  const version = parseVersion(versionText);
  if (version === null) throw new Error(versionText);
  return {
    version,
    versionText,
    digest: `digest of ${versionText}`,
    hash: `hash of ${versionText}`,
  };
}

function rulesOf(mapping: unknown): readonly Rule[] {
  const parsed = parseMapping(Buffer.from(JSON.stringify(mapping)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.rules;
}

function planOf(mapping: unknown, segments: Record<string, unknown> = {}): ContentPlan {
  const saved = new Map<string, Condition>();
  for (const [name, when] of Object.entries(segments)) saved.set(name, conditionOf(when));
  return new ContentPlan('shop', [lineOf('0.0.0')], rulesOf(mapping), (name) => saved.get(name));
}

function segOf(plan: ContentPlan, caller: EvaluationContext, nowMs = noon): string {
  return selected(plan, caller, nowMs).segJson;
}

const anyone = makeEvaluationContext('', {}, null);

/** The selection of a caller whose attributes are of ordinary size. */
function selected(plan: ContentPlan, caller: EvaluationContext, nowMs = noon): Selection {
  const selection = plan.select(caller, nowMs);
  if (selection === null) throw new Error('the rules need more work than a request may cause');
  return selection;
}

/** Callers of a wanted group, found by trying. */
function callerIn(from: number, to: number, salt: string | null = null): EvaluationContext {
  for (let i = 0; ; i++) {
    const caller = makeEvaluationContext(`user-${i}`, {}, null);
    const group = bucketOf(salt, caller);
    if (from <= group && group <= to) return caller;
  }
}

describe('the line of a plan', () => {
  const plan = new ContentPlan(
    'shop',
    [lineOf('2.0.0'), lineOf('1.0.0'), lineOf('1.10.0')],
    [],
    () => undefined,
  );
  const lineFor = (text: string): string | undefined =>
    plan.line(parseVersion(text) ?? NO_VERSION)?.versionText;

  it('is the one with the highest minimum that is not above the version', () => {
    expect(lineFor('1.0.0')).toBe('1.0.0');
    expect(lineFor('1.9.99')).toBe('1.0.0');
    expect(lineFor('1.10.0')).toBe('1.10.0');
    expect(lineFor('1.99999.0')).toBe('1.10.0');
    expect(lineFor('2.0.0')).toBe('2.0.0');
    expect(lineFor('999999999.0.0')).toBe('2.0.0');
    expect(lineFor('01.010.00')).toBe('1.10.0');
  });

  it('is the highest of all without a version, and none below the lowest', () => {
    expect(plan.line(NO_VERSION)?.versionText).toBe('2.0.0');
    expect(lineFor('0.9.0')).toBeUndefined();
    expect(plan.line(parseVersion('0.0.1') ?? NO_VERSION)).toBeNull();
  });

  it('comes from lines in ascending order, however they were given', () => {
    expect(plan.lines.map((line) => line.versionText)).toEqual(['1.0.0', '1.10.0', '2.0.0']);
  });
});

describe('a selection', () => {
  it('is empty without rules: default values', () => {
    const plan = planOf([]);
    expect(plan.dynamic).toBe(false);
    expect(selected(plan, anyone)).toMatchObject({
      choices: [],
      mutations: [],
      mutationsKey: '',
      segJson: '[]',
    });
  });

  it('lists every rule that applied, in rule order', () => {
    const plan = planOf([
      { segment: 'a', when: { x: 1 }, merge: { a: 1 } },
      { segment: 'b', when: { y: 1 }, merge: { b: 1 } },
      { segment: 'c', when: {}, merge: { c: 1 } },
    ]);
    expect(plan.dynamic).toBe(true);
    expect(segOf(plan, makeEvaluationContext('', { x: 1, y: 1 }, null))).toBe(
      '[{"n":"a","v":null},{"n":"b","v":null},{"n":"c","v":null}]',
    );
    const some = selected(plan, makeEvaluationContext('', { y: 1 }, null));
    expect(some.segJson).toBe('[{"n":"b","v":null},{"n":"c","v":null}]');
    expect(some.choices).toEqual([-1, 0, 0]);
    expect(some.rulesOfMutations).toEqual([1, 2]);
    expect(some.mutations).toHaveLength(2);
  });

  it('reports segment, variant and info as JSON, info only where it is configured', () => {
    const plan = planOf([
      { segment: 'quote " \u2028', when: {}, info: 'i "1"' },
      { segment: 't', when: {}, info: '', variants: [{ name: 'b\\c', groups: [0, 999] }] },
    ]);
    const seg = segOf(plan, anyone);
    expect(seg).toBe(
      '[{"n":"quote \\" \u2028","v":null,"i":"i \\"1\\""},{"n":"t","v":"b\\\\c","i":""}]',
    );
    expect(JSON.parse(seg)).toEqual([
      { n: 'quote " \u2028', v: null, i: 'i "1"' },
      { n: 't', v: 'b\\c', i: '' },
    ]);
  });

  it("reports a variant's own info instead of the rule's", () => {
    const plan = planOf([
      {
        segment: 't',
        when: {},
        info: 'rule',
        variants: [
          { name: 'own', groups: [0, 99], info: 'variant' },
          { name: 'empty', groups: [100, 199], info: '' },
          { name: 'none', groups: [200, 999] },
        ],
      },
    ]);
    const infos = [0, 100, 200].map((mod) => {
      const caller = Object.assign(makeEvaluationContext('u', {}, null), { mod });
      return JSON.parse(segOf(plan, caller))[0].i;
    });
    expect(infos).toEqual(['variant', '', 'rule']);
  });

  it('puts a caller into the variant of its group, bounds included', () => {
    const plan = planOf([
      {
        segment: 'test',
        when: {},
        variants: [
          { name: 'high', groups: [900, 999], merge: { p: 2 } },
          { name: 'control', groups: [0, 99] },
          { name: 'one', groups: [500, 500], merge: { p: 1 } },
        ],
      },
    ]);
    const variant = (group: number): unknown =>
      JSON.parse(segOf(plan, callerIn(group, group)))[0]?.v;
    for (const group of [900, 999]) expect(variant(group)).toBe('high');
    for (const group of [0, 99]) expect(variant(group)).toBe('control');
    expect(variant(500)).toBe('one');
    for (const group of [100, 499, 501, 899])
      expect(segOf(plan, callerIn(group, group))).toBe('[]');
    const control = selected(plan, callerIn(0, 99));
    expect(control.choices).toEqual([1]);
    expect(control.mutationsKey).toBe('');
  });

  it('assigns the bucket with the salt of the rule', () => {
    const halves = [
      { name: 'low', groups: [0, 499] },
      { name: 'high', groups: [500, 999] },
    ];
    const plan = planOf([
      { segment: 'plain', when: {}, salt: null, variants: halves },
      { segment: 'salted', when: {}, salt: 'autumn', variants: halves },
    ]);
    fc.assert(
      fc.property(fc.string(), (u) => {
        const caller = makeEvaluationContext(u, {}, null);
        const expected = [caller.mod, bucketOf('autumn', caller)].map((group) =>
          group < 500 ? 'low' : 'high',
        );
        expect(JSON.parse(segOf(plan, caller)).map((seg: { v: string }) => seg.v)).toEqual(
          expected,
        );
      }),
    );
  });

  it('keeps a caller in its variant whatever else it sends', () => {
    const plan = planOf([
      {
        segment: 't',
        when: {},
        variants: [
          { name: 'a', groups: [0, 499] },
          { name: 'b', groups: [500, 999] },
        ],
      },
    ]);
    expect(segOf(plan, makeEvaluationContext('ada', { x: 1 }, '1.0.0'))).toBe(
      segOf(plan, makeEvaluationContext('ada', {}, null)),
    );
  });

  it('leaves out a rule outside its window, which begins with from and ends before until', () => {
    const from = '2026-11-01T00:00:00Z';
    const until = '2026-12-01T00:00:00Z';
    const plan = planOf([
      { segment: 'both', when: {}, from, until },
      { segment: 'from', when: {}, from },
      { segment: 'until', when: {}, until },
    ]);
    const names = (nowMs: number): string[] =>
      JSON.parse(segOf(plan, anyone, nowMs)).map((seg: { n: string }) => seg.n);
    expect(names(Date.parse(from) - 1)).toEqual(['until']);
    expect(names(Date.parse(from))).toEqual(['both', 'from', 'until']);
    expect(names(Date.parse(until) - 1)).toEqual(['both', 'from', 'until']);
    expect(names(Date.parse(until))).toEqual(['from']);
  });

  it('uses saved segments by name, and never applies a rule whose segment is missing', () => {
    const mapping = [
      { segment: 'whales' },
      { segment: 'gone' },
      { segment: 'gone', merge: {} },
      { segment: 'own', when: {} },
    ];
    const plan = planOf(mapping, { whales: { spent: { $gt: 100 } }, own: { never: 1 } });
    expect(plan.missingSegments).toEqual(['gone']);
    expect(segOf(plan, makeEvaluationContext('', { spent: 101 }, null))).toBe(
      '[{"n":"whales","v":null},{"n":"own","v":null}]',
    );
    expect(segOf(plan, anyone)).toBe('[{"n":"own","v":null}]');
  });

  it('can be told without the rules whose mutation missed', () => {
    const plan = planOf([
      { segment: 'a', when: {}, merge: { a: 1 } },
      { segment: 'label', when: {} },
      { segment: 'b', when: {}, variants: [{ name: 'v', groups: [0, 999], merge: { b: 1 } }] },
      { segment: 'a', when: {}, merge: { c: 1 } },
    ]);
    const selection = selected(plan, anyone);
    expect(selection.rulesOfMutations).toEqual([0, 2, 3]);
    const names = (missed: number[]): string =>
      JSON.parse(selection.segJsonWithout(missed))
        .map((seg: { n: string }) => seg.n)
        .join();
    expect(names([])).toBe('a,label,b,a');
    expect(names([1])).toBe('a,label,a');
    expect(names([0, 1])).toBe('label,a');
    expect(names([0, 1, 2])).toBe('label');
  });

  it('has a key that is equal for equal mutations in the same order, in any content', () => {
    const key = (...rules: object[]): string =>
      selected(planOf(rules.map((rule) => ({ segment: 's', when: {}, ...rule }))), anyone)
        .mutationsKey;
    const a = { merge: { a: 1 } };
    const b = { merge: { b: 1 } };
    expect(key(a, b)).toBe(key({ info: 'x', ...a }, {}, b));
    expect(key(a)).not.toBe(key(a, a));
    expect(key(a, b)).not.toBe(key(b, a));
    expect(key(a)).not.toBe(key({ replace: { a: 1 } }));
    expect(key({}, {})).toBe('');
    expect(key(a).length).toBe(64);
    expect(key(...Array.from({ length: 50 }, () => a)).length).toBe(64);
  });
});

describe('the selections of a plan', () => {
  const flags = (count: number): object[] =>
    Array.from({ length: count }, (_, i) => ({ segment: `s${i}`, when: { [`f${i}`]: true } }));

  it('are shared by the callers who are chosen the same', () => {
    const plan = planOf(flags(3));
    const first = selected(plan, makeEvaluationContext('a', { f1: true }, null));
    expect(selected(plan, makeEvaluationContext('b', { f1: true, z: 9 }, null))).toBe(first);
    expect(selected(plan, makeEvaluationContext('a', { f2: true }, null))).not.toBe(first);
  });

  it('never mix up two different choices, in mappings short and long', () => {
    for (const count of [1, 5, 53, 60, 120]) {
      const plan = planOf([
        ...flags(count),
        {
          segment: 't',
          when: {},
          variants: [
            { name: 'a', groups: [0, 299] },
            { name: 'b', groups: [300, 599] },
          ],
        },
      ]);
      const flag = fc.nat({ max: count - 1 });
      fc.assert(
        fc.property(fc.uniqueArray(flag, { maxLength: 6 }), fc.string(), (set, u) => {
          const p = Object.fromEntries(set.map((i) => [`f${i}`, true]));
          const caller = makeEvaluationContext(u, p, null);
          const variant = caller.mod < 300 ? ['t'] : caller.mod < 600 ? ['t'] : [];
          const expected = [...set.toSorted((a, b) => a - b).map((i) => `s${i}`), ...variant];
          const { choices, segJson } = selected(plan, caller);
          expect(JSON.parse(segJson).map((seg: { n: string }) => seg.n)).toEqual(expected);
          expect(choices[count]).toBe(caller.mod < 300 ? 0 : caller.mod < 600 ? 1 : -1);
        }),
        { numRuns: 200 },
      );
    }
  });

  it('stay bounded however many combinations a caller tries, and stay right', () => {
    const count = 14;
    const plan = planOf(flags(count));
    const select = (code: number): string => {
      const p: Record<string, boolean> = {};
      for (let i = 0; i < count; i++) p[`f${i}`] = ((code >> i) & 1) === 1;
      return selected(plan, makeEvaluationContext('', p, null))
        .choices.map((choice) => choice + 1)
        .join('');
    };
    for (let code = 0; code < 2 ** count; code++) {
      const bits = code.toString(2).padStart(count, '0').split('').reverse().join('');
      expect(select(code)).toBe(bits);
    }
    // Each is remembered at more than half a kibibyte: far fewer than these fit.
    expect(2 ** count * 512).toBeGreaterThanOrEqual(planSelectionsBytesMax);
  });

  it('keep their choices when the next caller is selected', () => {
    const plan = planOf(flags(2));
    const { choices } = selected(plan, makeEvaluationContext('', { f0: true }, null));
    selected(plan, makeEvaluationContext('', { f1: true }, null));
    expect(choices).toEqual([0, -1]);
  });
});

describe('when the clock changes what is selected', () => {
  const hour = 3_600_000;
  const edge = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined });
  const when = fc.constantFrom({}, { vip: true }, { vip: false });
  const variants = fc.constantFrom(undefined, [{ name: 'a', groups: [0, 499] }]);
  const repeat = fc.constantFrom(
    ...[undefined, undefined],
    { days: ['sun'], from: '11:00', until: '14:00' },
    { days: ['sat', 'sun'], from: '15:00', until: '13:00' },
  );
  const rule = fc
    .record({ from: edge, until: edge, when, variants, zone: fc.constantFrom('', 'Z'), repeat })
    .filter(({ from, until }) => from === undefined || until === undefined || from < until)
    .map(({ from, until, zone, ...rest }) => {
      const text = (hours: number) =>
        new Date(noon + hours * hour).toISOString().slice(0, 19) + zone;
      return {
        segment: 's',
        ...rest,
        ...(from === undefined ? {} : { from: text(from) }),
        ...(until === undefined ? {} : { until: text(until) }),
      };
    });

  it('is the first moment at which another selection is made', () => {
    const caller = fc
      .tuple(fc.string(), fc.boolean(), fc.constantFrom(-180, 0, 60, 120, 'none'))
      .map(([u, vip, utcOffset]) => makeEvaluationContext(u, { vip, utcOffset }, null));
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), caller, (rules, context) => {
        const plan = planOf(rules);
        const choices = (at: number) => selected(plan, context, at).choices.join();
        // Before the occurrences of the next weekend begin.
        const hours = Array.from({ length: 5 * 24 }, (_, index) => noon + (index + 1) * hour);
        const first = hours.find((at) => choices(at) !== choices(noon));
        const changesAt = plan.changesAtMs(context, noon);
        if (first !== undefined) expect(changesAt).toBe(first);
        else expect(changesAt).toBeGreaterThan(noon + 5 * 24 * hour);
        // The first edge of anyone is not after the one of this caller.
        expect(plan.nextEdgeMs(noon)).toBeLessThanOrEqual(changesAt);
      }),
    );
  });

  it('for anyone is right for any order of questions', () => {
    const plan = planOf([
      { segment: 's', from: '2026-11-15T12:00:00Z', until: '2026-11-15T13:00:00Z' },
    ]);
    const [first, second] = [noon, noon + hour];
    expect(plan.nextEdgeMs(first - 1)).toBe(first);
    expect(plan.nextEdgeMs(first)).toBe(second);
    expect(plan.nextEdgeMs(first - 2)).toBe(first);
    expect(plan.nextEdgeMs(second - 1)).toBe(second);
    expect(plan.nextEdgeMs(second)).toBe(Number.POSITIVE_INFINITY);
  });
});
