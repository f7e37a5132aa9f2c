/** Whether so many rejected requests are alarming: one rule, for the server, the console and the command. Pure. */
import type { HealthState } from '../operations/health/rejections.js';

export interface RejectionCounts {
  readonly requests: number;
  /** Those with a status of 4xx or 5xx. */
  readonly rejected: number;
  /** Those with a status of 5xx. */
  readonly failed: number;
}

/** One wrong request of three says nothing yet. */
const requestsMin = 20;
/** Below it, it is a crawler or an old key; if one request in twenty fails, a game is broken for some players. */
const rejectedShare = { attention: 0.05, failing: 0.5 } as const;
/** The server's own fault, which no client can help: less of it alarms. */
const failedShare = { attention: 0.01, failing: 0.05 } as const;

/** The rule of `healthStateSchema`, which docs/operating.md explains. */
export function rejectionState({ requests, rejected, failed }: RejectionCounts): HealthState {
  if (requests < requestsMin) return 'healthy';
  const reaches = (level: 'attention' | 'failing'): boolean =>
    rejected / requests >= rejectedShare[level] || failed / requests >= failedShare[level];
  if (reaches('failing')) return 'failing';
  return reaches('attention') ? 'attention' : 'healthy';
}
