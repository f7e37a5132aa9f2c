/*
 * Goal: what is explained of a condition is what delivery decides by.
 * Method: random conditions on random callers; the explained verdict must be the compiled condition's, and the operands
 * that are named must be enough for it: each, tested on its own, says what the explanation says of it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../../src/content/evaluation-context.js';
import { takeApart } from '../../../../src/management/evaluation/condition-tree.js';
import {
  type ExplainedCondition,
  explainCondition,
} from '../../../../src/management/evaluation/explain-condition.js';
import { decidersMax } from '../../../../src/management/limits/evaluation.js';
import {
  attributes,
  condition,
  one,
  orderOperator,
  version,
  versionOperator,
} from '../../content/condition/arbitrary-condition.js';
import { conditionOf } from '../../content/condition/condition-oracle.js';

function explain(
  when: unknown,
  p: object = {},
  u = '',
  v: string | null = null,
): ExplainedCondition {
  return explainCondition(takeApart(when), makeEvaluationContext(u, { ...p }, v));
}

const texts = (explained: ExplainedCondition): string[] => explained.decidedBy.map((by) => by.text);

const ofCaller = fc.oneof(
  one(fc.constant('@v'), one(versionOperator, version)),
  one(fc.constant('@v'), fc.constantFrom({ $exists: true }, { $exists: false }, '1.2.3')),
  one(fc.constant('@mod'), one(orderOperator, fc.integer({ min: 0, max: 999 }))),
  one(fc.constant('@u'), one(orderOperator, fc.constantFrom('', 'a', 'b'))),
);
const anyCondition = fc.oneof(
  { weight: 3, arbitrary: condition },
  { weight: 1, arbitrary: fc.array(ofCaller, { maxLength: 3 }).map(($or) => ({ $or })) },
  {
    weight: 1,
    arbitrary: fc.tuple(condition, ofCaller).map(([a, b]) => ({ $nor: [a, { $not: b }] })),
  },
);
const caller: fc.Arbitrary<EvaluationContext> = fc
  .tuple(
    fc.constantFrom('', 'a', 'b', 'player-1'),
    attributes,
    fc.constantFrom(null, '1.2.3', '1.10.0', '2.0.0'),
  )
  .map(([u, p, v]) => makeEvaluationContext(u, p, v));

describe('an explained condition', () => {
  it('has the verdict of the compiled one, on random conditions and callers', () => {
    let held = 0;
    let count = 0;
    fc.assert(
      fc.property(anyCondition, caller, (when, who) => {
        const verdict = conditionOf(when)(who);
        expect(explainCondition(takeApart(when), who).holds).toBe(verdict);
        count++;
        if (verdict) held++;
      }),
      { numRuns: 8_000 },
    );
    // The property says something only if both verdicts are common.
    expect(held / count).toBeGreaterThan(0.15);
    expect(held / count).toBeLessThan(0.85);
  });

  it('names operands that are what they are said to be, on random conditions and callers', () => {
    let named = 0;
    fc.assert(
      fc.property(anyCondition, caller, (when, who) => {
        const { decidedBy } = explainCondition(takeApart(when), who);
        expect(decidedBy.length).toBeLessThanOrEqual(decidersMax);
        for (const { path, attribute, operator, holds } of decidedBy) {
          const operand = at(when, path);
          const alone = { [attribute]: operator === null ? operand : { [operator]: operand } };
          expect(conditionOf(alone)(who)).toBe(holds);
          named++;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(named).toBeGreaterThan(1_000);
  });

  it('names the one operand that failed where all must hold', () => {
    const when = { country: { $in: ['US', 'CA'] }, level: { $gte: 10, $lt: 20 } };
    const { holds, decidedBy } = explain(when, { country: 'US', level: 25 });
    expect(holds).toBe(false);
    expect(decidedBy).toEqual([
      {
        path: 'when.level.$lt',
        attribute: 'level',
        operator: '$lt',
        wanted: '20',
        found: '25',
        holds: false,
        text: 'level is 25, but must be below 20.',
      },
    ]);
  });

  it('names the one that held where any may, and all that failed where none did', () => {
    const when = { $or: [{ vip: true }, { spend: { $gt: 100 } }] };
    expect(texts(explain(when, { spend: 150 }))).toEqual(['spend is 150, which is above 100.']);
    const failed = explain(when, { spend: 5 });
    expect(failed.holds).toBe(false);
    expect(texts(failed)).toEqual([
      'vip is not there, but must be true.',
      'spend is 5, but must be above 100.',
    ]);
  });

  it('says what must not be, below a negation', () => {
    const when = { $nor: [{ country: 'DE' }, { level: { $not: { $lt: 3 } } }] };
    expect(texts(explain(when, { country: 'DE', level: 1 }))).toEqual([
      'country is "DE", but must not be "DE".',
    ]);
    expect(texts(explain(when, { country: 'US', level: 7 }))).toEqual([
      'level is 7, but must be below 3.',
    ]);
    expect(texts(explain(when, { country: 'US', level: 1 }))).toEqual([
      'country is "US", which is not "DE".',
      'level is 1, which is below 3.',
    ]);
  });

  it('speaks of the user id, the app version and the bucket by name', () => {
    expect(texts(explain({ '@v': { $vgte: '1.4.0' } }))).toEqual([
      'the app version (@v) is not there, but must be a version from "1.4.0" on.',
    ]);
    expect(texts(explain({ '@u': 'tess' }, { '@u': 'eve' }, 'adam'))).toEqual([
      'the user id (@u) is "adam", but must be "tess".',
    ]);
    const [text] = texts(explain({ '@mod': { $lt: 0 } }, {}, 'u1'));
    expect(text).toMatch(/^the bucket \(@mod\) is \d{1,3}, but must be below 0\.$/);
  });

  it('is decided by nothing when it is empty', () => {
    expect(explain({})).toEqual({ holds: true, decidedBy: [] });
    expect(explain({ $or: [] })).toEqual({ holds: true, decidedBy: [] });
    expect(explain({ $nor: [] })).toEqual({ holds: false, decidedBy: [] });
  });

  it('cuts lists and texts that are too long to read, and names the first few of many operands', () => {
    const ids = Array.from({ length: 50_000 }, (_, index) => `tester-${index}`);
    const [by] = explain({ '@u': { $in: ids } }, {}, 'nobody').decidedBy;
    expect(by?.wanted).toMatch(/^\["tester-0",.*"tester-7",… 49992 more\]$/);
    const long = explain({ name: 'x' }, { name: 'n'.repeat(60_000) }).decidedBy[0];
    expect(long?.found?.length).toBeLessThan(300);
    const $or = Array.from({ length: 100 }, (_, level) => ({ level: level + 1 }));
    expect(explain({ $or }).decidedBy).toHaveLength(decidersMax);
  });
});

/** The operand at a path such as `when.$and[1].level.$gte`; names in these conditions may hold dots. */
function at(when: unknown, path: string): unknown {
  let value = when;
  let rest = path.slice('when'.length);
  while (rest !== '') {
    const index = /^\[(\d+)\]/.exec(rest);
    if (index !== null) {
      value = (value as readonly unknown[])[Number(index[1])];
      rest = rest.slice(index[0].length);
      continue;
    }
    const members = value as Readonly<Record<string, unknown>>;
    const fits = (name: string): boolean => {
      const after = rest[name.length + 1];
      return rest.startsWith(`.${name}`) && (after === undefined || after === '.' || after === '[');
    };
    // The longest name that fits: `a.` and `a.b` are names beside `a`.
    const [name] = Object.keys(members)
      .filter(fits)
      .sort((a, b) => b.length - a.length);
    if (name === undefined) throw new Error(`${path}: nothing at ${rest}`);
    value = members[name];
    rest = rest.slice(name.length + 1);
  }
  return value;
}
