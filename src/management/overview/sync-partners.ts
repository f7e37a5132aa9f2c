/** Which environments one is compared with: where its content comes from, and where it goes. */

import { findSyncOrigins } from '../store/contents/sync-origins.js';
import type { Db } from '../store/dialect.js';
import type { Environment } from '../store/environments.js';

/** Of environments, those that a sync would read and change. */
export interface SyncDirection {
  readonly from: string;
  readonly to: string;
}

/** By id of an environment: which others syncs came from, and when last. */
export type SyncOrigins = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Environments that are looked at for syncs out of one: a game has a handful. */
const environmentsLookedAtMax = 20;

/**
 * What came in last, then what went out last.
 * @param others environments that the user sees
 */
export async function findSyncPartners(
  db: Db,
  here: Environment,
  others: readonly Environment[],
): Promise<SyncDirection[]> {
  const origins = new Map<string, ReadonlyMap<string, number>>();
  for (const { id } of [here, ...others.slice(0, environmentsLookedAtMax)]) {
    origins.set(id, await findSyncOrigins(db, id));
  }
  return chooseSyncPartners(here, others, origins);
}

/** Pure. */
export function chooseSyncPartners(
  here: Environment,
  others: readonly Environment[],
  origins: SyncOrigins,
): SyncDirection[] {
  const source = lastOf(others, ({ id }) => origins.get(here.id)?.get(id));
  const target = lastOf(others, ({ id }) => origins.get(id)?.get(here.id));
  if (source === null && target === null) return byProtection(here, others);
  const into = source && { from: source.one.id, to: here.id };
  const outOf = target && { from: here.id, to: target.one.id };
  if (source === null || target === null || source.one.id !== target.one.id) {
    return [into, outOf].filter((direction) => direction !== null);
  }
  // Both ways: content goes on to the players, and what came back once was a copy to work with.
  const isInto = here.protected === source.one.protected ? source.at >= target.at : here.protected;
  return [isInto ? into : outOf].filter((direction) => direction !== null);
}

function lastOf(
  others: readonly Environment[],
  timeOf: (environment: Environment) => number | undefined,
): { readonly one: Environment; readonly at: number } | null {
  let last: { one: Environment; at: number } | null = null;
  for (const one of others) {
    const at = timeOf(one);
    if (at !== undefined && at > (last?.at ?? 0)) last = { one, at };
  }
  return last;
}

/** Nothing was ever synced: only where there is no doubt. */
function byProtection(here: Environment, others: readonly Environment[]): SyncDirection[] {
  const opposite = others.filter((other) => other.protected !== here.protected);
  const [only] = opposite;
  if (only === undefined || opposite.length > 1) return [];
  return [here.protected ? { from: only.id, to: here.id } : { from: here.id, to: only.id }];
}
