/** Reads experiments, their results and the metrics of an environment, and carries out what people do with them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Experiment, ExperimentState } from '../../contract/schemas/experiment.js';
import { request } from '../api/call.js';

/** How often what is shown is read again, milliseconds. */
const calmMs = 15_000;
/** An analysis reads all events that have come since: once a minute is often enough for people. */
const resultsMs = 60_000;

export const experimentKeys = {
  all: (env: string) => ['environments', env, 'experiments'] as const,
  one: (env: string, id: string) => ['environments', env, 'experiments', id] as const,
  metrics: (env: string) => ['environments', env, 'metrics'] as const,
};

/** @param state null: of every state */
export function useExperiments(env: string, state: ExperimentState | null) {
  return useQuery({
    queryKey: [...experimentKeys.all(env), 'list', state],
    queryFn: async () =>
      (
        await request('GET /environments/:env/experiments', {
          params: { env },
          query: { state: state ?? undefined },
        })
      ).experiments,
    refetchInterval: calmMs,
  });
}

export function useExperiment(env: string, id: string) {
  return useQuery({
    queryKey: experimentKeys.one(env, id),
    queryFn: () => request('GET /environments/:env/experiments/:id', { params: { env, id } }),
    refetchInterval: calmMs,
  });
}

export interface ResultsChoice {
  /** Undefined: the newest. */
  readonly phase?: number | undefined;
  /** An attribute that splits the players afterwards; undefined: none. */
  readonly segment?: string | undefined;
  readonly isEnabled?: boolean;
}

/** Of an experiment that has run. */
export function useResults(
  env: string,
  { id, state }: Pick<Experiment, 'id' | 'state'>,
  choice: ResultsChoice = {},
) {
  const { phase, segment, isEnabled = true } = choice;
  return useQuery({
    enabled: isEnabled && state !== 'draft',
    queryKey: [...experimentKeys.one(env, id), 'results', { phase, segment }],
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/experiments/:id/results',
        { params: { env, id }, query: { phase, segment } },
        signal,
      ),
    staleTime: resultsMs / 2,
    refetchInterval: state === 'running' ? resultsMs : false,
  });
}

export function useMetrics(env: string) {
  return useQuery({
    queryKey: experimentKeys.metrics(env),
    queryFn: () => request('GET /environments/:env/metrics', { params: { env } }),
  });
}

/** Names of the metric events that came lately: a proposal, without which people type a name all the same. */
export function useEventNames(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'event-names'],
    queryFn: ({ signal }) =>
      request('GET /environments/:env/events/names', { params: { env } }, signal),
    staleTime: resultsMs,
    retry: false,
  });
}

/** A change of an experiment or a metric; all that is shown of the environment is then read again. */
export function useExperimentAct<Result>(env: string, onDone: (result: Result) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (send: () => Promise<Result>) => send(),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', env] }),
  });
}
