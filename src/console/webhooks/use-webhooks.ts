/** The webhooks of the server and their messages. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import { request } from '../api/call.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';

export type DeliveryStatus = WebhookDelivery['status'];

const deliveriesPerPage = 50;
const busyMs = 2_000;
const calmMs = 15_000;
/** A longer list is not refreshed by itself: every page would be requested again. */
const pagesRefreshedMax = 3;

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

/** Newest first; refreshed often while a message waits. */
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
      if (pages.length > pagesRefreshedMax) return false;
      const isBusy = pages.some(({ deliveries }) => deliveries.some(isSoon));
      return isBusy ? busyMs : calmMs;
    },
  });
}

/** Its next attempt is due within a minute. */
function isSoon({ status, nextAttemptAt }: WebhookDelivery): boolean {
  if (status !== 'pending') return false;
  return nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < 60_000;
}

/** Switches a webhook on or off. */
export function useSwitchWebhook(id: string) {
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      request('PATCH /webhooks/:id', { params: { id }, body: { enabled } }),
    onSuccess: ({ enabled }) => {
      refresh();
      notifyDone(
        enabled ? 'The webhook is on. Waiting messages are sent now.' : 'The webhook is off.',
      );
    },
    onError: notifyFailed,
  });
}

/** Requests everything about webhooks again, after a change. */
export function useRefreshWebhooks(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['webhooks'] });
}
