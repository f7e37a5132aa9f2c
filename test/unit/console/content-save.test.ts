/** How a typed state is saved call by call, and how it goes on when somebody else saves. */
import { describe, expect, it } from 'vitest';
import { newContent } from '../../../src/console/content/content-query.js';
import type { ContentState } from '../../../src/console/content/draft.js';
import { jsonFault } from '../../../src/console/content/json-fault.js';
import { changedRest, saveSteps } from '../../../src/console/content/save-steps.js';
import { stateOf, withLine, withoutLine } from '../../../src/console/content/state-parts.js';
import { begin, change, isDirty, meet } from '../../../src/console/content/work.js';

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
const told = (state: ContentState, of = saved) =>
  saveSteps(of, state).map((step) =>
    step.kind === 'remove'
      ? `remove ${step.appVersion}`
      : `put ${step.appVersion}${step.isLast ? ' last' : ''}`,
  );

describe('saveSteps', () => {
  it('is one call where one text or none changed', () => {
    expect(told(stateOf(saved))).toEqual(['put null last']);
    expect(told(withLine(stateOf(saved), { appVersion: '2.0.0', text: 'c' }))).toEqual([
      'put 2.0.0 last',
    ]);
  });

  it('saves all but the last text as drafts', () => {
    const state = typed([
      { appVersion: '0.0.0', text: 'x' },
      { appVersion: '2.0.0', text: 'y' },
    ]);
    expect(told(state)).toEqual(['put 0.0.0', 'put 2.0.0 last']);
  });

  it('never leaves a content without a line on the way', () => {
    expect(told(typed([{ appVersion: '3.0.0', text: 'z' }]))).toEqual([
      'put 3.0.0',
      'remove 0.0.0',
      'remove 2.0.0',
      'put null last',
    ]);
    expect(told(typed([{ appVersion: '2.0.0', text: 'z' }]))).toEqual([
      'remove 0.0.0',
      'put 2.0.0 last',
    ]);
  });

  it('sends every text of a content that is new', () => {
    const of = { ...saved, newest: 0, live: null };
    expect(told(stateOf(saved), of as unknown as typeof saved)).toEqual([
      'put 0.0.0',
      'put 2.0.0 last',
    ]);
  });

  it('names only what changed besides the texts, as it is spelled', () => {
    const state = { ...stateOf(saved), mapping: '[{"merge":{"price":1.10}}]', tags: ['a'] };
    expect(changedRest(saved, state)).toEqual({
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
