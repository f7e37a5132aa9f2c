/** Previews, in one request, what an edit does to made-up users and to the sample users. */
import { useQuery } from '@tanstack/react-query';
import { identityOf } from '../draft/identity.js';
import type { SampleUser } from './contexts/sample-users.js';
import { type PreviewOptions, requestPreview } from './preview-call.js';

/** What would be published. */
export type EffectOptions = Omit<PreviewOptions, 'madeUp'>;

const madeUpUsers = 1_000;

/** @param users null: they are still loading */
export function useEffectPreview(options: EffectOptions, users: readonly SampleUser[] | null) {
  const { saved, state, revision } = options;
  const { env, id, newest, live } = saved;
  const contexts = (users ?? []).map(({ context }) => context);
  return useQuery({
    queryKey: [
      ...['environments', env, 'contents', id, 'edit-effects', newest, live],
      revision ?? `typed ${identityOf(state)}`,
      contexts.join('\n'),
    ],
    queryFn: ({ signal }) => requestPreview({ ...options, madeUp: madeUpUsers }, contexts, signal),
    enabled: users !== null,
    // A preview keeps a worker busy, and one that failed takes no less the second time.
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 30_000,
  });
}
