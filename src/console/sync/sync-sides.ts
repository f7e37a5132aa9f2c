/** The two environments of a sync, for all that its screen shows. */
import { createContext, use } from 'react';
import type { ResponseTo } from '../../contract/client.js';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';

export interface SyncSides {
  /** Where live content comes from. */
  readonly source: Environment;
  /** Where it goes. */
  readonly target: Environment;
}

export const SyncSidesContext = createContext<SyncSides | null>(null);

export function useSyncSides(): SyncSides {
  const sides = use(SyncSidesContext);
  if (sides === null) throw new Error('useSyncSides is for components below SyncScreen.');
  return sides;
}

export interface SyncOptions {
  /** Absent: all that is live in the source. */
  readonly ids?: readonly string[];
  readonly dryRun?: boolean;
  /** Of the dry run that the sync must match. */
  readonly plan?: string;
  /** Digest of the findings that the user has looked at. */
  readonly confirm?: string | undefined;
  /** Title of the release to make instead of going live. */
  readonly release?: string | undefined;
}

/**
 * Unconfirmed findings reject it.
 * @throws ApiProblem, ServerAway
 */
export function requestSync(
  { source, target }: SyncSides,
  { release, ...options }: SyncOptions,
): Promise<ResponseTo<'POST /environments/:env/sync'>> {
  return request('POST /environments/:env/sync', {
    params: { env: target.id },
    query: options.dryRun === true ? {} : { strict: 'true' },
    body: {
      from: source.id,
      ...options,
      ...(release !== undefined && { release: { title: release } }),
    },
  });
}
