/** The data of the live line without any rule: what marks of the live answer are compared with. */
import { useQuery } from '@tanstack/react-query';
import { callText } from '../api/call.js';
import type { EvaluateWish } from './evaluate.js';
import { topMembers } from './top-members.js';

export function useUnmutatedLive({ saved, user }: EvaluateWish, isEnabled: boolean): string | null {
  const { env, id, live } = saved;
  const v = user.v.trim();
  const query = useQuery({
    queryKey: ['environments', env, 'contents', id, 'evaluations', 'unmutated', live, v],
    queryFn: async ({ signal }) => {
      const path = `/admin/v1/environments/${encodeURIComponent(env)}/evaluate`;
      const body = JSON.stringify({
        id,
        revision: live,
        mapping: [],
        ...(v === '' ? {} : { v }),
      });
      const answer = await callText(path, { method: 'POST', body, signal });
      return topMembers(topMembers(answer).get('answer') ?? '{}').get('data') ?? null;
    },
    enabled: isEnabled && live !== null,
    gcTime: 30_000,
  });
  return isEnabled ? (query.data ?? null) : null;
}
