/** The data of a delivered line without any rule: what marks of the live answer are compared with. */
import { useQuery } from '@tanstack/react-query';
import { requestText } from '../api/call.js';
import type { EvaluateWish } from './evaluate.js';
import { topMembers } from './results/top-members.js';

/** @param revision the one that is live, or was at the time that is asked for */
export function useUnmutatedLive(
  { saved, user }: EvaluateWish,
  revision: number | null,
  isEnabled: boolean,
): string | null {
  const { env, id } = saved;
  const v = user.v.trim();
  const query = useQuery({
    queryKey: ['environments', env, 'contents', id, 'evaluations', 'unmutated', revision, v],
    queryFn: async ({ signal }) => {
      const body = {
        id,
        revision: revision ?? undefined,
        mapping: [],
        v: v === '' ? undefined : v,
      };
      const route = 'POST /environments/:env/evaluate';
      const answer = await requestText(route, { params: { env }, body }, signal);
      return topMembers(topMembers(answer).get('answer') ?? '{}').get('data') ?? null;
    },
    enabled: isEnabled && revision !== null,
    gcTime: 30_000,
  });
  return isEnabled ? (query.data ?? null) : null;
}
