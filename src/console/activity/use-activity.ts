/** The events of a filter: newest first, older ones page by page, new ones as they happen. */
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ResponseTo } from '../../contract/client.js';
import type { AuditEvent } from '../../contract/operations/audit.js';
import { request } from '../api/call.js';
import { type ActivityFilter, queryOf } from './activity-filter.js';
import { followAudit } from './audit-stream.js';

const eventsPerPage = 60;
const reconnectMs = 3_000;

type Pages = InfiniteData<ResponseTo<'GET /audit'>, string | null>;

export type Activity = ReturnType<typeof useActivity>;

export function useActivity(filter: ActivityFilter) {
  const queryKey = useMemo(() => ['audit', filter], [filter]);
  const loaded = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => {
      const before = pageParam ?? undefined;
      const query = { ...queryOf(filter, Date.now()), before, limit: eventsPerPage };
      return request('GET /audit', { query });
    },
    getNextPageParam: ({ next }) => next,
  });
  const live = useNewEvents(filter, queryKey, loaded.isSuccess);
  const events = useMemo(
    () => loaded.data?.pages.flatMap((page) => page.events) ?? [],
    [loaded.data],
  );
  const index = loaded.data?.pages[0]?.index ?? null;
  return { ...loaded, ...live, events, index };
}

interface Live {
  readonly isLive: boolean;
  /** Ids of events that arrived while the page was open. */
  readonly fresh: ReadonlySet<string>;
}

/** Puts new events first. Only while the tab is visible: a browser has few connections for all its tabs. */
function useNewEvents(
  filter: ActivityFilter,
  queryKey: readonly unknown[],
  isLoaded: boolean,
): Live {
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const isClosed = filter.period === 'custom' && filter.until !== '';

  useEffect(() => {
    setFresh(new Set());
    if (!isLoaded || isClosed) return;
    let following = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const add = (events: readonly AuditEvent[]): void => {
      queries.setQueryData<Pages>(queryKey, (pages) => withNew(pages, events));
      setFresh((known) => new Set([...known, ...events.map(({ id }) => id)]));
    };
    const follow = (): void => {
      following.abort();
      clearTimeout(timer);
      if (document.hidden) return;
      following = new AbortController();
      const { signal } = following;
      const newest = queries.getQueryData<Pages>(queryKey)?.pages[0]?.events[0]?.id ?? null;
      const onOpen = (): void => setIsLive(true);
      const query = queryOf(filter, Date.now());
      followAudit({ query, after: newest, onOpen, onEvents: add, signal })
        .catch(() => {
          // It reconnects below; the shell shows that the server is away.
        })
        .finally(() => {
          if (signal.aborted) return;
          setIsLive(false);
          timer = setTimeout(follow, reconnectMs);
        });
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      following.abort();
      setIsLive(false);
    };
  }, [queries, queryKey, filter, isLoaded, isClosed]);

  return { isLive, fresh };
}

/** @param events oldest first; an event that a page already contains is not shown twice */
function withNew(pages: Pages | undefined, events: readonly AuditEvent[]): Pages | undefined {
  const [first, ...others] = pages?.pages ?? [];
  if (pages === undefined || first === undefined) return pages;
  const known = new Set(first.events.map(({ id }) => id));
  const added = events.filter(({ id }) => !known.has(id)).reverse();
  return { ...pages, pages: [{ ...first, events: [...added, ...first.events] }, ...others] };
}
