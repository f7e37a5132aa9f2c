/*
 * Goal: a condition that is said to exclude callers without a user id excludes all of them.
 * Method: cases by hand, and random conditions with random attributes and versions of such callers.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canBeAnonymous } from '../../../../src/content/condition/anonymous-callers.js';
import { type Condition, compileCondition } from '../../../../src/content/condition/condition.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { attributes, condition } from './arbitrary-condition.js';

const compiled = (when: unknown): Condition => {
  const result = compileCondition(when);
  if (typeof result !== 'function') throw new Error(JSON.stringify(result));
  return result;
};

const excluding: readonly unknown[] = [
  { '@u': { $ne: '' } },
  { '@u': 'ada' },
  { '@u': { $in: ['ada', 'grace'] } },
  { '@u': { $nin: ['', 'ada'] } },
  { '@u': { $regex: '.+' } },
  { '@u': { $regex: '^player-' } },
  { '@u': { $notRegex: '^$' } },
  { '@u': { $gt: '' } },
  { '@u': { $not: { $eq: '' } } },
  { '@u': { $exists: false } },
  { '@mod': { $gte: 500 } },
  { country: 'US', '@u': { $ne: '' } },
  { $and: [{ level: { $gte: 10 } }, { '@u': { $ne: '' } }] },
  { $or: [{ '@u': 'ada' }, { '@u': { $ne: '' }, country: 'US' }] },
  { $not: { '@u': '' } },
  { $nor: [{ '@u': '' }, { country: 'US' }] },
  { $not: { $or: [{ country: 'US' }, { '@u': '' }] } },
];

const admitting: readonly unknown[] = [
  {},
  { country: 'US' },
  { u: { $ne: '' } },
  { '@u': '' },
  { '@u': { $exists: true } },
  { '@u': { $in: ['', 'ada'] } },
  { '@u': { $ne: 'ada' } },
  { '@u': { $regex: '^player-|^$' } },
  { '@u': { $regex: 'a*' } },
  { '@v': { $vgte: '1.0.0' } },
  { '@mod': { $lt: 500 } },
  { $or: [] },
  { $or: [{ '@u': { $ne: '' } }, { country: 'US' }] },
  { $not: { '@u': { $ne: '' }, country: 'US' } },
  { $nor: [{ '@u': { $ne: '' } }] },
];

describe('callers without a user id', () => {
  it.each(excluding)('are excluded by %j', (when) => {
    expect(canBeAnonymous(when)).toBe(false);
  });

  it.each(admitting)('can be in %j', (when) => {
    expect(canBeAnonymous(when)).toBe(true);
  });

  it('are never in what is said to exclude them', () => {
    const id = fc.constantFrom('', 'a', 'ab');
    const leaf = fc.oneof(
      condition,
      id.map((u) => ({ '@u': u })),
      id.map((u) => ({ '@u': { $ne: u } })),
      id.map((u) => ({ '@u': { $not: { $in: [u, 'x'] } } })),
      fc.integer({ min: -1, max: 1 }).map((mod) => ({ '@mod': { $lte: mod } })),
    );
    const tree = fc.letrec<{ when: object }>((tie) => {
      const list = fc.array(tie('when'), { maxLength: 3 });
      const joined = fc.oneof(
        ...['$and', '$or', '$nor'].map((name) => list.map((parts) => ({ [name]: parts }))),
        tie('when').map((part) => ({ $not: part })),
        fc.tuple(leaf, leaf).map(([one, other]) => ({ ...one, ...other })),
      );
      return { when: fc.oneof({ maxDepth: 4, depthSize: 'small' }, leaf, joined) };
    }).when;
    let excluded = 0;
    fc.assert(
      fc.property(tree, attributes, fc.constantFrom(null, '1.2.3'), (when, p, v) => {
        if (canBeAnonymous(when)) return;
        excluded += 1;
        expect(compiled(when)(makeEvaluationContext('', p, v))).toBe(false);
      }),
      { numRuns: 3_000 },
    );
    expect(excluded).toBeGreaterThan(100);
  });
});
