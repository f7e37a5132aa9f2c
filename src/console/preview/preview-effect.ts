/** Asks, in one call, what an edit does to made-up users and to the sample users. */
import { useQuery } from '@tanstack/react-query';
import type { SampleUser } from './contexts/sample-users.js';
import { identityOf } from './evaluate.js';
import { askPreview, type PreviewWish } from './preview-call.js';

/** What would be published. */
export type EffectWish = Omit<PreviewWish, 'madeUp'>;

export const madeUpUsers = 1_000;

/** @param users null: they are not known yet */
export function useEffectPreview(wish: EffectWish, users: readonly SampleUser[] | null) {
  const { saved, state, revision } = wish;
  const { env, id, newest, live } = saved;
  return useQuery({
    queryKey: [
      ...['environments', env, 'contents', id, 'edit-effects', newest, live],
      revision ?? `typed ${identityOf(state)}`,
      (users ?? []).map(({ context }) => context).join('\n'),
    ],
    queryFn: ({ signal }) => {
      const contexts = (users ?? []).map(({ context }) => context);
      return askPreview({ ...wish, madeUp: madeUpUsers }, contexts, signal);
    },
    enabled: users !== null,
    // A preview keeps a worker busy, and one that failed takes no less the second time.
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 30_000,
  });
}
