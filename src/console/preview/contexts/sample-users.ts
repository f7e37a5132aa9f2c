/** The sample users of an environment, which the whole team shares, and the attributes that they have. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { JsonText, type ResponseTo } from '../../../contract/client.js';
import { request, requestText } from '../../api/call.js';
import { elementSources, memberSources, sourceAt } from '../../api/raw-json.js';

export interface SampleUser {
  readonly name: string;
  /** JSON source of the user context. */
  readonly context: string;
}

function keyOf(env: string) {
  return ['environments', env, 'sample-users'] as const;
}

export function useSampleUsers(env: string) {
  return useQuery({
    queryKey: keyOf(env),
    queryFn: async ({ signal }) => {
      const route = 'GET /environments/:env/sample-users';
      return sampleUsersOf(await requestText(route, { params: { env } }, signal));
    },
    staleTime: 30_000,
  });
}

function sampleUsersOf(json: string): SampleUser[] {
  const { sampleUsers } = JSON.parse(json) as ResponseTo<'GET /environments/:env/sample-users'>;
  const sources = elementSources(sourceAt(json, ['sampleUsers']) ?? '[]') ?? [];
  return sampleUsers.map(({ name }, index) => ({
    name,
    context: sourceAt(sources[index] ?? '', ['context']) ?? '{}',
  }));
}

export interface SaveSampleUser {
  readonly name: string;
  readonly context: string;
  /** The previous name; it is removed once the new one is saved. */
  readonly renamedFrom?: string;
}

export function useSaveSampleUser(env: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, context, renamedFrom }: SaveSampleUser) => {
      await request('PUT /environments/:env/sample-users/:name', {
        params: { env, name },
        body: new JsonText(context),
      });
      if (renamedFrom !== undefined && renamedFrom !== name) {
        await request('DELETE /environments/:env/sample-users/:name', {
          params: { env, name: renamedFrom },
        });
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(env) }),
  });
}

export function useDeleteSampleUser(env: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      request('DELETE /environments/:env/sample-users/:name', { params: { env, name } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(env) }),
  });
}

const attributesMax = 200;

/** Names of the attributes of sample users, as suggestions for conditions. */
export function useKnownAttributes(env: string): readonly string[] {
  const { data } = useSampleUsers(env);
  return useMemo(() => {
    const names = new Set<string>();
    for (const { context } of data ?? []) {
      collectPaths(sourceAt(context, ['p']) ?? '{}', '', names);
    }
    return [...names].sort((a, b) => a.localeCompare(b)).slice(0, attributesMax);
  }, [data]);
}

/** Members of members are addressed by dotted paths. */
function collectPaths(source: string, prefix: string, names: Set<string>): void {
  for (const [name, value] of memberSources(source) ?? []) {
    if (names.size >= attributesMax) return;
    names.add(prefix + name);
    if (value.startsWith('{') && !name.includes('.')) {
      collectPaths(value, `${prefix}${name}.`, names);
    }
  }
}
