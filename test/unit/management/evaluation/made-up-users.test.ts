/*
 * Goal: whatever a rule can match, some made-up user matches it, and the same edit is tried on the same users.
 * Method: conditions that a random user satisfies, so that each can be matched; the real evaluator says who matches.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketCount } from '../../../../src/content/bucket.js';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import {
  type MadeUpUsers,
  type MakeUpInput,
  makeUpUsers,
} from '../../../../src/management/evaluation/made-up/made-up-users.js';
import { samplePattern } from '../../../../src/management/evaluation/made-up/sample-pattern.js';

function makeUp(asked: readonly unknown[], more: Partial<MakeUpInput> = {}): MadeUpUsers {
  const conditions = asked.map((condition) => ({ condition, holds: compiledOf(condition) }));
  return makeUpUsers({ conditions, versions: [], samples: [], count: 200, ...more });
}

function compiledOf(condition: unknown) {
  const compiled = compileCondition(condition);
  if (typeof compiled !== 'function') throw new Error(JSON.stringify([condition, compiled]));
  return compiled;
}

/** How many of them match. */
function matching({ users, withoutUserId }: MadeUpUsers, condition: unknown): number {
  const holds = compiledOf(condition);
  return [...users, ...withoutUserId].filter((caller) => holds(caller)).length;
}

const plain = ({ users, withoutUserId }: MadeUpUsers) =>
  [...users, ...withoutUserId].map(({ u, p, v }) => JSON.stringify({ u, p, v }));

/** An operator on a number that holds for `value`. */
const onNumber = (value: number): fc.Arbitrary<object> =>
  fc.oneof(
    fc.constant({ $eq: value }),
    fc.integer({ min: 1, max: 9 }).map((off) => ({ $gt: value - off / 4 })),
    fc.integer({ min: 1, max: 9 }).map((off) => ({ $lt: value + off / 4 })),
    fc.integer({ min: 0, max: 9 }).map((off) => ({ $gte: value - off })),
    fc.integer({ min: 0, max: 9 }).map((off) => ({ $lte: value + off })),
    fc.integer({ min: 1, max: 9 }).map((off) => ({ $ne: value + off })),
    fc.integer({ min: 1, max: 9 }).map((off) => ({ $not: { $gt: value + off } })),
    fc.array(fc.integer(), { maxLength: 40 }).map((others) => ({ $in: [...others, value] })),
    fc.constant({ $nin: [value + 1, value - 1], $exists: true }),
    fc.constant({ $type: 'number' }),
  );

const words = ['', 'DE', 'FR', 'de', 'eu-west', 'a.b', 'tester-7', '2026-01-31'];
const onText = (value: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constant(value),
    fc.constant({ $in: ['other', value] }),
    fc.constant({ $ini: [value.toUpperCase()] }),
    fc.constant({ $gte: value, $lt: `${value}~` }),
    fc.constant({ $regex: `^${value.replaceAll('.', '\\.')}$` }),
    fc.constant({ $not: { $in: ['other', 'words'] }, $type: 'string' }),
    fc.constant({ $nini: ['OTHER'], $ne: 'words' }),
  );
const onList = (value: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constant(value),
    fc.constant({ $size: value.length }),
    fc.constant({ $size: { $gte: value.length } }),
    fc.constant({ $all: value.slice(0, 2), $size: value.length }),
    ...value.slice(0, 1).map((one) => fc.constant({ $elemMatch: { $eq: one }, $size: { $lt: 5 } })),
    ...value.slice(0, 1).map((one) => fc.constant({ $in: [one] })),
  );
const onVersion = ([major, minor, patch]: readonly number[]): fc.Arbitrary<object> => {
  const version = `${major}.${minor}.${patch}`;
  return fc.constantFrom(
    { $veq: version },
    { $vgte: version, $vlt: `${major}.${minor}.${(patch ?? 0) + 1}` },
    { $vgt: `${major}.${minor}.${patch}-rc.1`, $vlte: `${(major ?? 0) + 1}.0.0` },
    { $in: [version, '0.0.1'] },
  );
};

interface Witness {
  readonly level: number;
  readonly spend: number;
  readonly country: string;
  readonly tags: readonly string[];
  readonly version: readonly number[];
  readonly bucket: number;
}
const witness: fc.Arbitrary<Witness> = fc.record({
  level: fc.integer({ min: -50, max: 50 }),
  spend: fc.integer({ min: 0, max: 4_000 }).map((cents) => cents / 100),
  country: fc.constantFrom(...words),
  tags: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 4 }),
  version: fc.tuple(fc.nat(9), fc.nat(20), fc.nat(20)),
  bucket: fc.nat(bucketCount - 1),
});

/** One test that the witness passes. */
const testOf = (one: Witness): fc.Arbitrary<object> =>
  fc.oneof(
    onNumber(one.level).map((operand) => ({ level: operand })),
    onNumber(one.spend).map((operand) => ({ 'shop.spend': operand })),
    onText(one.country).map((operand) => ({ country: operand })),
    onList(one.tags).map((operand) => ({ tags: operand })),
    onVersion(one.version).map((operand) => ({ '@v': operand })),
    fc.constant({ '@mod': { $gte: one.bucket } }),
    fc.constant({ '@u': { $ne: '' } }),
    fc.constant({ gone: { $exists: false } }),
    fc.constant({ gone: null }),
  );

/** Conditions that hold for the witness, joined two levels deep. */
const conditionOf = (one: Witness): fc.Arbitrary<object> => {
  const test = testOf(one);
  const impossible = { level: { $gt: 1_000_000, $lt: 0 } };
  const inner = fc.oneof(
    test,
    fc.tuple(test, test).map((both) => ({ $and: both })),
    test.map((passes) => ({ $or: [impossible, passes, impossible] })),
    test.map((passes) => ({ $not: { $not: passes } })),
    test.map((passes) => ({ $nor: [impossible, { $not: passes }] })),
  );
  return fc.array(inner, { minLength: 1, maxLength: 5 }).map((list) => ({ $and: list }));
};

