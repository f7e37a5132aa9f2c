/** Reads all content items of an environment, page by page. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResponseTo } from '../../contract/client.js';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { request } from '../api/call.js';
import { type ListedContent, listed } from './list-view.js';

const none: readonly ListedContent[] = [];

export function useContents(env: string, isDeleted: boolean) {
  const query = useQuery({
    queryKey: ['environments', env, 'contents', { all: isDeleted ? 'deleted' : 'present' }],
    queryFn: ({ signal }) => fetchContents(env, isDeleted, signal),
  });
  const contents = useMemo(
    () => (query.data === undefined ? none : listed(query.data)),
    [query.data],
  );
  return { ...query, contents };
}

export async function fetchContents(
  env: string,
  isDeleted: boolean,
  signal?: AbortSignal,
): Promise<readonly ContentSummary[]> {
  const all: ContentSummary[] = [];
  const deleted = isDeleted ? 'true' : 'false';
  const route = 'GET /environments/:env/contents';
  let after: string | null = '';
  while (after !== null) {
    const page: ResponseTo<typeof route> = await request(
      route,
      { params: { env }, query: { deleted, after } },
      signal,
    );
    all.push(...page.contents);
    after = page.next;
  }
  return all;
}
