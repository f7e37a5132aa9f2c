/**
 * User contexts that were pasted, opened or made up for an environment: the Preview tab, the publish dialog and releases share
 * them. They may be of real people, so they are in this page's memory alone, and gone after a reload.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type GivenContexts, noContexts } from './contexts-input.js';

/** @returns the contexts, and what replaces them */
export function usePastedContexts(env: string): [GivenContexts, (given: GivenContexts) => void] {
  const queries = useQueryClient();
  const queryKey = ['pasted-contexts', env];
  const { data = noContexts } = useQuery({
    queryKey,
    queryFn: () => noContexts,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return [data, (given) => queries.setQueryData<GivenContexts>(queryKey, given)];
}
