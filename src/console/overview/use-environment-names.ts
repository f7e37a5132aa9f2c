/** What people call environments. */
import { useCallback } from 'react';
import { useEnvironments } from '../parts/environments.js';
import type { NameOf } from './words/overview-sides.js';

/** @returns the name by id; the id where it is not known */
export function useEnvironmentNames(): NameOf {
  const { data } = useEnvironments();
  return useCallback((env) => data?.find(({ id }) => id === env)?.name || env, [data]);
}
