/** The words and choices of a segment's history, and of an answer at a time in the past. */
import { describe, expect, it } from 'vitest';
import { formatCondition } from '../../../src/console/conditions/condition-query.js';
import { describeAsOf, isPast } from '../../../src/console/preview/as-of.js';
import { comparedPair } from '../../../src/console/segments/history/compared-pair.js';
import { describeRollback } from '../../../src/console/segments/history/describe-rollback.js';

describe('comparedPair', () => {
  // Retention has removed revision 4.
  const rows = [{ revision: 5 }, { revision: 3 }, { revision: 1 }];

  it('is the newest and the one before it, unless others are chosen', () => {
    expect(comparedPair(rows, {})).toEqual({ from: 3, to: 5 });
    expect(comparedPair(rows, { to: 3 })).toEqual({ from: 1, to: 3 });
    expect(comparedPair(rows, { from: 5, to: 1 })).toEqual({ from: 5, to: 1 });
  });

  it('is the only one beside itself', () => {
    expect(comparedPair([{ revision: 1 }], {})).toEqual({ from: 1, to: 1 });
  });
});

describe('formatCondition', () => {
  it('gives two spellings of one condition the same layout, with numbers as they were sent', () => {
    const [narrow, wide] = ['{"spent":{"$gte":1.10}}', '{ "spent" : { "$gte": 1.10 } }'];
    expect(formatCondition(narrow)).toBe(formatCondition(wide));
    expect(formatCondition(narrow)).toContain('1.10');
  });

  it('leaves unreadable text unchanged', () => {
    expect(formatCondition('')).toBe('');
    expect(formatCondition('{"a":')).toBe('{"a":');
  });
});

describe('describeRollback', () => {
  const done = { name: 'vip', old: 1, revision: 3, reaches: ['shop'] };

  it('names the new revision, and how many content items it reaches', () => {
    expect(describeRollback(done)).toBe(
      'Rolled back vip: r3 has the condition of r1, and 1 content item is live with it for all players.',
    );
    expect(describeRollback({ ...done, reaches: ['a', 'b'] })).toContain(
      '2 content items are live',
    );
    expect(describeRollback({ ...done, reaches: [] })).toBe(
      'Rolled back vip: r3 has the condition of r1. No live content uses it.',
    );
  });
});

describe('describeAsOf', () => {
  const held = {
    revision: 3,
    unsaved: false,
    segments: [
      { name: 'vip', revision: 2 },
      { name: 'eu', revision: 1 },
    ],
  };

  it('names the revision that was live then, and the segments of then', () => {
    expect(describeAsOf(held, 'live', '17 Nov 2026')).toBe(
      'As of 17 Nov 2026: revision 3, which was live then; segment vip, revision 2; segment eu, revision 1.',
    );
    expect(describeAsOf({ ...held, segments: [] }, 'live', '17 Nov 2026')).toBe(
      'As of 17 Nov 2026: revision 3, which was live then.',
    );
  });

  it('does not say of a draft that it was live, nor of an edit that it is of then', () => {
    expect(describeAsOf({ ...held, revision: 5, segments: [] }, 'draft', 'noon')).toBe(
      'As of noon: revision 5.',
    );
    const unsaved = { ...held, unsaved: true, segments: [{ name: 'vip', revision: 4 }] };
    expect(describeAsOf(unsaved, 'typed', 'noon')).toBe(
      'With the clock at noon: what is typed and the current segments: segment vip, revision 4.',
    );
  });
});

describe('isPast', () => {
  it('is no time that is to come, and not the present', () => {
    const nowMs = Date.parse('2026-11-17T18:00:00Z');
    expect(isPast('2026-11-17T17:59:00.000Z', nowMs)).toBe(true);
    expect(isPast('2026-11-17T18:01:00.000Z', nowMs)).toBe(false);
    expect(isPast(null, nowMs)).toBe(false);
  });
});
