/** The attributes of an environment: which to offer, and whether anything else uses one. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '../api/call.js';
import { isUsedBeside } from './attributes.js';
import { playerFields } from './condition-operators.js';

/** The segment or content item that is edited: its own use of an attribute does not count. */
export interface ConditionOf {
  readonly segment?: string;
  readonly content?: string;
}

export interface OfferedAttributes {
  readonly attributes: readonly string[];
  readonly isUsed: (field: string) => boolean;
}

/**
 * @param more further names to offer, such as dotted paths
 * @returns until the server has responded, every attribute counts as used
 */
export function useAttributes(
  env: string,
  { segment, content }: ConditionOf,
  more: readonly string[],
): OfferedAttributes {
  const { data } = useQuery({
    queryKey: ['environments', env, 'attributes'],
    queryFn: ({ signal }) =>
      request('GET /environments/:env/attributes', { params: { env } }, signal),
  });
  return useMemo(() => {
    const known = data?.attributes ?? [];
    const used = known.filter((one) => isUsedBeside(one, { segment, content }));
    const names = new Set(used.map(({ name }) => name));
    const isSure = data !== undefined && !data.cut;
    return {
      attributes: [...new Set([...more, ...names])].sort((a, b) => a.localeCompare(b)),
      isUsed: (field) =>
        !isSure ||
        playerFields.some(({ name }) => name === field) ||
        names.has(field.split('.', 1)[0] ?? field),
    };
  }, [data, segment, content, more]);
}
