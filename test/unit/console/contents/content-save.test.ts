/** What is sent of a typed state, and how it goes on when somebody else saves. */
import { describe, expect, it } from 'vitest';
import { newContent } from '../../../../src/console/draft/content-query.js';
import type { ContentState } from '../../../../src/console/draft/draft.js';
import { jsonFault } from '../../../../src/console/draft/json-fault.js';
import { editOf } from '../../../../src/console/draft/put-edit.js';
import { stateOf, withLine, withoutLine } from '../../../../src/console/draft/state-parts.js';
import { begin, change, isDirty, meet } from '../../../../src/console/draft/work.js';

const saved = {
  ...newContent('staging', 'shop'),
  newest: 7,
  live: 6,
  updatedAt: '2026-01-01T00:00:00.000Z',
  lines: [
    { appVersion: '0.0.0', text: 'a' },
    { appVersion: '2.0.0', text: 'b' },
  ],
};
const typed = (lines: ContentState['lines']): ContentState => ({ ...stateOf(saved), lines });

describe('an edit', () => {
  it('is nothing where nothing changed', () => {
    expect(editOf(saved, stateOf(saved))).toEqual({});
  });

  it('has all lines where one changed, with the text of that one', () => {
    expect(editOf(saved, withLine(stateOf(saved), { appVersion: '2.0.0', text: 'c' }))).toEqual({
      lines: [{ appVersion: '0.0.0' }, { appVersion: '2.0.0', text: 'c' }],
    });
  });

  it('leaves out a line that was removed', () => {
    expect(editOf(saved, withoutLine(stateOf(saved), '2.0.0'))).toEqual({
      lines: [{ appVersion: '0.0.0' }],
    });
    const moved = typed([
      { appVersion: '0.0.0', text: 'a' },
      { appVersion: '3.0.0', text: 'b' },
    ]);
    expect(editOf(saved, moved).lines).toEqual([
      { appVersion: '0.0.0' },
      { appVersion: '3.0.0', text: 'b' },
    ]);
  });

  it('has everything of a content that is new', () => {
    const of = { ...saved, newest: 0, live: null };
    expect(editOf(of, stateOf(saved))).toEqual({
      ...stateOf(saved),
      lines: saved.lines,
    });
  });

  it('has the texts that are saved, and that nobody judged', () => {
    expect(editOf(saved, stateOf(saved), saved.lines.slice(0, 1)).lines).toEqual([
      { appVersion: '0.0.0' },
      { appVersion: '2.0.0', text: 'b' },
    ]);
  });

  it('names only what changed besides the texts, as it is spelled', () => {
    const state = { ...stateOf(saved), mapping: '[{"merge":{"price":1.10}}]', tags: ['a'] };
    expect(editOf(saved, state)).toEqual({
      mapping: '[{"merge":{"price":1.10}}]',
      tags: ['a'],
    });
  });
});

describe('what somebody else saved', () => {
  const theirs = { ...saved, newest: 8, updatedAt: '2026-01-02T00:00:00.000Z', description: 'T' };

  it('is taken over where nothing is typed', () => {
    const work = meet(begin(saved, stateOf(saved)), theirs, false);
    expect(work.base).toBe(theirs);
    expect(isDirty(work)).toBe(false);
  });

  it('waits where something is typed, which stays', () => {
    const before = change(begin(saved, stateOf(saved)), { mapping: '[{}]' });
    const work = meet(before, theirs, false);
    expect(work.base).toBe(saved);
    expect(work.theirs).toBe(theirs);
    expect(work.state.mapping).toBe('[{}]');
    expect(change(work, { mapping: saved.mapping }).base).toBe(theirs);
  });

  it('is no news where it is what is typed here', () => {
    const before = change(begin(saved, stateOf(saved)), { description: 'T', mapping: '[{}]' });
    const work = meet(before, theirs, false);
    expect(work.theirs).toBeNull();
    expect(work.base).toBe(theirs);
    expect(isDirty(work)).toBe(true);
  });

  it('leaves what is typed when it is a deletion, to be saved as a new content', () => {
    const work = meet(begin(saved, withoutLine(stateOf(saved), '2.0.0')), saved, true);
    expect(work.base.newest).toBe(0);
    expect(work.state.lines).toHaveLength(1);
  });
});

describe('jsonFault', () => {
  it('finds the place, and nothing in what is JSON', () => {
    expect(jsonFault('[1.10, 1e400]', 'mapping')).toBeNull();
    expect(jsonFault('[\n  1,\n  oops\n]', 'mapping')).toMatchObject({ line: 3, column: 3 });
    expect(jsonFault('{"a":1} // no', 'schema')).toMatchObject({ path: 'schema', line: 1 });
  });
});
