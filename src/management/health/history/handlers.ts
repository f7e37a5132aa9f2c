/** The hour of figures that this server keeps. */
import { parseInstant } from '../../../content/mapping/instant.js';
import { historyPointsMax, historyStepMs } from '../../../contract/limits.js';
import { getHistory } from '../../../contract/operations/health/history.js';
import { type Handler, handle } from '../../http/handlers.js';
import { toIso } from '../../to-iso.js';
import type { ServerHistory } from './server-history.js';

/** What a server keeps, and which it is. */
export interface KeptHistory {
  readonly history: Pick<ServerHistory, 'points'>;
  readonly node: string;
  /** When the control process started, milliseconds since the epoch. */
  readonly startedMs: number;
}

export function historyHandlers({ history, node, startedMs }: KeptHistory): readonly Handler[] {
  return [
    handle(getHistory, async ({ query, context: { now } }) => {
      const hourAgoMs = now() - historyPointsMax * historyStepMs;
      const afterMs = Math.max(hourAgoMs, parseInstant(query.after ?? '') ?? 0);
      return {
        node,
        startedAt: toIso(startedMs),
        stepSeconds: historyStepMs / 1_000,
        points: history.points(afterMs),
      };
    }),
  ];
}