describe('made-up users', () => {
  it('match every condition that can be matched, of any number of rules at once', () => {
    const several = witness.chain(conditionOf);
    fc.assert(
      fc.property(fc.array(several, { minLength: 1, maxLength: 12 }), (conditions) => {
        const made = makeUp(conditions);
        for (const condition of conditions) {
          expect(matching(made, condition), JSON.stringify(condition)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('are the same for the same rules, and each has an id of their own', () => {
    const conditions = [{ country: { $in: ['DE', 'FR'] }, level: { $gte: 10 } }, { tags: 'x' }];
    const made = makeUp(conditions, { count: 1_000 });
    expect(plain(made)).toEqual(plain(makeUp(conditions, { count: 1_000 })));
    expect(new Set(made.users.map(({ u }) => u)).size).toBe(1_000);
    expect(made.users.every(({ u }) => u !== '')).toBe(true);
  });

  it('fill the buckets evenly, also those who match a rule', () => {
    const condition = { level: { $gte: 10 } };
    const made = makeUp([condition], { count: 1_000 });
    const holds = compiledOf(condition);
    const inTest = made.users.filter((caller) => holds(caller));
    expect(inTest.length).toBeGreaterThan(500);
    expect(inTest.length).toBeLessThan(1_000);
    const lower = inTest.filter(({ mod }) => mod < bucketCount / 2).length / inTest.length;
    expect(Math.abs(lower - 0.5)).toBeLessThan(0.06);
  });

  it('hold each of 300 rules, and each member of a list, to several users', () => {
    const conditions = Array.from({ length: 300 }, (_, index) => ({ country: `C${index}` }));
    const made = makeUp(conditions, { count: 1_000 });
    for (const condition of conditions) expect(matching(made, condition)).toBeGreaterThan(0);
    const list = Array.from({ length: 50_000 }, (_, index) => `tester-${index}`);
    const ids = makeUp([{ '@u': { $in: list } }], { count: 1_000 });
    expect(matching(ids, { '@u': { $in: list } })).toBeGreaterThan(10);
  });

  it('have app versions on both sides of each line and each bound, and none at all', () => {
    const made = makeUp([{ '@v': { $vgte: '2.3.0' } }], { versions: ['1.4.0', '0.0.0'] });
    const versions = new Set(made.users.map(({ v }) => v));
    const expected = ['1.3.999', '1.4.0', '1.4.1', '2.2.999', '2.3.0', '2.3.1', '0.0.0', ''];
    expect(expected.filter((version) => !versions.has(version))).toEqual([]);
  });

  it('have values of sample users for the attributes in use, and no sample user’s id', () => {
    const samples = [{ u: 'real-player', p: { country: 'JP', mail: 'x@y' }, v: '7.7.7' }];
    const made = makeUp([{ country: 'DE' }], { samples });
    const countries = made.users.map(({ p }) => p['country']);
    expect(countries.filter((country) => country === 'JP').length).toBeGreaterThan(5);
    expect(made.users.some(({ v }) => v === '7.7.7')).toBe(true);
    expect(made.users.some(({ u }) => u === 'real-player')).toBe(false);
  });

  it('without a user id are kept apart, also where a rule is for nobody else', () => {
    const condition = { '@u': '' };
    const { users, withoutUserId } = makeUp([condition], { count: 100 });
    expect(users).toHaveLength(100);
    expect(withoutUserId).toHaveLength(5);
    expect(withoutUserId.every((caller) => caller.u === '' && compiledOf(condition)(caller))).toBe(
      true,
    );
  });

  it('are found for single buckets, elements of lists, and names that objects inherit', () => {
    for (const condition of [
      { '@mod': 417, '@u': { $ne: '' } },
      { items: { $elemMatch: { kind: 'sword', level: { $gt: 3 } } } },
      { scores: { $elemMatch: { $gt: 5, $lt: 6 } } },
      JSON.parse('{"__proto__":{"$eq":"x"}}') as object,
      { 'constructor.name': 'x' },
      { device: { $regexi: '^(iPhone|iPad)\\d{1,2},[1-9]$' } },
    ]) {
      expect(matching(makeUp([condition]), condition), JSON.stringify(condition)).toBeGreaterThan(
        5,
      );
    }
  });

  it('end soon where nobody can match', () => {
    const alternatives = Array.from({ length: 12 }, (_, index) => ({
      $or: [{ a: { $gt: index, $lt: 0 } }, { a: { $lt: 0 } }, { b: 1, a: { $gt: 5 } }],
    }));
    const made = makeUp([{ $and: [...alternatives, { b: { $in: [] } }] }], { count: 10_000 });
    expect(made.users).toHaveLength(10_000);
  });
});

describe('a sample of a pattern', () => {
  it.each([
    '^test-',
    'v\\d+\\.\\d+$',
    '^(?:beta|alpha)-[a-f0-9]{8}$',
    '^[^@]+@example\\.com$',
    '(?P<year>20\\d\\d)-?',
    'a*b+c?',
  ])('is matched by %s', (source) => {
    const sample = samplePattern(source);
    expect(sample).not.toBeNull();
    expect(new RegExp(source.replace('?P<', '?<')).test(sample ?? '')).toBe(true);
  });

  it.each(['(', '\\p{L}', '[', '*'])('is not made of %s', (source) => {
    expect(samplePattern(source)).toBeNull();
  });
});
