import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { conditionOf } from './condition-oracle.js';

/** Attributes as a request brings them: `__proto__` in the text is a property like any other. */
function holds(when: unknown, p: unknown = {}, u = '', v: string | null = null): boolean {
  const attributes = JSON.parse(typeof p === 'string' ? p : JSON.stringify(p));
  return conditionOf(when)(makeEvaluationContext(u, attributes, v));
}

describe('a condition', () => {
  it('holds for everybody when it is empty', () => {
    expect(holds({})).toBe(true);
    expect(holds({}, { level: 3 })).toBe(true);
  });

  it('holds when all its attributes do', () => {
    const when = { country: { $in: ['US', 'CA'] }, level: { $gte: 10 } };
    expect(holds(when, { country: 'US', level: 10 })).toBe(true);
    expect(holds(when, { country: 'US', level: 9 })).toBe(false);
    expect(holds(when, { country: 'DE', level: 10 })).toBe(false);
  });

  it('joins conditions with $and, $or, $nor and $not, nested at will', () => {
    const when = {
      $and: [
        { $or: [{ a: 1 }, { b: 1 }, { c: 1 }] },
        { $nor: [{ d: 1 }, { e: 1 }] },
        { $not: { f: 1 } },
      ],
    };
    expect(holds(when, { c: 1 })).toBe(true);
    expect(holds(when, { d: 1, a: 1 })).toBe(false);
    expect(holds(when, { f: 1, a: 1 })).toBe(false);
    expect(holds(when, { e: 2 })).toBe(false);
  });

  it('holds for an empty $and and an empty $or, and not for an empty $nor', () => {
    expect(holds({ $and: [] })).toBe(true);
    expect(holds({ $or: [] })).toBe(true);
    expect(holds({ $nor: [] })).toBe(false);
  });

  it('reads members and elements by dotted path', () => {
    const p = { player: { stats: { wins: 7 } }, tags: ['new', 'vip'] };
    expect(holds({ 'player.stats.wins': 7 }, p)).toBe(true);
    expect(holds({ 'tags.1': 'vip' }, p)).toBe(true);
    expect(holds({ 'tags.length': 2 }, p)).toBe(true);
    expect(holds({ 'player.stats.losses': { $exists: false } }, p)).toBe(true);
    expect(holds({ 'player.name.first': 'x' }, { player: { name: null } })).toBe(false);
    expect(holds({ 'player.level': 1 }, { player: 1 })).toBe(false);
  });

  it('takes a name with a $ for an attribute when operators test it', () => {
    const when = { $groups: { $elemMatch: { $eq: 'a' } } };
    expect(holds(when, { $groups: ['b', 'a'] })).toBe(true);
    expect(holds(when, { $groups: ['b'] })).toBe(false);
  });
});

