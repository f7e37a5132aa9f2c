/** The attributes of an environment: which to offer, whether a name may be misspelled, and their frequent values. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '../api/call.js';
import { describeDoubt, isUsedBeside } from './attributes.js';
import { playerFields } from './condition-operators.js';
import type { FrequentValue } from './value-options.js';

/** The segment or content item that is edited: its own use of an attribute does not count. */
export interface ConditionOf {
  readonly segment?: string;
  readonly content?: string;
}

export interface OfferedAttributes {
  readonly attributes: readonly string[];
  /** Why an attribute may be misspelled; null: no reason. */
  readonly doubtOf: (field: string) => string | null;
  /** Frequent values of an attribute in requests. */
  readonly valuesOf: (field: string) => readonly FrequentValue[];
}

/**
 * @param more further names to offer, such as dotted paths
 * @returns until the server has responded, no attribute is doubted
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
    const known = new Map((data?.attributes ?? []).map((one) => [one.name, one]));
    const used = [...known.values()].filter((one) => isUsedBeside(one, { segment, content }));
    const names = new Set([...more, ...used.map(({ name }) => name)]);
    const isSure = data !== undefined && !data.cut;
    const hasSeenAny = [...known.values()].some(({ lastSeen }) => lastSeen !== null);
    const attributeOf = (field: string) => known.get(field.split('.', 1)[0] ?? field);
    return {
      attributes: [...names].sort((a, b) => a.localeCompare(b)),
      doubtOf: (field) => {
        if (!isSure || field === '' || playerFields.some(({ name }) => name === field)) return null;
        return describeDoubt(attributeOf(field), { segment, content }, hasSeenAny);
      },
      // Those of an object are not counted, and its members have others.
      valuesOf: (field) => known.get(field)?.values ?? [],
    };
  }, [data, segment, content, more]);
}
