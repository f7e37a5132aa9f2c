/** Promises of the marked JSON of a preview, and of its changes. */

import { describe, expect, it } from 'vitest';
import { groupChanges } from '../../../../src/console/preview/results/change-groups.js';
import {
  compareJson,
  parseJson,
  printLines,
} from '../../../../src/console/preview/results/json-marks.js';
import { topMembers } from '../../../../src/console/preview/results/top-members.js';
import type { PreviewChange } from '../../../../src/contract/operations/preview.js';

function marked(before: string, after: string) {
  const old = parseJson(before);
  const fresh = parseJson(after);
  if (old === null || fresh === null) throw new Error('not JSON');
  const comparison = compareJson(old, fresh);
  const lines = printLines(fresh, [comparison]);
  return {
    changes: comparison.changes.map(({ pointer, change }) => `${change} ${pointer}`),
    lines: lines.filter(({ marks }) => marks[0] !== null).map(({ text }) => text.trim()),
    text: lines.map(({ text }) => text).join('\n'),
  };
}

describe('the marks of a preview', () => {
  it('are where rules changed the text, comments aside', () => {
    const found = marked(
      '{ // the shop\n "price": 1.10, "gems": 100, "old": 1, }',
      '{"price":1.1,"gems":100,"new":{"a":[1]}}',
    );
    expect(found.changes).toEqual(['changed /price', 'added /new', 'removed /old']);
    expect(found.lines).toEqual(['"price": 1.1,', '"new": {', '"a": [', '1', ']', '}']);
  });

  it('leave the elements around an inserted one alone', () => {
    expect(marked('[1,2,3]', '[1,9,2,3]').changes).toEqual(['added /1']);
    expect(marked('[{"a":1},{"a":2}]', '[{"a":2}]').changes).toEqual(['removed /0']);
    expect(marked('[1,2]', '[1,3]').changes).toEqual(['changed /1']);
  });

  it('tell a change of the whole, and escape names', () => {
    expect(marked('{}', '[]').changes).toEqual(['changed ']);
    expect(marked('{"a/b~":1}', '{"a/b~":2}').changes).toEqual(['changed /a~1b~0']);
    expect(marked('{"a":1,"b":2}', '{"b":2,"a":1}').changes).toEqual([]);
  });

  it('keep every value as it is spelled', () => {
    const json = '{"a":[1e400,"\\u0041",{}],"__proto__":null,"b":[]}';
    const { text } = marked('{}', json);
    expect(text.replace(/\n\s*/g, '').replaceAll(': ', ':')).toBe(json);
  });
});

describe('a preview for many users', () => {
  it('shows as one what changes in the same way', () => {
    const change = (seg: unknown, before: string): PreviewChange => ({
      kind: 'data',
      contexts: 2,
      share: 0,
      now: { line: '0.0.0', hash: 'a', dataBytes: 1, seg },
      edit: { line: '0.0.0', hash: 'b', dataBytes: 1, seg },
      pointers: [{ path: '/a', change: 'changed', before, after: '2' }],
      examples: [{ at: 1, u: 'x', v: null }],
    });
    const groups = groupChanges([
      change([], '1'),
      change([{ n: 's', v: 'a' }], '1'),
      change([], '0'),
    ]);
    expect(groups.map(({ contexts }) => contexts)).toEqual([4, 2]);
    expect(groups[0]?.examples).toHaveLength(2);
  });
});

describe('the members of a large answer', () => {
  it('are sliced as they are spelled', () => {
    const json = '{ "a": {"}": "\\"{,", "b": [1.10, 2]}, "c\\u0041":1e400 ,"d":"x,y","e":[]}';
    expect([...topMembers(json)]).toEqual([
      ['a', '{"}": "\\"{,", "b": [1.10, 2]}'],
      ['cA', '1e400'],
      ['d', '"x,y"'],
      ['e', '[]'],
    ]);
    expect(topMembers('{}').size).toBe(0);
  });
});
