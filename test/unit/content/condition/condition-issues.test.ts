import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConditionIssue,
  compileCondition,
} from '../../../../src/content/condition/condition.js';
import {
  conditionLevelsMax,
  conditionPatternsMax,
  conditionTestsMax,
  conditionValuesMax,
} from '../../../../src/content/condition/condition-limits.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';

function faultsOf(when: unknown): readonly ConditionIssue[] {
  const compiled = compileCondition(when);
  return typeof compiled === 'function' ? [] : compiled;
}

function pathsOf(when: unknown): string[] {
  return faultsOf(when).map((fault) => fault.path);
}

describe('a condition is refused when it', () => {
  it('uses an operator that is unknown or stands where it cannot', () => {
    expect(faultsOf({ name: { $regx: 'hello' } })).toEqual([
      { path: 'when.name.$regx', message: 'is not an operator' },
    ]);
    expect(pathsOf({ $xor: [{ a: 1 }] })).toEqual(['when.$xor']);
    expect(pathsOf({ $where: 'this.a' })).toEqual(['when.$where']);
    expect(pathsOf({ $gt: 5 })).toEqual(['when.$gt']);
    expect(pathsOf({ a: { $or: [{ $gt: 5 }] } })).toEqual(['when.a.$or']);
    expect(pathsOf({ a: { $gt: 5, lt: 8 } })).toEqual(['when.a']);
    expect(pathsOf({ a: { $in: [1], $constructor: 1 } })).toEqual(['when.a.$constructor']);
    expect(pathsOf({ tags: { $inGroup: 'x' } })).toEqual(['when.tags.$inGroup']);
  });

  it('is not made of objects where the dialect needs them', () => {
    for (const when of [null, 1, 'x', true, []]) expect(pathsOf(when)).toEqual(['when']);
    expect(pathsOf({ $and: { a: 1 } })).toEqual(['when.$and']);
    expect(pathsOf({ $or: [{}, null, [], 'x'] })).toEqual([
      'when.$or[1]',
      'when.$or[2]',
      'when.$or[3]',
    ]);
    expect(pathsOf({ $nor: null })).toEqual(['when.$nor']);
    expect(pathsOf({ $not: null })).toEqual(['when.$not']);
    expect(pathsOf({ a: { $elemMatch: null } })).toEqual(['when.a.$elemMatch']);
    expect(pathsOf({ a: { $elemMatch: 'x' } })).toEqual(['when.a.$elemMatch']);
  });

  it('addresses members of what has none', () => {
    expect(pathsOf({ '@v.major': 1 })).toEqual(['when.@v.major']);
  });

  it('has several issues: all of them are told', () => {
    expect(pathsOf({ a: { $x: 1, $y: 2 }, $or: [{ b: { $z: 3 } }] })).toEqual([
      'when.a.$x',
      'when.a.$y',
      'when.$or[0].b.$z',
    ]);
  });

  it('passes a limit', () => {
    const nested = (levels: number): unknown => (levels === 0 ? {} : { $not: nested(levels - 1) });
    expect(pathsOf(nested(conditionLevelsMax))).toEqual([]);
    expect(pathsOf(nested(conditionLevelsMax + 1))).toEqual(['when']);
    expect(pathsOf(JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`))).toEqual([
      'when',
    ]);
    const ids = (count: number): unknown => ({
      '@u': { $in: Array.from({ length: count }, String) },
    });
    expect(pathsOf(ids(conditionValuesMax / 2))).toEqual([]);
    expect(pathsOf(ids(conditionValuesMax))).toEqual(['when']);
    const tests = (count: number): unknown => ({
      $or: Array.from({ length: count }, () => ({ a: 1 })),
    });
    expect(pathsOf(tests(conditionTestsMax))).toEqual([]);
    expect(pathsOf(tests(conditionTestsMax + 1))).toHaveLength(1);
    const patterns = (count: number): unknown => ({
      $or: Array.from({ length: count }, (_, i) => ({ a: { $regex: `x${i}` } })),
    });
    expect(pathsOf(patterns(conditionPatternsMax))).toEqual([]);
    expect(pathsOf(patterns(conditionPatternsMax + 5))).toHaveLength(1);
    expect(pathsOf({ ['a'.repeat(1_001)]: 1 })).toHaveLength(1);
  });

  it('has so many issues that telling all would help nobody', () => {
    expect(faultsOf({ $or: Array.from({ length: 50_000 }, () => 1) }).length).toBeLessThanOrEqual(
      50,
    );
  });
});

describe('compiling a condition', () => {
  it('warns of what can hardly be meant', () => {
    const doubts = {
      a: { $eq: [1] },
      b: { $in: [[1]] },
      c: { $type: 'int' },
      d: { $regex: '(' },
      e: { inner: { $gt: 5 } },
      f: { $veq: null },
    };
    const warnings: ConditionIssue[] = [];
    expect(compileCondition(doubts, warnings)).toBeTypeOf('function');
    expect(warnings.map((warning) => warning.path)).toEqual([
      'when.a.$eq',
      'when.b.$in',
      'when.c.$type',
      'when.d.$regex',
      'when.e',
      'when.f.$veq',
    ]);
  });

  it('never throws, whatever the JSON, and neither does what it compiles', () => {
    const name = fc.constantFrom(
      'a',
      '$and',
      '$or',
      '$nor',
      '$not',
      '$in',
      '$all',
      '$elemMatch',
      '$regex',
      '$notRegex',
      '$size',
      '$type',
      '$eq',
      '$lt',
      '$veq',
      '@v',
      '@u',
      '__proto__',
      'toString',
      '$',
      '@v.x',
      '',
      '.',
      '$exists',
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5, depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(name, tie('node'), { maxKeys: 3 }),
      ),
    }));
    let compiledCount = 0;
    fc.assert(
      fc.property(node, (value) => {
        const compiled = compileCondition(JSON.parse(JSON.stringify(value)));
        if (typeof compiled !== 'function') {
          expect(compiled.length).toBeGreaterThan(0);
          return;
        }
        compiledCount++;
        expect(
          compiled(makeEvaluationContext('u', { a: [{ a: 1 }], toString: 1 }, '1.0.0')),
        ).toBeTypeOf('boolean');
      }),
      { numRuns: 5_000 },
    );
    expect(compiledCount).toBeGreaterThan(100);
  });
});
