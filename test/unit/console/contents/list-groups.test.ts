/** Groups of the list: by the first part of ids, or by tag. */
import { describe, expect, it } from 'vitest';
import {
  type Grouping,
  keyOfRow,
  prefixOf,
  rowsOf,
} from '../../../../src/console/contents/rows/list-groups.js';
import { summaryOf } from './summary-of.js';

const contents = [
  summaryOf('shop'),
  summaryOf('Shop-EU', { tags: ['money', 'eu'] }),
  summaryOf('shop.us', { tags: ['money'] }),
  summaryOf('banner_winter'),
  summaryOf('events'),
];

function shown(grouping: Grouping, closed: readonly string[] = []): string[] {
  return rowsOf(contents, grouping, new Set(closed)).map((row) =>
    row.kind === 'group' ? `${row.group.label} ${row.group.contents.length}` : row.content.id,
  );
}

describe('groups of the list', () => {
  it('have the first part of ids, whatever separates it and whatever its case', () => {
    expect(['shop-eu', 'Shop.eu', 'SHOP_eu', 'shop', '-x'].map(prefixOf)).toEqual([
      ...['shop', 'shop', 'shop'],
      ...['', ''],
    ]);
    expect(shown('prefix')).toEqual([
      ...['shop 3', 'shop', 'Shop-EU', 'shop.us'],
      ...['Others 2', 'banner_winter', 'events'],
    ]);
  });

  it('have a tag, and an item is in the group of each of its tags', () => {
    expect(shown('tag')).toEqual([
      ...['eu 1', 'Shop-EU'],
      ...['money 2', 'Shop-EU', 'shop.us'],
      ...['No tags 3', 'shop', 'banner_winter', 'events'],
    ]);
    const keys = rowsOf(contents, 'tag', new Set()).map(keyOfRow);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('show no items while they are closed', () => {
    expect(shown('prefix', ['shop'])).toEqual(['shop 3', 'Others 2', 'banner_winter', 'events']);
    expect(shown('none')).toEqual(contents.map(({ id }) => id));
  });
});
