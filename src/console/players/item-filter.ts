/** Chooses which content items are shown. Pure. */

import type { PlayerItemPair } from '../../contract/players/pair-items.js';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';

/** A part of an outcome, or of the comparison of two moments. */
export type Shown = 'all' | 'different' | 'same' | PlayerItem['outcome'];

export interface ItemFilter {
  /** Parts of the id. */
  readonly query: string;
  /** Null: all of one moment, and what differs between two. */
  readonly shown: Shown | null;
}

export const noFilter: ItemFilter = { query: '', shown: null };

export function rowsOfOne(items: readonly PlayerItem[]): PlayerItemPair[] {
  return items.map((item) => ({ id: item.id, isSame: true, first: item, second: null }));
}

export function shownOf({ shown }: ItemFilter, isCompared: boolean): Shown {
  return shown ?? (isCompared ? 'different' : 'all');
}

/** @returns the rows whose id has all words of the query, and that are of the kind that is shown */
export function filtered(
  rows: readonly PlayerItemPair[],
  filter: ItemFilter,
  isCompared: boolean,
): readonly PlayerItemPair[] {
  const shown = shownOf(filter, isCompared);
  const words = wordsOf(filter);
  return rows.filter((row) => {
    const id = row.id.toLowerCase();
    return isOf(row, shown) && words.every((word) => id.includes(word));
  });
}

/** In lower case. */
export function wordsOf({ query }: ItemFilter): readonly string[] {
  return query.toLowerCase().split(whiteSpace).filter(Boolean);
}

export function isOf({ isSame, first, second }: PlayerItemPair, shown: Shown): boolean {
  if (shown === 'all') return true;
  if (shown === 'same' || shown === 'different') return isSame === (shown === 'same');
  return first?.outcome === shown || second?.outcome === shown;
}

const whiteSpace = /\s+/;
