/** What a save sends, and how the draft machine goes on when another user saves. */
import { describe, expect, it } from 'vitest';
import { newContent } from '../../../../src/console/draft/content-query.js';
import type { ContentState } from '../../../../src/console/draft/draft.js';
import { nextDraft, phaseOf, startDraft } from '../../../../src/console/draft/draft-machine.js';
import { jsonIssue } from '../../../../src/console/draft/json-issue.js';
import { editOf } from '../../../../src/console/draft/put-edit.js';
import {
  changesOf,
  stateOf,
  withLine,
  withoutLine,
  withParts,
} from '../../../../src/console/draft/state-parts.js';

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

  it('has the texts that are saved, and were not validated', () => {
    expect(editOf(saved, stateOf(saved), saved.lines.slice(0, 1)).lines).toEqual([
      { appVersion: '0.0.0' },
      { appVersion: '2.0.0', text: 'b' },
    ]);
  });

  it('names only what changed besides the texts, as it is spelled', () => {
    const state = {
      ...stateOf(saved),
      mapping: '[{"merge":{"price":1.10}}]',
      flags: ['/price'],
      tags: ['a'],
    };
    expect(editOf(saved, state)).toEqual({
      mapping: '[{"merge":{"price":1.10}}]',
      flags: ['/price'],
      tags: ['a'],
    });
  });
});

describe('the draft machine', () => {
  const clean = startDraft(saved);
  const edited = nextDraft(clean, { type: 'edited', part: { mapping: '[{}]' } });
  const theirs = { ...saved, newest: 8, updatedAt: '2026-01-02T00:00:00.000Z', description: 'T' };
  const received = { type: 'received', latest: theirs, isGone: false } as const;

  it('is clean until something is typed, and again when that is typed back', () => {
    expect(phaseOf(clean)).toBe('clean');
    expect(phaseOf(edited)).toBe('edited');
    const back = nextDraft(edited, { type: 'edited', part: { mapping: saved.mapping } });
    expect(phaseOf(back)).toBe('clean');
  });

  it('changes the text of one version line', () => {
    const event = { type: 'text edited', appVersion: '2.0.0', text: 'c' } as const;
    expect(nextDraft(clean, event).state.lines).toEqual([
      { appVersion: '0.0.0', text: 'a' },
      { appVersion: '2.0.0', text: 'c' },
    ]);
  });

  it('takes over what another user saved where nothing is typed', () => {
    const draft = nextDraft(clean, received);
    expect(draft.base).toBe(theirs);
    expect(phaseOf(draft)).toBe('clean');
  });

  it('keeps both where something is typed, until the edit is typed back or discarded', () => {
    const draft = nextDraft(edited, received);
    expect(phaseOf(draft)).toBe('conflict');
    expect(draft).toMatchObject({ base: saved, theirs, state: { mapping: '[{}]' } });
    const back = nextDraft(draft, { type: 'edited', part: { mapping: saved.mapping } });
    for (const next of [back, nextDraft(draft, { type: 'discarded' })]) {
      expect(next.base).toBe(theirs);
      expect(phaseOf(next)).toBe('clean');
    }
  });

  it('continues from what they saved with the merged state', () => {
    const state = { ...stateOf(theirs), mapping: '[{}]' };
    const draft = nextDraft(nextDraft(edited, received), { type: 'merged', theirs, state });
    expect(phaseOf(draft)).toBe('edited');
    expect(draft).toMatchObject({ base: theirs, state, theirs: null });
  });

  it('sees no conflict where the same is typed here', () => {
    const same = nextDraft(edited, { type: 'edited', part: { description: 'T' } });
    const draft = nextDraft(same, received);
    expect(draft.base).toBe(theirs);
    expect(phaseOf(draft)).toBe('edited');
  });

  it('ignores a cached response that is older than what it saved', () => {
    const old = { ...saved, newest: 6, updatedAt: '2025-12-31T00:00:00.000Z' };
    expect(nextDraft(edited, { type: 'received', latest: old, isGone: false }).base).toBe(saved);
  });

  it('keeps what is typed while a save is under way', () => {
    const later = nextDraft(edited, { type: 'text edited', appVersion: '0.0.0', text: 'b' });
    const fresh = { ...saved, newest: 8, mapping: '[{}]' };
    const draft = nextDraft(later, { type: 'saved', sent: edited.state, saved: fresh });
    expect(draft.base).toBe(fresh);
    expect(phaseOf(draft)).toBe('edited');
    expect(draft.state.lines[0]?.text).toBe('b');
    expect(phaseOf(nextDraft(edited, { type: 'saved', sent: edited.state, saved: fresh }))).toBe(
      'clean',
    );
  });

  it('keeps what is typed when the item is deleted, to create it again', () => {
    const shorter = startDraft(saved, withoutLine(stateOf(saved), '2.0.0'));
    const draft = nextDraft(shorter, { type: 'received', latest: saved, isGone: true });
    expect(phaseOf(draft)).toBe('deleted');
    expect(draft.base.newest).toBe(0);
    expect(draft.state.lines).toHaveLength(1);
  });

  it('forgets when recovered edits were typed once they are saved, discarded or acknowledged', () => {
    const recovered = startDraft(saved, edited.state, 1_000);
    expect(recovered.recoveredAt).toBe(1_000);
    for (const event of [
      { type: 'saved', sent: edited.state, saved: null },
      { type: 'discarded' },
      { type: 'recovery dismissed' },
    ] as const) {
      expect(nextDraft(recovered, event).recoveredAt).toBeNull();
    }
  });
});

describe('the changes of a state', () => {
  it('restore it on top of the revision', () => {
    const state = { ...withoutLine(stateOf(saved), '2.0.0'), mapping: '[{"a":1.10}]' };
    const changes = changesOf(saved, state);
    expect(changes).toEqual([
      ['line 2.0.0', null],
      ['mapping', '[{"a":1.10}]'],
    ]);
    expect(withParts(saved, changes)).toEqual(state);
  });
});

describe('jsonIssue', () => {
  it('finds the place, and nothing in what is JSON', () => {
    expect(jsonIssue('[1.10, 1e400]', 'mapping')).toBeNull();
    expect(jsonIssue('[\n  1,\n  oops\n]', 'mapping')).toMatchObject({ line: 3, column: 3 });
    expect(jsonIssue('{"a":1} // no', 'schema')).toMatchObject({ path: 'schema', line: 1 });
  });
});
