/** Requests page after page of what a player was given, up to a limit, after which the user asks for more. */
import { useEffect, useMemo, useState } from 'react';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import { type PlayerMoment, usePlayerItems } from './player-look-up.js';

/** Content items that are looked up before the user is asked. */
const itemsAtOnce = 2_000;

export interface AllItems {
  /** The moment; null: no page has come yet. */
  readonly at: string | null;
  readonly uid: number;
  readonly mod: number;
  readonly items: readonly PlayerItem[];
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  readonly error: Error | null;
  /** Goes on after the limit, or tries again after an error. */
  readonly more: () => void;
}

/** @param moment null: nothing is looked up @param turn differs at each look-up */
export function useAllItems(moment: PlayerMoment | null, turn: number): AllItems {
  const query = usePlayerItems(moment, turn);
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const [itemsMax, setItemsMax] = useState(itemsAtOnce);
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.items), [data]);
  const goesOn = hasNextPage && error === null && items.length < itemsMax;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const [first] = data?.pages ?? [];
  return {
    at: first?.at ?? null,
    uid: first?.uid ?? 0,
    mod: first?.mod ?? 0,
    items,
    isLoading: goesOn || isFetching,
    isComplete: first !== undefined && !hasNextPage,
    error,
    more: () => {
      if (moment === null || (first !== undefined && !hasNextPage)) return;
      setItemsMax(Math.max(itemsMax, items.length + itemsAtOnce));
      if (first === undefined) void refetch();
      else void fetchNextPage();
    },
  };
}
