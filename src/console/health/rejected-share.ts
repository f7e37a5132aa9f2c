/** How many requests were rejected in the minutes that the charts show, why, and whether that is alarming. Pure. */
import { isPoint, type Moment } from './charts/metrics-history.js';

export interface RejectedShare {
  readonly requests: number;
  readonly rejected: number;
  /** From 0 to 1; null: no requests. */
  readonly share: number | null;
  /** Most frequent first. */
  readonly reasons: readonly { readonly code: string; readonly count: number }[];
  readonly isAlarming: boolean;
}

/** If one request in twenty fails, a game is broken for some players; below that, it is a crawler or an old key. */
const shareAlarming = 0.05;
/** One wrong request of three says nothing yet. */
const requestsMin = 20;

export function rejectedShare(moments: readonly Moment[]): RejectedShare {
  const points = moments.filter(isPoint);
  const requests = points.reduce((sum, point) => sum + point.requests, 0);
  const rejected = points.reduce((sum, point) => sum + point.rejected, 0);
  const counts = new Map<string, number>();
  for (const [code, count] of points.flatMap(({ rejectedByCode }) => [...rejectedByCode])) {
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const share = requests === 0 ? null : rejected / requests;
  const reasons = [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
  const isAlarming = requests >= requestsMin && share !== null && share >= shareAlarming;
  return { requests, rejected, share, reasons, isAlarming };
}
