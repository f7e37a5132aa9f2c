import { describe, expect, it } from 'vitest';
import { formatDiff } from '../../../../src/command/content/format-diff.js';
import type { ContentDiff } from '../../../../src/contract/operations/history/content-history.js';

const side = {
  hash: '0123456789abcdef',
  live: false,
  author: 'ada',
  note: '',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const line = {
  appVersion: '0.0.0',
  change: 'changed',
  oldHash: 'a',
  newHash: 'b',
  pointers: [{ path: '', change: 'changed', before: '1', after: '2' }],
  pointersCut: true,
  text: '@@ -1 +1 @@\n-1\n+2',
  textCut: true,
} as const;
const answer: ContentDiff = {
  id: 'shop',
  from: null,
  to: { ...side, revision: 1 },
  lines: [line],
  mapping: { change: 'same', rules: [] },
  flags: { change: 'same', added: [], removed: [] },
};

describe('formatDiff', () => {
  it('says so when there is more than is shown', () => {
    expect(formatDiff(answer, false).split('\n')).toEqual([
      'shop: nothing -> revision 1 by ada',
      'line 0.0.0: changed',
      '  ~ (the whole document): 1 -> 2',
      '  … and more',
      '',
    ]);
    expect(formatDiff(answer, true).split('\n').slice(1)).toEqual([
      'line 0.0.0: changed',
      '  @@ -1 +1 @@',
      '  -1',
      '  +2',
      '  … and more',
      '',
    ]);
  });

  it('tells apart a change that players do not get', () => {
    const same = { ...line, newHash: 'a', pointers: [], pointersCut: false };
    expect(formatDiff({ ...answer, lines: [same] }, false)).toContain(
      'line 0.0.0: only comments or white space changed\n',
    );
  });

  it('shows flags, and tells another order from a change', () => {
    const flags = { change: 'changed', added: ['/a\u001b'], removed: [''] } as const;
    const changed = formatDiff({ ...answer, lines: [], flags }, false);
    expect(changed.split('\n').slice(1, 4)).toEqual(['flags changed', '  + "/a\\u001b"', '  - ""']);
    const moved = { change: 'changed', added: [], removed: [] } as const;
    expect(formatDiff({ ...answer, lines: [], flags: moved }, false)).toContain(
      'flags in another order\n',
    );
  });

  it('names rules by their places before and after', () => {
    const bare = { pointers: [], pointersCut: false };
    const rules = [
      { ...bare, segment: 'a', change: 'added', from: null, to: 0 },
      { ...bare, segment: 'b', change: 'moved', from: 3, to: 1 },
      { ...bare, segment: 'c', change: 'removed', from: 2, to: null },
      { ...bare, segment: 'd', change: 'changed', from: 4, to: 4 },
    ] as const;
    const shown = formatDiff(
      { ...answer, lines: [], mapping: { change: 'changed', rules } },
      false,
    );
    expect(shown.split('\n').slice(1)).toEqual([
      'mapping changed',
      '  + rule a (#0)',
      '  > rule b (#3 -> #1)',
      '  - rule c (#2)',
      '  ~ rule d (#4)',
      '',
    ]);
  });

  it('lets nothing of the texts steer the terminal', () => {
    const evil = { ...line, text: '+"\u001b[2J"', pointers: [] };
    const esc = String.fromCharCode(27);
    expect(formatDiff({ ...answer, lines: [evil] }, true)).not.toContain(esc);
  });
});
