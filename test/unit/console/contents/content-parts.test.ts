/** What differs between states of a content, and what becomes of two edits of one. */
import { describe, expect, it } from 'vitest';
import type { ContentState } from '../../../../src/console/draft/draft.js';
import {
  canonicalVersion,
  changedParts,
  compareVersions,
  mergeStates,
  partsOf,
  sameState,
  withLine,
  withoutLine,
  withParts,
} from '../../../../src/console/draft/state-parts.js';

const base: ContentState = {
  lines: [
    { appVersion: '0.0.0', text: '{"price":1.10}' },
    { appVersion: '2.0.0', text: '{"price":2}' },
  ],
  mapping: '[]',
  flags: ['/price', ''],
  description: 'A shop',
  tags: ['shop'],
  schema: 'null',
  guards: [],
};
const state = (part: Partial<ContentState>): ContentState => ({ ...base, ...part });
const line = (appVersion: string, text: string) => ({ appVersion, text });

describe('the parts of a state', () => {
  it('make the same state again', () => {
    expect(withParts(base, partsOf(base))).toEqual(base);
  });

  it('names what differs: lines by version first, then the rest', () => {
    const after = state({
      lines: [line('0.0.0', '{}'), line('10.0.0', '{}'), line('9.0.0', '{}')],
      tags: [],
      mapping: '[{}]',
      flags: ['', '/price'],
    });
    expect(changedParts(base, after)).toEqual([
      'line 0.0.0',
      'line 2.0.0',
      'line 9.0.0',
      'line 10.0.0',
      'mapping',
      'flags',
      'tags',
    ]);
  });

  it('tells apart what is spelled apart', () => {
    const respelled = state({
      lines: [line('0.0.0', '{"price":1.1}'), line('2.0.0', '{"price":2}')],
    });
    expect(changedParts(base, respelled)).toEqual(['line 0.0.0']);
    expect(sameState(base, state({}))).toBe(true);
  });
});

describe('mergeStates', () => {
  const mine = state({ lines: [line('0.0.0', 'mine'), line('2.0.0', '{"price":2}')] });

  it('keeps both where each changed other parts', () => {
    const theirs = state({ mapping: '[{"segment":"eu"}]', description: 'Theirs' });
    expect(mergeStates(base, mine, theirs)).toEqual({ ...theirs, lines: mine.lines });
  });

  it('keeps a line that one added and drops a line that the other removed', () => {
    const added = withLine(base, line('1.5.0', '{}'));
    const removed = withoutLine(base, '2.0.0');
    const merged = mergeStates(base, added, removed);
    expect(merged.lines.map(({ appVersion }) => appVersion)).toEqual(['0.0.0', '1.5.0']);
  });

  it('leaves at least one line when each removed what the other kept', () => {
    const merged = mergeStates(base, withoutLine(base, '0.0.0'), withoutLine(base, '2.0.0'));
    expect(merged.lines.length).toBeGreaterThan(0);
  });
});

describe('versions of lines', () => {
  it('have one spelling', () => {
    expect(canonicalVersion(' 01.2.3 ')).toBe('1.2.3');
    for (const text of ['1.2', '1.2.x', '1.2.3.4', '', '1234567890.0.0']) {
      expect(canonicalVersion(text)).toBeNull();
    }
  });

  it('are in the order of their numbers', () => {
    expect(['10.0.0', '9.1.0', '9.0.10'].sort(compareVersions)).toEqual([
      '9.0.10',
      '9.1.0',
      '10.0.0',
    ]);
  });
});
