/** Polls whether another user saved, and loads the texts again only if so. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { contentKeyOf, fetchRevisions, type LoadedContent } from '../draft/content-query.js';

const pollMs = 10_000;

export function useNewestWatch(
  env: string,
  id: string,
  content: UseQueryResult<LoadedContent>,
): void {
  const { data: known, refetch, isFetching } = content;
  const watch = useQuery({
    queryKey: [...contentKeyOf(env, id), 'newest'],
    queryFn: async () => (await fetchRevisions(env, id, { limit: 1 }))[0] ?? null,
    enabled: known !== undefined,
    refetchInterval: pollMs,
    refetchOnWindowFocus: 'always',
  });
  const seen = watch.data;
  const seenAt = watch.dataUpdatedAt;
  const knownAt = content.dataUpdatedAt;
  const actedAt = useRef(0);
  useEffect(() => {
    if (seen === undefined || seen === null || known === undefined || isFetching) return;
    if (seenAt < knownAt || seenAt === actedAt.current) return;
    const isSame = seen.revision === known.newest && seen.live === (known.live === known.newest);
    if (isSame) return;
    // Once per poll: the content item may be gone, and then the known state stays.
    actedAt.current = seenAt;
    void refetch();
  }, [seen, seenAt, known, knownAt, isFetching, refetch]);
}
