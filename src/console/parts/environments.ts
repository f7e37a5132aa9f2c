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

/** What another environment is asked for costs a request each. */
const othersMax = 12;

/** The environments in which to look for what this one lacks. */
export function useOtherEnvironments(env: string): readonly Environment[] {
  const { data = [] } = useEnvironments();
  return data.filter(({ id }) => id !== env).slice(0, othersMax);
}

/** How many approvals a change of the environment needs; 0: none, changes go live at once. */
export function reviewOf(environment: Environment | undefined): number {
  return environment?.review ?? 0;
}

/** Of a path below /env/:env; null elsewhere. */
function useEnvironmentOfPath(): string | null {
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
  overview: (env: string) => `/env/${encodeURIComponent(env)}`,
  contents: (env: string) => `/env/${encodeURIComponent(env)}/contents`,
  content: (env: string, id: string, tab = '') =>
    `/env/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}${tab && `/${tab}`}`,
  /** What one revision of a content item changed over another. */
  diff: (env: string, id: string, from: number, to: number) =>
    `/env/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/history?from=${from}&to=${to}`,
  segments: (env: string) => `/env/${encodeURIComponent(env)}/segments`,
  segment: (env: string, name: string, tab = '') =>
    `/env/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}${tab && `/${tab}`}`,
  groups: (env: string) => `/env/${encodeURIComponent(env)}/groups`,
  experiments: (env: string) => `/env/${encodeURIComponent(env)}/experiments`,
  /** @param rule content item and name of the rule with the variants; left out: the user chooses */
  newExperiment: (env: string, rule?: { readonly content: string; readonly segment: string }) => {
    const chosen = rule === undefined ? '' : `?${ruleQuery(rule)}`;
    return `/env/${encodeURIComponent(env)}/new-experiment${chosen}`;
  },
  experiment: (env: string, id: string) =>
    `/env/${encodeURIComponent(env)}/experiments/${encodeURIComponent(id)}`,
  metrics: (env: string) => `/env/${encodeURIComponent(env)}/metrics`,
  releases: (env: string) => `/env/${encodeURIComponent(env)}/releases`,
  release: (env: string, release: number) => `/env/${encodeURIComponent(env)}/releases/${release}`,
  /** @param tab '' for a single player */
  players: (env: string, tab = '') => `/env/${encodeURIComponent(env)}/players${tab && `/${tab}`}`,
  calendar: (env: string) => `/env/${encodeURIComponent(env)}/calendar`,
  /** @param query what to look for in texts; '' for nothing yet */
  search: (env: string, query: string) =>
    `/env/${encodeURIComponent(env)}/search${query === '' ? '' : `?${new URLSearchParams({ q: query })}`}`,
  sync: (env: string) => `/env/${encodeURIComponent(env)}/sync`,
  environment: (env: string) => `/environments/${encodeURIComponent(env)}`,
} as const;

function ruleQuery(rule: { readonly content: string; readonly segment: string }): string {
  return new URLSearchParams({ content: rule.content, rule: rule.segment }).toString();
}
