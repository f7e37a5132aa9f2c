/*
 * Goal: where two conditions are said to share no player, no player meets both; and the ordinary cases are seen.
 * Method: cases by hand; random conditions of all kinds, and of the comparisons that are understood, with random players.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, compileCondition } from '../../../../src/content/condition/condition.js';
import { boundsOf } from '../../../../src/content/conflicts/attribute-bounds.js';
import { sharedPlayers } from '../../../../src/content/conflicts/shared-players.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import * as arbitrary from '../condition/arbitrary-condition.js';

const shared = (a: unknown, b: unknown): readonly string[] | null =>
  sharedPlayers(boundsOf(a), boundsOf(b), { left: 1e9 });

const apart: readonly (readonly [unknown, unknown])[] = [
  [{ country: 'US' }, { country: 'DE' }],
  [{ country: 'US' }, { country: { $in: ['DE', 'FR'] } }],
  [{ country: 'US' }, { country: { $ne: 'US', $type: 'string' } }],
  [{ level: { $lt: 10 } }, { level: { $gte: 10 } }],
  [{ level: { $lt: 10, $gt: 5 } }, { level: 10 }],
  [{ level: { $lt: '10' } }, { level: { $gte: '10' }, country: 'US' }],
  [{ name: { $lt: 'b' } }, { name: { $gte: 'b' } }],
  [{ vip: true }, { vip: false }],
  [{ vip: { $exists: true } }, { vip: { $exists: false } }],
  [{ vip: { $exists: true } }, { vip: null }],
  [{ a: { $type: 'string' } }, { a: { $type: 'number' } }],
  [{ '@v': { $vlt: '1.4.0' } }, { '@v': { $vgte: '1.4.0' } }],
  [{ '@v': { $veq: '1.4.0' } }, { '@v': { $vne: '1.4.0' } }],
  [{ engine: { $vlt: '1.4' } }, { engine: { $vgt: '1.5' } }],
  [{ '@mod': { $lt: 500 } }, { '@mod': { $gte: 500 } }],
  [{ '@u': { $in: ['ada'] } }, { '@u': { $in: ['grace'] } }],
  [{ '@u': { $in: ['ada'] } }, { '@u': { $nin: ['ada', 'grace'] } }],
  [{ a: { $in: [1, 2] } }, { a: { $nin: [1, 2, 3] } }],
  [{ $and: [{ country: 'US' }, { level: 1 }] }, { country: 'DE' }],
  [{ $or: [{ country: 'US' }, { country: 'CA' }] }, { country: 'DE' }],
  [{ $or: [{ country: 'US' }, { level: 1 }] }, { country: 'DE', level: 2 }],
];

const together: readonly (readonly [unknown, unknown])[] = [
  [{}, {}],
  [{ country: 'US' }, {}],
  [{ country: 'US' }, { level: 10 }],
  [{ country: { $in: ['US', 'DE'] } }, { country: 'DE' }],
  [{ level: { $lte: 10 } }, { level: { $gte: 10 } }],
  [{ country: { $ne: 'US' } }, { country: { $ne: 'DE' } }],
  [{ country: { $regex: '^U' } }, { country: 'DE' }],
  [{ '@v': { $vlt: '1.4.0' } }, { '@v': { $vgte: '1.3.9' } }],
  [{ $or: [{ country: 'US' }, { level: 1 }] }, { country: 'DE' }],
  [{ $nor: [{ country: 'DE' }] }, { country: 'DE' }],
  [{ '@u': { $ne: '' } }, { '@u': { $gt: 'm' } }],
];

describe('two conditions', () => {
  it('may share a player where comparing them has become too much', () => {
    const budget = { left: 0 };
    expect(sharedPlayers(boundsOf({ a: 1 }), boundsOf({ a: 2 }), budget)).toEqual([]);
  });

  it.each(apart)('%j and %j share no player', (a, b) => {
    expect(shared(a, b)).toBeNull();
    expect(shared(b, a)).toBeNull();
  });

  it.each(together)('%j and %j may share a player', (a, b) => {
    expect(shared(a, b)).toEqual([]);
    expect(shared(b, a)).toEqual([]);
  });

  it('share only players with a list where each names other values of one attribute', () => {
    const us = { country: { $in: ['US', 'CA'] }, level: { $gte: 10 } };
    expect(shared(us, { country: { $in: ['DE'] } })).toEqual(['country']);
    expect(shared(us, { country: { $in: ['DE'] }, level: { $lt: 5, $type: 'number' } })).toBeNull();
    expect(shared(us, { country: { $in: ['DE', 'CA'] } })).toEqual([]);
  });

  const comparison = fc.oneof(
    fc.constantFrom(
      '',
      'a',
      'b',
      'ab',
      '8',
      '10',
      ' 1 ',
      'true',
      0,
      1,
      8,
      10,
      1.5,
      true,
      false,
      null,
    ),
    arbitrary.one(arbitrary.orderOperator, arbitrary.scalar),
    arbitrary.one(fc.constantFrom('$in', '$nin'), fc.array(arbitrary.scalar, { maxLength: 3 })),
    arbitrary.one(fc.constant('$not'), arbitrary.one(arbitrary.orderOperator, arbitrary.scalar)),
    arbitrary.one(fc.constant('$exists'), fc.boolean()),
    arbitrary.one(arbitrary.versionOperator, fc.constantFrom('1.2.3', '1.2.10', '1.10.0', '8')),
    fc
      .tuple(
        arbitrary.one(fc.constantFrom('$gt', '$gte'), arbitrary.scalar),
        arbitrary.one(fc.constantFrom('$lt', '$lte'), arbitrary.scalar),
      )
      .map(([a, b]) => ({ ...a, ...b })),
  );
  const version = fc.constantFrom('1.2.3', '01.2.10', '1.2.4', '1.10.0', '2.0.0');
  const own = fc.oneof(
    arbitrary.one(fc.constant('@v'), arbitrary.one(arbitrary.versionOperator, version)),
    arbitrary.one(fc.constant('@u'), comparison),
    arbitrary.one(fc.constant('@mod'), comparison),
  );
  const members = fc
    .array(fc.oneof(arbitrary.one(fc.constantFrom('a', 'b'), comparison), own), { maxLength: 3 })
    .map((parts) => Object.assign({}, ...parts) as object);
  const compared = fc.oneof(
    members,
    members.map((one) => ({ $and: [one] })),
    fc.array(members, { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
    arbitrary.condition,
  );
  const players = fc.record({
    u: fc.constantFrom('', 'a', 'b', '8', 'ada'),
    v: fc.option(version),
    p: fc.oneof(
      arbitrary.attributes,
      fc.dictionary(fc.constantFrom('a', 'b'), arbitrary.scalar, { noNullPrototype: true }),
    ),
  });

  it('that a player meets share a player, and one without lists where none has any', () => {
    let met = 0;
    fc.assert(
      fc.property(
        compared,
        compared,
        fc.array(players, { minLength: 20, maxLength: 20 }),
        (a, b, all) => {
          const [one, other] = [compiled(a), compiled(b)];
          for (const { u, v, p } of all) {
            const caller = makeEvaluationContext(u, p, v);
            if (!one(caller) || !other(caller)) continue;
            met++;
            const lists = shared(a, b);
            expect(lists).not.toBeNull();
            if (!holdsList(p)) expect(lists).toEqual([]);
          }
        },
      ),
      { numRuns: 3_000 },
    );
    expect(met).toBeGreaterThan(5_000);
  });
});

function compiled(when: unknown): Condition {
  const result = compileCondition(when);
  if (typeof result !== 'function') throw new Error(JSON.stringify(result));
  return result;
}

function holdsList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsList);
}
