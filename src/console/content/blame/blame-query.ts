/** Asks which revisions set a value. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RevisionState } from '../../../contract/schemas/revision-state.js';
import { request, requestText } from '../../api/call.js';
import { contentKeyOf } from '../../draft/content-query.js';

export interface ValuePlace {
  readonly env: string;
  readonly id: string;
  /** Number of the newest revision: another one may have set the value since. */
  readonly newest: number;
  readonly appVersion: string;
  /** JSON pointer. */
  readonly path: string;
}

const historyPage = 10;

/** The last change of a value. */
export function useBlame({ env, id, newest, appVersion, path }: ValuePlace) {
  return useQuery({
    queryKey: [...contentKeyOf(env, id), 'blame', newest, appVersion, path],
    enabled: newest > 0,
    queryFn: () =>
      request('GET /environments/:env/contents/:id/blame', {
        params: { env, id },
        query: { appVersion, path },
      }),
    staleTime: 60_000,
    placeholderData: undefined,
  });
}

/** All changes of a value, newest first, a page at a time. */
export function useValueHistory({ env, id, newest, appVersion, path }: ValuePlace) {
  return useInfiniteQuery({
    queryKey: [...contentKeyOf(env, id), 'blame', newest, appVersion, path, 'history'],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      request('GET /environments/:env/contents/:id/blame', {
        params: { env, id },
        query: { appVersion, path, limit: historyPage, before: pageParam ?? undefined },
      }),
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });
}

/** The text of a version line in one revision; null: the revision has no such line. */
export function useLineText({ env, id, appVersion }: ValuePlace, revision: number | null) {
  return useQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions', revision, 'line', appVersion],
    enabled: revision !== null,
    queryFn: async () => {
      const params = { env, id, revision: String(revision) };
      const route = 'GET /environments/:env/contents/:id/revisions/:revision';
      const { lines } = JSON.parse(await requestText(route, { params })) as RevisionState;
      return lines.find((line) => line.appVersion === appVersion)?.text ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
