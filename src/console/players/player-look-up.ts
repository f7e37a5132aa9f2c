/** Looks up what a player was given: all content items in pages, or one with its response. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { JsonText } from '../../contract/client.js';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import { requestText } from '../api/call.js';
import { objectSource, sourceAt } from '../api/raw-json.js';
import { contextSource, type UserContext } from '../preview/contexts/user-context.js';
import { topMembers } from '../preview/results/top-members.js';

export interface PlayerMoment {
  readonly env: string;
  readonly user: UserContext;
  /** RFC 3339; null: now. */
  readonly at: string | null;
}

/** A moment that stays the same. */
export interface KnownMoment extends PlayerMoment {
  readonly at: string;
}

interface Page {
  readonly at: string;
  readonly uid: number;
  readonly mod: number;
  readonly items: readonly PlayerItem[];
  readonly next: string | null;
}

interface PageStart {
  readonly after?: string;
  /** Of the first page: "now" is the same moment on all of them. */
  readonly at?: string;
}

/** A content item with its response. */
export interface LookedUp {
  readonly item: PlayerItem;
  /** The wrapped response byte for byte; null: none was delivered. */
  readonly wrapped: string | null;
  /** JSON source of `data`. */
  readonly data: string | null;
}

/** Short pages, so that the first rows and the progress are seen soon. */
const pageItems = 100;
/** What was then does not change. */
const staleTime = Number.POSITIVE_INFINITY;

/**
 * Pages of all content items; a further page is requested by `fetchNextPage`.
 * @param moment null: nothing is looked up @param turn differs at each look-up
 */
export function usePlayerItems(moment: PlayerMoment | null, turn: number) {
  return useInfiniteQuery({
    queryKey: ['environments', moment?.env, 'players', moment, turn],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      if (moment === null) throw new Error('There is nothing to look up.');
      const fields = { limit: pageItems, at: moment.at ?? undefined, ...pageParam };
      return JSON.parse(await post(moment, fields, signal)) as Page;
    },
    initialPageParam: {} as PageStart,
    getNextPageParam: ({ next, at }): PageStart | null =>
      next === null ? null : { after: next, at },
    enabled: moment !== null,
    staleTime,
  });
}

/** @param moment null: nothing is looked up @param id of the content item */
export function usePlayerItem(moment: PlayerMoment | null, id: string) {
  return useQuery({
    queryKey: ['environments', moment?.env, 'players', moment, 'item', id],
    queryFn: async ({ signal }): Promise<LookedUp> => {
      if (moment === null) throw new Error('There is nothing to look up.');
      const fields = { ids: [id], at: moment.at ?? undefined };
      const text = await post(moment, fields, signal);
      const [item] = (JSON.parse(text) as Page).items;
      if (item === undefined) throw new Error(`The server left ${id} out.`);
      if (item.outcome !== 'delivered') return { item, wrapped: null, data: null };
      // The only element of the list: its source without the brackets.
      const source = (topMembers(text).get('items') ?? '[]').slice(1, -1);
      const wrapped = topMembers(source).get('answer') ?? null;
      return { item, wrapped, data: topMembers(wrapped ?? '{}').get('data') ?? null };
    },
    enabled: moment !== null,
    staleTime,
  });
}

/** Attributes are sent as they are spelled. */
function post(
  { env, user }: PlayerMoment,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const context = contextSource(user);
  const [u, v, p] = ['u', 'v', 'p'].map((name) => sourceAt(context, [name]) ?? undefined);
  const body = new JsonText(objectSource(fields, { u, v, p }));
  return requestText('POST /environments/:env/players/lookup', { params: { env }, body }, signal);
}
