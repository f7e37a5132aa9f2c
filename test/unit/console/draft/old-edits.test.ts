import { describe, expect, it } from 'vitest';
import type { ContentState } from '../../../../src/console/draft/draft.js';
import { isOld, oldEdits } from '../../../../src/console/draft/old-edits.js';

const state = (text: string, more: Partial<ContentState> = {}): ContentState => ({
  ...{ lines: [{ appVersion: '0.0.0', text }], mapping: '[]', flags: [] },
  ...{ description: '', tags: [], schema: 'null', guards: [], ...more },
});
const saved = state('{"a":1,"b":{"c":2,"d":[1,2]}, /* note */ "e/f":1}');
const pointers = (earlier: ContentState, now: ContentState): (string | null)[] =>
  oldEdits(saved, earlier, now).map(({ pointer }) => pointer);

describe('edits that lay unsaved', () => {
  it('are the values that were changed then, and are still so', () => {
    const earlier = state('{"a":9,"b":{"c":2,"d":[1,3]},"e/f":2}');
    expect(pointers(earlier, earlier)).toEqual(['/a', '/b/d/1', '/e~1f']);
    const now = state('{"a":10,"b":{"c":7,"d":[1,3]},"e/f":1}');
    expect(pointers(earlier, now)).toEqual(['/b/d/1']);
  });

  it('are values that were added or removed', () => {
    const earlier = state('{"a":1,"b":{"c":2},"e/f":1,"new":{}}');
    expect(pointers(earlier, earlier)).toEqual(['/b/d/0', '/b/d/1', '/new']);
  });

  it('are whole parts where these are no JSON', () => {
    const earlier = state(saved.lines[0]?.text ?? '', { description: 'old', tags: ['a'] });
    expect(oldEdits(saved, earlier, earlier)).toEqual([
      { part: 'description', pointer: null },
      { part: 'tags', pointer: null },
    ]);
    expect(oldEdits(saved, earlier, { ...earlier, tags: ['b'] })).toEqual([
      { part: 'description', pointer: null },
    ]);
    const broken = state('{"a":');
    expect(pointers(broken, broken)).toEqual([null]);
    expect(pointers(broken, saved)).toEqual([]);
  });

  it('are old after a day', () => {
    const hourMs = 3_600_000;
    expect(isOld({ at: 0, state: saved }, 23 * hourMs)).toBe(false);
    expect(isOld({ at: 0, state: saved }, 24 * hourMs)).toBe(true);
  });
});