describe('equality', () => {
  it('compares text and numbers as the dialect does, converting the attribute', () => {
    expect(holds({ a: 'x' }, { a: 'x' })).toBe(true);
    expect(holds({ a: 8 }, { a: '8' })).toBe(true);
    expect(holds({ a: '8' }, { a: 8 })).toBe(true);
    expect(holds({ a: true }, { a: 1 })).toBe(true);
    expect(holds({ a: false }, {})).toBe(false);
  });

  it('takes null for absent, and only for that', () => {
    expect(holds({ a: null }, {})).toBe(true);
    expect(holds({ a: null }, { a: null })).toBe(true);
    expect(holds({ a: null }, { a: 0 })).toBe(false);
    expect(holds({ a: null }, { a: '' })).toBe(false);
  });

  it('compares lists and objects as JSON, members in order', () => {
    expect(holds({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
    expect(holds({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(holds({ a: { x: 1, y: 2 } }, { a: { x: 1, y: 2 } })).toBe(true);
    expect(holds({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toBe(false);
    expect(holds({ a: { x: 1 } }, { a: { x: 1, y: 2 } })).toBe(false);
    expect(holds({ a: [] }, { a: {} })).toBe(false);
    expect(holds({ a: {} }, { a: [] })).toBe(false);
  });
});

describe('operators', () => {
  it('order numbers, and texts by their code units; an absent attribute is 0', () => {
    expect(holds({ a: { $gt: 30, $lt: 60 } }, { a: 50 })).toBe(true);
    expect(holds({ a: { $gt: 30, $lt: 60 } }, { a: 60 })).toBe(false);
    expect(holds({ a: { $gte: 30, $lte: 60 } }, { a: 60 })).toBe(true);
    expect(holds({ a: { $gt: 'alphabet', $lt: 'zebra' } }, { a: 'always' })).toBe(true);
    expect(holds({ a: { $gt: 'alphabet', $lt: 'zebra' } }, { a: 'AZL' })).toBe(false);
    expect(holds({ a: { $gt: '5', $lt: '10' } }, { a: 8 })).toBe(true);
    expect(holds({ a: { $gt: -10, $lt: 10, $ne: 10 } }, {})).toBe(true);
    expect(holds({ a: { $gt: 5 } }, { a: 'high' })).toBe(false);
    expect(holds({ a: { $lte: 5 } }, { a: 'high' })).toBe(false);
  });

  it('tell equal from unequal strictly with $eq and $ne', () => {
    expect(holds({ a: { $eq: 8 } }, { a: '8' })).toBe(false);
    expect(holds({ a: { $ne: 8 } }, { a: '8' })).toBe(true);
    expect(holds({ a: { $eq: null } }, {})).toBe(true);
  });

  it('find a value, or any of a list, with $in, and none with $nin', () => {
    expect(holds({ a: { $in: [1, 2] } }, { a: 2 })).toBe(true);
    expect(holds({ a: { $in: ['x', 'y'] } }, { a: ['z', 'y'] })).toBe(true);
    expect(holds({ a: { $in: ['x', 'y'] } }, { a: [] })).toBe(false);
    expect(holds({ a: { $nin: [1, 2] } }, { a: 3 })).toBe(true);
    expect(holds({ a: { $nin: ['x'] } }, { a: ['z', 'x'] })).toBe(false);
    expect(holds({ a: { $nin: ['x'] } }, {})).toBe(true);
    expect(holds({ a: { $ini: ['Foo'] } }, { a: 'fOO' })).toBe(true);
    expect(holds({ a: { $in: ['Foo'] } }, { a: 'fOO' })).toBe(false);
    expect(holds({ a: { $nini: ['Foo'] } }, { a: ['bar', 'FOO'] })).toBe(false);
  });

  it('never hold for a list operator without a list, and say so when compiled', () => {
    for (const operator of ['$in', '$nin', '$ini', '$nini', '$all', '$alli']) {
      const warnings: { path: string; message: string }[] = [];
      const condition = compileCondition({ a: { [operator]: 1 } }, warnings);
      expect(
        typeof condition === 'function' && condition(makeEvaluationContext('', { a: 1 }, null)),
      ).toBe(false);
      expect(warnings).toEqual([
        { path: `when.a.${operator}`, message: 'is not a list, so it never holds' },
      ]);
    }
  });

  it('find every value with $all, in any order', () => {
    expect(holds({ a: { $all: ['x', 'y'] } }, { a: ['y', 'z', 'x'] })).toBe(true);
    expect(holds({ a: { $all: ['x', 'y'] } }, { a: ['x', 'x'] })).toBe(false);
    expect(holds({ a: { $all: ['x'] } }, { a: 'x' })).toBe(false);
    expect(holds({ a: { $all: [] } }, { a: [] })).toBe(true);
    expect(holds({ a: { $all: [{ $gt: 5 }, 1] } }, { a: [1, 9] })).toBe(true);
    expect(holds({ a: { $alli: ['X', 'y'] } }, { a: ['Y', 'x'] })).toBe(true);
  });

  it('look into elements with $elemMatch, whose members may be tested too', () => {
    expect(holds({ a: { $elemMatch: { $gt: 10 } } }, { a: [0, 15] })).toBe(true);
    expect(holds({ a: { $elemMatch: { $gt: 10 } } }, { a: [0, 8] })).toBe(false);
    expect(holds({ a: { $elemMatch: { $lt: 1 } } }, { a: [null, 0] })).toBe(true);
    expect(
      holds({ a: { $elemMatch: { name: { $regex: '^ping' } } } }, { a: [{ name: 'pingpong' }] }),
    ).toBe(true);
    expect(holds({ a: { $elemMatch: { name: 'x' } } }, { a: 'x' })).toBe(false);
  });

  it('measure with $size, ask for presence with $exists and for the type with $type', () => {
    expect(holds({ a: { $size: 2 } }, { a: [1, 2] })).toBe(true);
    expect(holds({ a: { $size: { $gt: 2 } } }, { a: [1, 2] })).toBe(false);
    expect(holds({ a: { $size: 3 } }, { a: 'abc' })).toBe(false);
    expect(holds({ a: { $exists: true } }, { a: 0 })).toBe(true);
    expect(holds({ a: { $exists: true } }, { a: null })).toBe(false);
    expect(holds({ a: { $exists: false } }, {})).toBe(true);
    const values = { string: 'x', number: 1, boolean: false, array: [], object: {}, null: null };
    for (const [type, value] of Object.entries(values)) {
      for (const asked of Object.keys(values)) {
        expect(holds({ a: { $type: asked } }, { a: value })).toBe(asked === type);
      }
    }
  });

  it('negate with $not, on a value or an operator', () => {
    expect(holds({ a: { $not: { $gt: 5 } } }, { a: 3 })).toBe(true);
    expect(holds({ a: { $not: 'x' } }, { a: 'x' })).toBe(false);
    expect(holds({ a: { $not: { $elemMatch: { $eq: 1 } } } }, { a: [2] })).toBe(true);
  });
});

describe('what the server knows of a caller', () => {
  it('is addressed as @u, @v and @mod', () => {
    const { mod } = makeEvaluationContext('ada', {}, null);
    expect(holds({ '@u': 'ada' }, {}, 'ada')).toBe(true);
    expect(holds({ '@u': { $in: ['ada', 'bob'] } }, {}, 'eve')).toBe(false);
    expect(holds({ '@v': '1.4.0' }, {}, '', '1.4.0')).toBe(true);
    expect(holds({ '@mod': mod }, {}, 'ada')).toBe(true);
    expect(holds({ '@mod': { $lt: mod } }, {}, 'ada')).toBe(false);
  });

  it('is not overridden by attributes of those names', () => {
    const p = { '@u': 'eve', '@v': '9.9.9', '@mod': 1000 };
    expect(holds({ '@u': 'eve' }, p, 'ada')).toBe(false);
    expect(holds({ '@v': { $vgte: '9.0.0' } }, p, '', '1.0.0')).toBe(false);
    expect(holds({ '@v': { $exists: true } }, p)).toBe(false);
    expect(holds({ '@mod': 1000 }, p)).toBe(false);
  });

  it('is meant inside $elemMatch too', () => {
    const when = { offers: { $elemMatch: { sku: 'a', '@v': { $vgte: '2.0.0' } } } };
    const p = { offers: [{ sku: 'a', '@v': '9.0.0' }] };
    expect(holds(when, p, '', '2.0.0')).toBe(true);
    expect(holds(when, p, '', '1.0.0')).toBe(false);
  });

  it('fails every comparison with an absent @v, whatever the operator', () => {
    const comparisons: unknown[] = [
      null,
      '',
      '1.0.0',
      0,
      false,
      [],
      {},
      { $eq: null },
      { $ne: '1.0.0' },
      { $lt: 1 },
      { $lte: 0 },
      { $gt: -1 },
      { $gte: 0 },
      { $in: [null] },
      { $nin: ['1.0.0'] },
      { $ini: [null] },
      { $nini: ['1.0.0'] },
      { $all: [] },
      { $alli: [] },
      { $size: 0 },
      { $elemMatch: {} },
      { $type: 'null' },
      { $regex: '' },
      { $regexi: 'null' },
      { $notRegex: '1' },
      { $notRegexi: '1' },
      { $veq: '0' },
      { $vne: '1.0.0' },
      { $vgt: '0.0.0' },
      { $vgte: '0.0.0' },
      { $vlt: '9.0.0' },
      { $vlte: '9.0.0' },
      { $exists: true },
    ];
    for (const comparison of comparisons) {
      expect([comparison, holds({ '@v': comparison })]).toEqual([comparison, false]);
      expect([comparison, holds({ '@v': { $not: comparison } })]).toEqual([comparison, true]);
      expect([comparison, holds({ $not: { '@v': comparison } })]).toEqual([comparison, true]);
    }
    expect(holds({ '@v': { $exists: false } })).toBe(true);
  });
});

describe('hostile attributes', () => {
  const inherited = [
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    '__proto__.polluted',
  ];

  it('find nothing that an object inherits', () => {
    for (const name of inherited) {
      expect(holds({ [name]: { $exists: true } })).toBe(false);
      expect(holds({ [`a.${name}`]: { $exists: true } }, { a: {} })).toBe(false);
      expect(holds({ [`a.${name}`]: { $exists: true } }, { a: [] })).toBe(false);
    }
    expect(
      conditionOf(JSON.parse('{"__proto__": {"$exists": true}}'))(
        makeEvaluationContext('', {}, null),
      ),
    ).toBe(false);
  });

  it('are found under such names when they are really sent', () => {
    expect(holds(JSON.parse('{"__proto__": 1}'), '{"__proto__": 1}')).toBe(true);
    expect(holds({ '__proto__.x': 1 }, '{"__proto__": {"x": 1}}')).toBe(true);
    expect(holds({ constructor: 'me' }, '{"constructor": "me"}')).toBe(true);
  });

  it('do not make a condition throw where the dialect would: what has no text equals nothing', () => {
    const p = '{"a": {"toString": 1}, "b": [{"toString": 1, "valueOf": 2}]}';
    for (const name of ['a', 'b']) {
      for (const test of [
        'x',
        5,
        { $gt: 1 },
        { $lte: '~' },
        { $regex: '' },
        { $all: ['x'] },
        { $in: ['x'] },
      ]) {
        expect(holds({ [name]: test }, p)).toBe(false);
      }
      expect(holds({ [name]: { $ne: 'x' } }, p)).toBe(true);
    }
    expect(holds({ a: { toString: 1 } }, p)).toBe(true);
  });

  it('may be nested a hundred thousand levels deep', () => {
    const depth = 100_000;
    const p = {
      list: JSON.parse('['.repeat(depth) + ']'.repeat(depth)),
      object: JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    };
    const caller = makeEvaluationContext('', p, null);
    for (const test of [
      '',
      0,
      true,
      null,
      [[[]]],
      { a: { a: {} } },
      { $gt: 0 },
      { $lt: 'x' },
      { $regex: 'a' },
      { $in: [''] },
      { $all: [''] },
      { $elemMatch: { $elemMatch: { $eq: 1 } } },
      { $vgt: '1' },
      { $size: 1 },
      { $type: 'array' },
    ]) {
      expect(conditionOf({ list: test, 'list.0.0': test })(caller)).toBeTypeOf('boolean');
      expect(conditionOf({ object: test, 'object.a.a': test })(caller)).toBeTypeOf('boolean');
    }
  });

  it('never make a condition throw, whatever they are', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      'toString',
      'valueOf',
      '__proto__',
      'constructor',
      'length',
      'toJSON',
    );
    const attributes = fc
      .jsonValue({ maxDepth: 4, stringUnit: name })
      .map((value) => `{"a":${JSON.stringify(value)},"toString":1}`);
    const tests = fc.constantFrom<unknown>(
      'x',
      1,
      true,
      null,
      [1],
      { b: 1 },
      { toString: 1 },
      { $gt: 1 },
      { $lt: 'x' },
      { $regexi: '.' },
      { $notRegex: 'a' },
      { $in: [1] },
      { $ini: ['a'] },
      { $alli: ['a', 1] },
      { $elemMatch: { toString: 1 } },
      { $vlt: '1.0' },
      { $size: 0 },
    );
    const path = fc.constantFrom(
      'a',
      'toString',
      'a.toString',
      'a.0',
      'a.__proto__.a',
      'a.constructor.name',
      'a.length',
    );
    fc.assert(
      fc.property(attributes, path, tests, (p, at, test) => {
        expect(holds({ [at]: test }, p)).toBeTypeOf('boolean');
      }),
      { numRuns: 5_000 },
    );
  });
});
