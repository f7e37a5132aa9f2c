/** Reads the releases of an environment, and carries out what people do with one. */
import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { openReleasesMax } from '../../contract/limits.js';
import type { Release, ReleaseState } from '../../contract/schemas/release.js';
import { request } from '../api/call.js';
import { useSession } from '../session/session.js';
import { calmMs, pollMsOf } from './polling.js';
import { isActive, isEditable, isFinal } from './words/release-states.js';

const pageRows = 50;

export const releaseKeys = {
  all: (env: string) => ['environments', env, 'releases'] as const,
  one: (env: string, release: number) => ['environments', env, 'releases', release] as const,
  reviews: ['reviews'] as const,
};

/** Newest first. @param state null: of every state */
export function useReleases(env: string, state: ReleaseState | null) {
  return useInfiniteQuery({
    queryKey: [...releaseKeys.all(env), 'list', state],
    queryFn: ({ pageParam }) =>
      request('GET /environments/:env/releases', {
        params: { env },
        query: { limit: pageRows, state: state ?? undefined, before: pageParam ?? undefined },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) =>
      // A longer list is not refreshed by itself: every page would be requested again.
      (data?.pages.length ?? 0) > 1 ? false : calmMs,
  });
}

export function useRelease(env: string, release: number) {
  return useQuery({
    ...releaseQuery(env, release),
    refetchInterval: ({ state: { data } }) => (data === undefined ? calmMs : pollMsOf(data.state)),
  });
}

function releaseQuery(env: string, release: number) {
  return queryOptions({
    queryKey: releaseKeys.one(env, release),
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/releases/:release',
        { params: { env, release: String(release) } },
        signal,
      ),
    refetchInterval: calmMs,
  });
}

/** Each version of the release adds to its timeline; comments do, too. */
export function useTimeline(
  env: string,
  { release, version, state }: Pick<Release, 'release' | 'version' | 'state'>,
) {
  return useQuery({
    queryKey: [...releaseKeys.one(env, release), 'timeline', version],
    queryFn: async () =>
      (
        await request('GET /environments/:env/releases/:release/timeline', {
          params: { env, release: String(release) },
        })
      ).events,
    placeholderData: (known) => known,
    refetchInterval: isFinal(state) ? false : calmMs,
  });
}

/** Those that wait for an approval that the user can give, in all environments; none is for viewers. */
export function useReviews() {
  const { role } = useSession();
  return useQuery({
    enabled: role !== 'viewer',
    queryKey: releaseKeys.reviews,
    queryFn: async () => (await request('GET /reviews', {})).releases,
    refetchInterval: calmMs,
  });
}

/** All releases of the environment that have neither gone live nor ended; those that ramp are among them. */
function openReleases(env: string) {
  return {
    queryKey: [...releaseKeys.all(env), 'open'],
    queryFn: async () =>
      (
        await request('GET /environments/:env/releases', {
          params: { env },
          query: { open: 'true', limit: openReleasesMax },
        })
      ).releases,
    refetchInterval: calmMs,
  };
}

/** Those that changes can still be put into. */
export function useOpenReleases(env: string) {
  return useQuery({
    ...openReleases(env),
    select: (releases) => releases.filter(({ state }) => isEditable(state)),
  });
}

/** The ramp that reaches a content item or a segment; null: none does. Two of them never do so at once. */
export function useReachingRelease(
  env: string,
  kind: 'content' | 'segment',
  name: string,
): Release | null {
  const active = useQuery({
    ...openReleases(env),
    select: (releases) => releases.filter(({ state }) => isActive(state)),
  });
  const releases = useQueries({
    queries: (active.data ?? []).map(({ release }) => releaseQuery(env, release)),
  });
  const key = name.toLowerCase();
  const reaching = releases.find(({ data }) => {
    if (data === undefined || !isActive(data.state)) return false;
    const { contents, segments } = data.reach;
    // Content ids are the same in both cases; names of segments are not.
    return kind === 'content'
      ? contents.some((id) => id.toLowerCase() === key)
      : segments.includes(name);
  });
  return reaching?.data ?? null;
}

export interface ReleaseTarget {
  readonly env: string;
  readonly release: string;
}

/**
 * One act on a release: `act.mutate({ number, send: (params) => request('POST …/pause', { params, body }) })`.
 * The cache first takes the state that the response has; lists, reviews and content are read again.
 */
export function useReleaseAct(env: string, onDone: (release: Release) => void = () => {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ number, send }: ReleaseAct) => send({ env, release: String(number) }),
    onSuccess: (release) => {
      queries.setQueryData(releaseKeys.one(env, release.release), release);
      onDone(release);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: releaseKeys.reviews });
      return queries.invalidateQueries({ queryKey: ['environments', env] });
    },
  });
}

export interface ReleaseAct {
  /** Of the release. */
  readonly number: number;
  readonly send: (params: ReleaseTarget) => Promise<Release>;
}
