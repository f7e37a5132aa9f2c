/** Facts of a server that Health judges, where finding them takes more than a look. */
import { rejectionStateMinutes } from '../../contract/limits.js';
import type { Fleet } from '../fleet/fleet.js';
import type { HealthFacts } from '../health/findings/facts.js';
import type { RequestMinutes } from '../health/rejections/request-minutes.js';
import { StoreUnavailable } from '../store/store-errors.js';

/** Of the minutes that decide whether rejected requests are alarming, with the most frequent code. */
export function recentRequests(requests: RequestMinutes): HealthFacts['requests'] {
  const counts = new Map<string, number>();
  for (const { code, count } of requests.codes(null, rejectionStateMinutes)) {
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return { ...requests.counts(null, rejectionStateMinutes), code: most?.[0] ?? null };
}

/** None while the store is away: which they are is not known then. */
export async function awayNodes(fleet: Fleet): Promise<string[]> {
  try {
    return (await fleet.nodes()).filter(({ live }) => !live).map(({ name }) => name);
  } catch (error) {
    if (error instanceof StoreUnavailable) return [];
    throw error;
  }
}
