import { describe, expect, it } from 'vitest';
import {
  contentsInView,
  countTags,
  hasFilters,
  type ListView,
  listed,
  plainView,
  readView,
  writeView,
} from '../../../../src/console/contents/list-view.js';
import { summaryOf } from './summary-of.js';

const content = summaryOf;

const contents = [
  content('Shop', {
    tags: ['money', 'ui'],
    description: 'What is for sale',
    jsonBytes: 900,
    newest: 4,
    live: 3,
    dynamic: true,
    updatedAt: '2026-03-01T00:00:00.000Z',
  }),
  content('arena', { tags: ['play'], author: 'Bo', hash: 'abcdef0123456789' }),
  content('battle-pass', { tags: ['money'], newest: 2, live: null, jsonBytes: 50 }),
];

const shown = (view: Partial<ListView>) =>
  contentsInView(listed(contents), { ...plainView, ...view }).map(({ id }) => id);

describe('the list of contents', () => {
  it('is by id, whatever its case', () => {
    expect(shown({})).toEqual(['arena', 'battle-pass', 'Shop']);
    expect(shown({ isDescending: true })).toEqual(['Shop', 'battle-pass', 'arena']);
  });

  it('finds every word in id, description, tags, hash or author', () => {
    expect(shown({ query: 'SALE' })).toEqual(['Shop']);
    expect(shown({ query: 'money shop' })).toEqual(['Shop']);
    expect(shown({ query: '  abcdef ' })).toEqual(['arena']);
    expect(shown({ query: 'bo' })).toEqual(['arena']);
    expect(shown({ query: 'money nothing' })).toEqual([]);
  });

  it('does not find what only stands across two of them', () => {
    expect(shown({ query: 'shopwhat' })).toEqual([]);
  });

  it('narrows by tags, state and kind', () => {
    expect(shown({ tags: ['money'] })).toEqual(['battle-pass', 'Shop']);
    expect(shown({ tags: ['money', 'ui'] })).toEqual(['Shop']);
    expect(shown({ state: 'live' })).toEqual(['arena', 'Shop']);
    expect(shown({ state: 'draft' })).toEqual(['Shop']);
    expect(shown({ state: 'unpublished' })).toEqual(['battle-pass']);
    expect(shown({ kind: 'dynamic' })).toEqual(['Shop']);
    expect(shown({ kind: 'plain' })).toEqual(['arena', 'battle-pass']);
  });

  it('sorts by column, and equal ones by id', () => {
    expect(shown({ sort: 'size' })).toEqual(['arena', 'battle-pass', 'Shop']);
    expect(shown({ sort: 'updated', isDescending: true })).toEqual([
      'Shop',
      'arena',
      'battle-pass',
    ]);
    expect(shown({ sort: 'author' })).toEqual(['battle-pass', 'Shop', 'arena']);
    expect(shown({ sort: 'state', isDescending: true })).toEqual(['battle-pass', 'Shop', 'arena']);
  });

  it('counts tags', () => {
    expect([...countTags(contents)]).toEqual([
      ['money', 2],
      ['play', 1],
      ['ui', 1],
    ]);
  });
});

describe('the address of a view', () => {
  it('says nothing of the plain one', () => {
    expect(writeView(plainView).toString()).toBe('');
    expect(readView(new URLSearchParams())).toEqual(plainView);
    expect(hasFilters(plainView)).toBe(false);
  });

  it('brings back what was written', () => {
    const view: ListView = {
      query: 'a & b',
      tags: ['x y', 'z'],
      state: 'draft',
      kind: 'plain',
      sort: 'updated',
      isDescending: true,
      isDeleted: true,
      grouping: 'prefix',
      columns: ['state', 'hash'],
    };
    expect(readView(new URLSearchParams(writeView(view).toString()))).toEqual(view);
    expect(hasFilters(view)).toBe(true);
  });

  it('ignores what it does not know', () => {
    const params = new URLSearchParams('state=odd&kind=&sort=-nothing&view=other&group=x');
    expect(readView(params)).toEqual({ ...plainView, isDescending: true });
  });
});
