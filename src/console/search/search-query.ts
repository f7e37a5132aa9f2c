/** The hits of a text search, page by page. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';

const hitsPerPage = 100;

/** @param query '' for nothing yet. A search that is replaced by another one is cancelled. */
export function useTextSearch(env: string, query: string) {
  return useInfiniteQuery({
    queryKey: ['search', env, query],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      request(
        'GET /environments/:env/search',
        {
          params: { env },
          query: { q: query, after: pageParam ?? undefined, limit: hitsPerPage },
        },
        signal,
      ),
    getNextPageParam: ({ next }) => next,
    enabled: query !== '',
    // What others save is found by the next search.
    staleTime: 0,
  });
}
