import { expect, it } from 'vitest';
import { contentIdLengthMax, contentKey, isContentId } from '../../../src/content/content-id.js';

it('a content id is 1 to 128 letters, digits, dots, underscores and hyphens', () => {
  for (const id of [
    'a',
    'Shop.items_v2-EU',
    '0',
    '...',
    '.a',
    '-',
    'x'.repeat(contentIdLengthMax),
  ]) {
    expect([id, isContentId(id)]).toEqual([id, true]);
  }
  for (const id of [
    '',
    '.',
    '..',
    'a b',
    'a/b',
    'é',
    'a\n',
    '\na',
    'a%20',
    'x'.repeat(contentIdLengthMax + 1),
  ]) {
    expect([id, isContentId(id)]).toEqual([id, false]);
  }
});

it('a content is found by its id whatever the case', () => {
  expect(contentKey('Shop.EU')).toBe(contentKey('sHOP.eu'));
});
