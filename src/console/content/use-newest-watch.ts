/** Looks every few seconds whether somebody else saved, without loading the texts again for nothing. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { contentKeyOf, fetchRevisions, type LoadedContent } from '../draft/content-query.js';

const lookEveryMs = 10_000;

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
    refetchInterval: lookEveryMs,
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
    // Once for each look: the answer may be that the content is gone, which leaves what is known as it is.
    actedAt.current = seenAt;
    void refetch();
  }, [seen, seenAt, known, knownAt, isFetching, refetch]);
}
