/** Streams of all delivery processes together, and why they ended. Pure. */
import type { HealthFigures } from '../../contract/operations/health.js';

type ProcessFigures = HealthFigures['deliveryProcesses'][number];

export interface StreamTotals {
  readonly open: number;
  readonly openMax: number;
  readonly waiting: number;
  /** Sent since the delivery processes started. */
  readonly events: number;
  /** Since the delivery processes started, most frequent first. */
  readonly ended: readonly { readonly reason: string; readonly count: number }[];
  /** Some delivery process soon rejects streams. The kernel, not the server, spreads connections over them. */
  readonly isNearlyFull: boolean;
}

/** As in the alerts of the operators' page. */
const fullShare = 0.9;

export function streamTotals(processes: readonly Pick<ProcessFigures, 'streams'>[]): StreamTotals {
  const all = processes.map(({ streams }) => streams);
  const sum = (name: 'open' | 'openMax' | 'waiting' | 'events') =>
    all.reduce((total, streams) => total + streams[name], 0);
  const counts = new Map<string, number>();
  for (const [reason, count] of all.flatMap(({ ended }) => Object.entries(ended))) {
    if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return {
    open: sum('open'),
    openMax: sum('openMax'),
    waiting: sum('waiting'),
    events: sum('events'),
    ended: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
    isNearlyFull: all.some(({ open, openMax }) => open > openMax * fullShare),
  };
}

const endings: Readonly<Record<string, string>> = {
  client: 'The client closed the connection, or read too slowly.',
  key: 'The API key was revoked, or it expired.',
  draining: 'The delivery process stopped or was replaced; its clients connect again.',
  failed: 'The server could not make the refresh of the stream; its log says why.',
};

/** @param reason as in `streams.ended` */
export function describeEnding(reason: string): string {
  return endings[reason] ?? 'The server log says why.';
}
