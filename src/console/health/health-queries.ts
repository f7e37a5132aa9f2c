/** What the server says is wrong, why it rejected requests, and what was published. */
import { useQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';

const busyMs = 5_000;
const calmMs = 10_000;

export function useFindings() {
  return useQuery({
    queryKey: ['health', 'findings'],
    queryFn: () => request('GET /health/findings', {}),
    refetchInterval: busyMs,
    staleTime: 0,
  });
}

export function useRejections() {
  return useQuery({
    queryKey: ['health', 'rejections'],
    queryFn: () => request('GET /rejections', {}),
    refetchInterval: busyMs,
    staleTime: 0,
  });
}

export function usePublishedChanges() {
  return useQuery({
    queryKey: ['health', 'changes'],
    queryFn: () => request('GET /health/changes', {}),
    refetchInterval: calmMs,
    staleTime: 0,
  });
}
