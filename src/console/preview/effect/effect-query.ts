/** Previews what an edit does to the players of one source, beside the sample users. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Preview } from '../../../contract/operations/preview.js';
import { identityOf } from '../../draft/identity.js';
import { type PreviewOptions, requestPreview } from '../preview-call.js';
import type { EffectSource } from './effect-source.js';

/** What would be published. */
export type EffectOptions = Omit<PreviewOptions, 'madeUp' | 'sampled'>;

export interface Effect {
  /** Undefined: there is none yet. */
  readonly preview: Preview | undefined;
  readonly error: Error | null;
  /** Users are being counted. */
  readonly isCounting: boolean;
  /** It is of the first users alone. */
  readonly isPartial: boolean;
  cancel(): void;
  count(): void;
}

const madeUpUsers = 10_000;
/** These take a tenth of the time, and are shown until the others are counted. */
const firstMadeUpUsers = 1_000;

/**
 * @param samples JSON sources of the sample users' contexts; null: they are still loading
 * @param pasted JSON sources of user contexts
 */
export function useEffectPreview(
  options: EffectOptions,
  source: EffectSource,
  samples: readonly string[] | null,
  pasted: readonly string[],
): Effect {
  const queries = useQueryClient();
  const { saved, state, revision } = options;
  const { env, id, newest, live } = saved;
  const isMadeUp = source === 'made up';
  const contexts = source === 'pasted' ? pasted : (samples ?? []);
  const queryKey = [
    ...['environments', env, 'contents', id, 'edit-effects', newest, live],
    revision ?? `typed ${identityOf(state)}`,
    source,
    identityOf(contexts),
  ];
  const ask = (count: number) => ({
    queryKey: [...queryKey, count],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const which = isMadeUp ? { madeUp: count } : { sampled: source === 'sampled' };
      return requestPreview({ ...options, ...which }, contexts, signal);
    },
    // A preview keeps a worker busy, and one that failed takes no less the second time.
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: 30_000,
    gcTime: 30_000,
  });
  const isReady = source === 'pasted' || samples !== null;
  const first = useQuery({ ...ask(firstMadeUpUsers), enabled: isReady && isMadeUp });
  const isFirstDone = first.data !== undefined;
  const all = useQuery({ ...ask(madeUpUsers), enabled: isReady && (!isMadeUp || isFirstDone) });
  return {
    preview: all.data ?? (isMadeUp ? first.data : undefined),
    error: all.error ?? (isMadeUp ? first.error : null),
    isCounting: !isReady || first.isFetching || all.isFetching,
    isPartial: isMadeUp && isFirstDone && all.data === undefined,
    cancel: () => void queries.cancelQueries({ queryKey }),
    count: () => void (isMadeUp && !isFirstDone ? first : all).refetch(),
  };
}
