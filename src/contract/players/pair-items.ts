/** Puts what a player was given at two moments side by side. Pure. */
import type { PlayerItem } from '../schemas/players/player-item.js';

/** A content item at two moments. */
export interface PlayerItemPair {
  readonly id: string;
  readonly isSame: boolean;
  readonly first: PlayerItem | null;
  readonly second: PlayerItem | null;
}

/** By id. What is not known at one of the moments is not the same. */
export function pairItems(
  items: readonly PlayerItem[],
  others: readonly PlayerItem[],
): PlayerItemPair[] {
  const byId = new Map(others.map((item) => [item.id, item]));
  const ids = new Set([...items.map(({ id }) => id), ...byId.keys()]);
  const first = new Map(items.map((item) => [item.id, item]));
  return [...ids].sort().map((id) => {
    const pair = { first: first.get(id) ?? null, second: byId.get(id) ?? null };
    return { id, isSame: isSame(pair.first, pair.second), ...pair };
  });
}

function isSame(a: PlayerItem | null, b: PlayerItem | null): boolean {
  if (a === null || b === null || a.outcome !== b.outcome) return false;
  return a.outcome !== 'not_known' && a.digest === b.digest;
}
