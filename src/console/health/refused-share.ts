/** How many requests were rejected in the minutes that the charts show, why, and whether somebody should look. Pure. */
import { isPoint, type Moment } from './charts/metrics-history.js';

export interface RefusedShare {
  readonly requests: number;
  readonly refused: number;
  /** From 0 to 1; null: nothing was asked. */
  readonly share: number | null;
  /** Most frequent first. */
  readonly reasons: readonly { readonly code: string; readonly count: number }[];
  readonly isAlarming: boolean;
}

/** A game of which one request in twenty fails is broken for somebody; below, it is a crawler or an old key. */
const shareAlarming = 0.05;
/** One wrong request of three says nothing yet. */
const requestsJudgedMin = 20;

export function refusedShare(moments: readonly Moment[]): RefusedShare {
  let [requests, refused] = [0, 0];
  const counts = new Map<string, number>();
  for (const moment of moments) {
    if (!isPoint(moment)) continue;
    requests += moment.answers;
    refused += moment.refusals;
    for (const [code, count] of moment.refusalsByCode) {
      counts.set(code, (counts.get(code) ?? 0) + count);
    }
  }
  const share = requests === 0 ? null : refused / requests;
  const reasons = [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
  const isAlarming = requests >= requestsJudgedMin && share !== null && share >= shareAlarming;
  return { requests, refused, share, reasons, isAlarming };
}
