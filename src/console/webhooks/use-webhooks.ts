/** What the server knows of its webhooks, and of what they were sent. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import { request } from '../api/call.js';

export type DeliveryStatus = WebhookDelivery['status'];

const deliveriesPerPage = 50;
const busyMs = 2_000;
const calmMs = 15_000;
/** Whoever leafed this far reads; what is asked anew all the time is only what is short. */
const pagesAskedAnew = 3;

export function useWebhooks() {
  return useQuery({
    queryKey: ['webhooks'],
    queryFn: async () => (await request('GET /webhooks', {})).webhooks,
    refetchInterval: calmMs,
  });
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: ['webhooks', id],
    queryFn: () => request('GET /webhooks/:id', { params: { id } }),
    refetchInterval: calmMs,
  });
}

/** Null: nothing was sent yet. */
export function useLastDelivery(id: string) {
  return useQuery({
    queryKey: ['webhooks', id, 'deliveries', 'last'],
    queryFn: async () => {
      const { deliveries } = await request('GET /webhooks/:id/deliveries', {
        params: { id },
        query: { limit: 1 },
      });
      return deliveries[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? busyMs : calmMs),
  });
}

/** Newest first; asked anew often while something waits. */
export function useDeliveries(id: string, status: DeliveryStatus | null) {
  return useInfiniteQuery({
    queryKey: ['webhooks', id, 'deliveries', status ?? 'all'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      request('GET /webhooks/:id/deliveries', {
        params: { id },
        query: {
          limit: deliveriesPerPage,
          status: status ?? undefined,
          before: pageParam ?? undefined,
        },
      }),
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length > pagesAskedAnew) return false;
      const isBusy = pages.some(({ deliveries }) => deliveries.some(isSoon));
      return isBusy ? busyMs : calmMs;
    },
  });
}

/** It is tried within a minute. */
function isSoon({ status, nextAttemptAt }: WebhookDelivery): boolean {
  if (status !== 'pending') return false;
  return nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < 60_000;
}

/** After a change: everything that is known of webhooks is asked anew. */
export function useRefreshWebhooks(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['webhooks'] });
}
