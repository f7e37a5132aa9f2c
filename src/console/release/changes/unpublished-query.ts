/** Reads the saved drafts of an environment that a release can take. */
import { useQueries } from '@tanstack/react-query';
import type { Release } from '../../../contract/schemas/release.js';
import { fetchContents } from '../../contents/contents-query.js';
import { segmentsWithDraftsQuery } from '../../segments/segment-api.js';
import { type UnpublishedItem, unpublishedItems } from './unpublished.js';

export interface Unpublished {
  readonly data: readonly UnpublishedItem[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => void;
}

export function useUnpublished(env: string, release: Pick<Release, 'changes'>): Unpublished {
  const [contents, segments] = useQueries({
    queries: [
      {
        queryKey: ['environments', env, 'contents', { all: 'present' }],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          fetchContents(env, false, signal),
        // A draft may have been saved a moment ago.
        staleTime: 0,
      },
      { ...segmentsWithDraftsQuery(env), staleTime: 0 },
    ],
  });
  const isReady = contents.data !== undefined && segments.data !== undefined;
  return {
    data: isReady ? unpublishedItems(contents.data, segments.data, release) : undefined,
    error: contents.error ?? segments.error,
    refetch: () => {
      void contents.refetch();
      void segments.refetch();
    },
  };
}
