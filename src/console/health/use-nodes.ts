/** The servers that share the store, asked as often as the rest of the health screen. */
import { useQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';

const askEveryMs = 2_000;

export function useNodes() {
  return useQuery({
    queryKey: ['nodes'],
    queryFn: () => request('GET /nodes', {}),
    refetchInterval: askEveryMs,
    staleTime: 0,
  });
}
