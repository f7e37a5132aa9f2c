/** Reads the saved drafts of an environment that a release can take. */
import { useQuery } from '@tanstack/react-query';
import type { Release } from '../../../contract/schemas/release.js';
import { fetchContents } from '../../contents/contents-query.js';
import { unpublishedItems } from './unpublished.js';

export function useUnpublished(env: string, release: Pick<Release, 'changes'>) {
  return useQuery({
    queryKey: ['environments', env, 'contents', { all: 'present' }],
    queryFn: ({ signal }) => fetchContents(env, false, signal),
    select: (contents) => unpublishedItems(contents, [], release),
    // A draft may have been saved a moment ago.
    staleTime: 0,
  });
}
