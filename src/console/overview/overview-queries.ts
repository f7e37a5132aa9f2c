/** What the overview reads. Each part is a request of its own, so that one that fails leaves the others. */
import { useQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';

/** Releases and drafts of others appear by themselves. */
const calmMs = 15_000;
/** Counted by the minute. */
const rejectionsMs = 30_000;

export function useOverview(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'overview'],
    queryFn: ({ signal }) =>
      request('GET /environments/:env/overview', { params: { env } }, signal),
    refetchInterval: calmMs,
  });
}

export function useRejections(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'rejections'],
    queryFn: ({ signal }) =>
      request('GET /environments/:env/rejections', { params: { env } }, signal),
    refetchInterval: rejectionsMs,
  });
}
