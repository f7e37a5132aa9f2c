/** What the dialogs of bulk edits accept, and what they say of a report. */
import { describe, expect, it } from 'vitest';
import {
  describeCounts,
  keptIds,
  reportRows,
} from '../../../../src/console/contents/bulk/report-rows.js';
import { setFieldIssues } from '../../../../src/console/contents/bulk/set-fields.js';
import type { EditedItem } from '../../../../src/contract/operations/contents/content-edits.js';

const item = (id: string, more: Partial<EditedItem>): EditedItem => ({
  ...{ id, outcome: 'changed', newest: 1, live: 1, revision: 2, draftBy: null },
  ...{ lines: [], tags: null, warnings: [], problem: null },
  ...more,
});

const line = (appVersion: string, change: 'set' | 'same' | 'missing') => ({
  ...{ appVersion, change },
  ...(change === 'set' ? { before: '1', after: '2' } : { before: null, after: null }),
});

describe('the fields of a value to set', () => {
  const fine = { path: '/packs/0/price', value: '1.10', appVersion: '', create: false };

  it('take a JSON Pointer, JSON and perhaps an app version', () => {
    expect(setFieldIssues(fine)).toEqual({});
    expect(setFieldIssues({ ...fine, value: ' "text" ', appVersion: '2.0.0' })).toEqual({});
  });

  it.each([
    ['path', { path: '' }, /Name the path/],
    ['path', { path: 'packs.0.price' }, /\/packs\/0\/price/],
    ['path', { path: '/a~2' }, /~0/],
    ['value', { value: '' }, /Type the value/],
    ['value', { value: 'hello' }, /"hello"/],
    ['value', { value: `"${'x'.repeat(70_000)}"` }, /64 KB/],
    ['appVersion', { appVersion: '2' }, /X\.Y\.Z/],
  ] as const)('say what is wrong with the %s', (field, part, message) => {
    expect(setFieldIssues({ ...fine, ...part })[field]).toMatch(message);
  });
});

describe('a report of many edited items', () => {
  const problem = { code: 'invalid_content', detail: 'It does not match.', errors: [] };
  const items = [
    item('one', { lines: [line('0.0.0', 'set')] }),
    item('two', { draftBy: 'Mei', newest: 4, lines: [line('0.0.0', 'set'), line('2.0.0', 'set')] }),
    item('not', { outcome: 'missing', lines: [line('0.0.0', 'missing')] }),
    item('bad', { outcome: 'rejected', problem }),
  ];

  it('has what is rejected first, then each version line that changes', () => {
    expect(reportRows({ items })).toMatchObject([
      { id: 'bad', isRejected: true, notes: ['It does not match.'] },
      { id: 'one', appVersion: '', before: '1', after: '2', notes: [] },
      { id: 'two', appVersion: '0.0.0', notes: ['Draft r4 by Mei goes live along.'] },
      { id: 'two', appVersion: '2.0.0', notes: [] },
    ]);
    expect(keptIds({ items })).toEqual({ unchanged: [], missing: ['not'] });
  });

  it('is counted in words', () => {
    const counts = { changed: 2, unchanged: 1, missing: 1, rejected: 3 };
    expect(describeCounts({ counts }, 'set')).toBe(
      '2 items change · 1 has the value already · 1 lacks the path · 3 cannot be edited',
    );
    const none = { changed: 0, unchanged: 0, missing: 0, rejected: 0 };
    expect(describeCounts({ counts: none }, 'delete')).toBe('No item is deleted');
  });
});
