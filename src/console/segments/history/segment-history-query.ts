/** Asks for the history of a segment, a page at a time, for one revision, and for what differs between two. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { request } from '../../api/call.js';
import { fetchSegmentRevision, segmentKeys } from '../segment-api.js';

const pageRows = 50;

/** @param current number of the revision in use, which a colleague may change; null: the segment is deleted */
export function useSegmentHistory(env: string, name: string, current: number | null) {
  return useInfiniteQuery({
    queryKey: [...segmentKeys.history(env, name), 'list', current],
    queryFn: async ({ pageParam }) =>
      (
        await request('GET /environments/:env/segments/:name/revisions', {
          params: { env, name },
          query: { limit: pageRows, before: pageParam ?? undefined },
        })
      ).revisions,
    initialPageParam: null as number | null,
    getNextPageParam: (last) => {
      const oldest = last.at(-1)?.revision ?? 1;
      return last.length < pageRows || oldest === 1 ? undefined : oldest;
    },
    placeholderData: keepPreviousData,
  });
}

export function useSegmentRevision(env: string, name: string, revision: number) {
  return useQuery({
    queryKey: [...segmentKeys.history(env, name), 'one', revision],
    queryFn: ({ signal }) => fetchSegmentRevision(env, name, revision, signal),
    // Revisions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSegmentDiff(env: string, name: string, from: number, to: number) {
  return useQuery({
    queryKey: [...segmentKeys.history(env, name), 'diff', from, to],
    queryFn: () =>
      request('GET /environments/:env/segments/:name/diff', {
        params: { env, name },
        query: { from, to },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
