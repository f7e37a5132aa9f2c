/** Two edits of a content item, part by part. */
import { describe, expect, it } from 'vitest';
import type { ContentState } from '../../../../src/console/draft/draft.js';
import {
  lostComments,
  mergeContents,
  mergedState,
} from '../../../../src/console/draft/merge-content.js';

const base: ContentState = {
  lines: [
    { appVersion: '0.0.0', text: '{"price": 1, "name": "a"}' },
    { appVersion: '2.0.0', text: '{"price": 2}' },
  ],
  mapping: '[{"segment": "eu", "merge": {"price": 3}}]',
  flags: ['/price'],
  description: 'Shop\nof spring\nand summer',
  tags: ['shop'],
  schema: 'null',
  guards: [{ path: '/price', min: 1, severity: 'warn' }],
};

function merge(theirs: Partial<ContentState>, mine: Partial<ContentState>) {
  const saved = { ...base, ...theirs };
  const parts = mergeContents({ base, theirs: saved, mine: { ...base, ...mine } });
  const conflicts = parts.flatMap((part) =>
    part.conflicts.map(({ place }) => `${part.name} ${place}`.trim()),
  );
  const state = (side: 'theirs' | 'mine'): ContentState =>
    mergedState(saved, parts, (conflict) => conflict[side]);
  return { parts, conflicts, theirs: state('theirs'), mine: state('mine') };
}

const first = (text: string) => ({
  lines: [{ appVersion: '0.0.0', text }, base.lines[1] ?? { appVersion: '2.0.0', text: '' }],
});

describe('two edits of a content item', () => {
  it('merge within each part: texts, targeting, tags, flags, description and guards', () => {
    const { conflicts, theirs } = merge(
      {
        ...first('{"price": 5, "name": "a"}'),
        mapping: '[{"segment": "eu", "merge": {"price": 4}}]',
        tags: ['shop', 'theirs'],
        flags: ['/price', '/name'],
        description: 'Shop\nof spring\nand autumn',
        guards: [{ path: '/price', min: 2, severity: 'warn' }],
      },
      {
        ...first('{"price": 1, "name": "b"}'),
        mapping: '[{"segment": "eu", "merge": {"price": 3}}, {"segment": "us"}]',
        tags: ['mine', 'shop'],
        description: 'Shops\nof spring\nand summer',
        guards: [
          { path: '/price', min: 1, severity: 'warn' },
          { path: '/name', min: 0, severity: 'warn' },
        ],
      },
    );
    expect(conflicts).toEqual([]);
    expect(theirs).toEqual({
      ...base,
      ...first('{"price": 5, "name": "b"}'),
      mapping: '[{"segment": "eu", "merge": {"price": 4}}, {"segment": "us"}]',
      tags: ['mine', 'shop', 'theirs'],
      flags: ['/price', '/name'],
      description: 'Shops\nof spring\nand autumn',
      guards: [
        { path: '/price', min: 2, severity: 'warn' },
        { path: '/name', min: 0, severity: 'warn' },
      ],
    });
  });

  it('conflict at the one value of the one line that both changed', () => {
    const { conflicts, mine } = merge(
      first('{"price": 5, "name": "a"}'),
      first('{"price": 6, "name": "b"}'),
    );
    expect(conflicts).toEqual(['line 0.0.0 /price']);
    expect(mine).toEqual({ ...base, ...first('{"price": 6, "name": "b"}') });
  });

  it('keep a line that one added, drop one that one removed, and conflict where the other edited it', () => {
    const added = { lines: [...base.lines, { appVersion: '3.0.0', text: '{}' }] };
    const removed = { lines: base.lines.slice(0, 1) };
    expect(merge(added, removed).theirs.lines.map(({ appVersion }) => appVersion)).toEqual([
      '0.0.0',
      '3.0.0',
    ]);
    const edited = {
      lines: [...base.lines.slice(0, 1), { appVersion: '2.0.0', text: '{"price": 9}' }],
    };
    const both = merge(removed, edited);
    expect(both.conflicts).toEqual(['line 2.0.0']);
    expect(both.theirs.lines).toEqual(removed.lines);
    expect(both.mine.lines).toEqual(edited.lines);
  });

  it('name a comment whose value the other removed, and keep it otherwise', () => {
    const commented = first('{"price": /* in cents */ 1, "name": "a"}');
    const lost = (theirs: string): string[] => {
      const { parts, theirs: merged } = merge(first(theirs), commented);
      return parts.flatMap((part) => lostComments(part, merged.lines[0]?.text ?? null));
    };
    expect(lost('{"name": "a"}')).toEqual(['/* in cents */']);
    expect(lost('{"price": 1, "name": "b"}')).toEqual([]);
  });
});
