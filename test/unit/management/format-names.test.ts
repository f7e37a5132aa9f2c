import { expect, it } from 'vitest';
import { formatApprovals, formatNames } from '../../../src/management/format-names.js';
import { namesShownMax } from '../../../src/management/limits/evaluation.js';

it('shows the first names, and counts the others', () => {
  const names = Array.from({ length: namesShownMax + 2 }, (_, at) => `item-${at}`);
  expect(formatNames([])).toBe('');
  expect(formatNames(['shop', 'offers'])).toBe('shop, offers');
  expect(formatNames(names.slice(0, namesShownMax))).not.toContain('more');
  const text = formatNames(new Set(names));
  expect(text).toMatch(/^item-0, item-1, /);
  expect(text).toMatch(new RegExp(`item-${namesShownMax - 1} and 2 more$`));
});

it('says one approval in words', () => {
  expect([1, 2].map(formatApprovals)).toEqual(['an approval', '2 approvals']);
});
