import { describe, expect, it } from 'vitest';
import { entriesOfNames, entryOfUser, keyOfEntry } from '../../../../src/console/palette/entry.js';
import { PaletteIndex } from '../../../../src/console/palette/palette-index.js';
import { foundPlaceOf, foundQuery } from '../../../../src/console/parts/found-place.js';
import type { Names } from '../../../../src/contract/operations/search/names.js';

const rule = { rule: 1, segment: 'price-test', saved: false, info: 'wave-2' };
const content = { tags: [], newest: 2, live: 2, rules: [] };
const names: Names = {
  contents: [
    {
      ...content,
      id: 'Shop',
      tags: ['money'],
      live: 1,
      rules: [{ ...rule, attributes: ['country'] }],
    },
    { ...content, id: 'battle-pass' },
    { ...content, id: 'season_10_offers', live: null },
    { ...content, id: 'größe' },
  ],
  segments: [{ name: 'whales', description: 'They pay' }],
  experiments: [{ id: 'prices-1', name: 'Cheaper starter pack', state: 'running' }],
  releases: [{ release: 7, title: 'Weekend event', state: 'draft' }],
  truncated: [],
};
const entries = entriesOfNames('live', names, new Set(['battle-pass']));
const index = new PaletteIndex(entries);

function find(query: string): string[] {
  return index.search(query, 50).map(({ entry: { kind, name } }) => `${kind} ${name}`);
}

describe('the index of the palette', () => {
  it('finds by some of the letters, in order, and by words in any order', () => {
    expect(find('btlpass')).toEqual(['content battle-pass']);
    expect(find('s10off')).toEqual(['content season_10_offers']);
    expect(find('event week')).toEqual(['release Weekend event']);
    expect(find('GRÖSSE')).toEqual([]);
    expect(find('GRÖ')).toEqual(['content größe']);
    expect(find('zzz')).toEqual([]);
  });

  it('finds by tags, labels, attributes, descriptions, and the item of a rule', () => {
    expect(find('money')).toEqual(['content Shop']);
    expect(find('wave-2')).toEqual(['rule price-test']);
    expect(find('country')).toEqual(['rule price-test']);
    expect(find('they pay')).toEqual(['segment whales']);
    expect(find('shop')).toEqual(['content Shop', 'rule price-test']);
  });

  it('marks where the name matches, and nothing beyond it', () => {
    const [found] = index.search('pass', 1);
    expect(found?.ranges).toEqual([7, 11]);
    expect(index.search('money', 1)[0]?.ranges).toEqual([]);
  });

  it('lists of very many what begins with the query first', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ ...content, id: `item-s-${at}` }));
    const all = entriesOfNames(
      'live',
      { ...names, contents: [...many, ...names.contents] },
      new Set(),
    );
    const found = new PaletteIndex(all).search('s', 3).map(({ entry }) => entry.name);
    expect(found).toEqual(['Shop', 'season_10_offers', 'item-s-0']);
  });

  it('has entries that say where they lead, what they are and what is unsaved', () => {
    const shown = entries.map(({ name, detail, act, isUnsaved = false }) => [
      ...[name, detail, 'path' in act ? act.path : ''],
      ...(isUnsaved ? ['unsaved'] : []),
    ]);
    expect(shown).toEqual([
      ['Shop', 'draft', '/env/live/contents/Shop'],
      ['battle-pass', '', '/env/live/contents/battle-pass', 'unsaved'],
      ['season_10_offers', 'not published', '/env/live/contents/season_10_offers'],
      ['größe', '', '/env/live/contents/gr%C3%B6%C3%9Fe'],
      ['price-test', 'in Shop', '/env/live/contents/Shop/mapping?rule=1'],
      ['whales', '', '/env/live/segments/whales'],
      ['Cheaper starter pack', 'running', '/env/live/experiments/prices-1'],
      ['Weekend event', '#7, draft', '/env/live/releases/7'],
    ]);
    const people = ['mei', 'nora'].map((name) => entryOfUser({ name, role: 'editor' }));
    const all = [...entries, ...people];
    expect(new Set(all.map(keyOfEntry)).size).toBe(all.length);
  });
});

describe('the place of a hit in the address', () => {
  it('comes back as it was, and nothing else is one', () => {
    const place = { revision: 12, appVersion: '1.4.0', line: 120, column: 7 };
    expect(foundPlaceOf(foundQuery(place))).toEqual(place);
    for (const other of ['', 'found=', 'found=1', 'found=1@x:2:3', 'rule=1']) {
      expect(foundPlaceOf(other)).toBeNull();
    }
  });
});
