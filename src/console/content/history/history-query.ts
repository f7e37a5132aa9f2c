/** Reads the history of a content item, a page at a time, and what differs between two revisions. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { request } from '../../api/call.js';
import { contentKeyOf, fetchRevisions } from '../../draft/content-query.js';

const pageRows = 50;

export function useHistory(env: string, id: string) {
  return useInfiniteQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions'],
    queryFn: ({ pageParam }) =>
      fetchRevisions(env, id, { limit: pageRows, before: pageParam ?? undefined }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => {
      const oldest = last.at(-1)?.revision ?? 1;
      return last.length < pageRows || oldest === 1 ? undefined : oldest;
    },
  });
}

export function useDiff(env: string, id: string, from: number, to: number) {
  return useQuery({
    queryKey: [...contentKeyOf(env, id), 'diff', from, to],
    queryFn: () =>
      request('GET /environments/:env/contents/:id/diff', {
        params: { env, id },
        query: { from, to },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
