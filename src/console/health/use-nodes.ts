/** The servers that share the store, asked as often as the rest of the health screen. */
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call.js';
import { listNodes } from '../generated/admin-client.js';

const askEveryMs = 2_000;

export function useNodes() {
  return useQuery({
    queryKey: ['nodes'],
    queryFn: () => call(listNodes()),
    refetchInterval: askEveryMs,
    staleTime: 0,
  });
}
