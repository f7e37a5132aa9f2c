/** The environments, the one of the current path, and the paths of its screens. */
import { useQuery } from '@tanstack/react-query';
import { useRoute } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';

export function useEnvironments() {
  return useQuery({
    queryKey: ['environments'],
    queryFn: async () => (await request('GET /environments', {})).environments,
  });
}

export function useEnvironment(env: string): Environment | undefined {
  return useEnvironments().data?.find(({ id }) => id === env);
}

/** How many approvals a change of the environment needs; 0: none, changes go live at once. */
export function reviewOf(environment: Environment | undefined): number {
  return environment?.review ?? 0;
}

/** Of a path below /env/:env; null elsewhere. */
export function useEnvironmentOfPath(): string | null {
  const [matches, params] = useRoute<{ env: string }>('/env/:env/*?');
  return matches ? params.env : null;
}

/** The same, also on the screen of the environment itself. */
export function useEnvironmentOfScreen(): string | null {
  const ofPath = useEnvironmentOfPath();
  const [matches, params] = useRoute<{ env: string }>('/environments/:env');
  return ofPath ?? (matches ? params.env : null);
}

/** The paths of an environment's screens. */
export const pathOf = {
  contents: (env: string) => `/env/${encodeURIComponent(env)}/contents`,
  content: (env: string, id: string, tab = '') =>
    `/env/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}${tab && `/${tab}`}`,
  segments: (env: string) => `/env/${encodeURIComponent(env)}/segments`,
  segment: (env: string, name: string, tab = '') =>
    `/env/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}${tab && `/${tab}`}`,
  groups: (env: string) => `/env/${encodeURIComponent(env)}/groups`,
  releases: (env: string) => `/env/${encodeURIComponent(env)}/releases`,
  release: (env: string, release: number) => `/env/${encodeURIComponent(env)}/releases/${release}`,
  calendar: (env: string) => `/env/${encodeURIComponent(env)}/calendar`,
  sync: (env: string) => `/env/${encodeURIComponent(env)}/sync`,
  environment: (env: string) => `/environments/${encodeURIComponent(env)}`,
} as const;
