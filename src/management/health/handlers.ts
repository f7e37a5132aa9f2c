/** Health: whether the server runs, whether it is ready, and its metrics. */
import {
  getFigures,
  getHealth,
  getMetrics,
  getReadiness,
  type HealthFigures,
  type ServerStatus,
} from '../../contract/operations/health.js';
import { type Handler, handle, WithStatus } from '../http/handlers.js';
import { publishedChangeHandlers } from './changes/handlers.js';
import type { HealthFacts } from './findings/facts.js';
import { findingHandlers } from './findings/handlers.js';
import { historyHandlers, type KeptHistory } from './history/handlers.js';
import { rejectionHandlers } from './rejections/handlers.js';
import type { RequestMinutes } from './rejections/request-minutes.js';

/** What the server says of itself. */
export interface Watched {
  readonly status: () => Promise<ServerStatus>;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
  readonly figures: () => Promise<HealthFigures>;
  /** Requests of the last hour. */
  readonly requests: RequestMinutes;
  readonly kept: KeptHistory;
  readonly facts: () => Promise<HealthFacts>;
}

/** @param watched the server that the responses are about */
export function healthHandlers(watched: Watched): readonly Handler[] {
  return [
    handle(getHealth, async () => ({ status: 'ok' as const })),

    handle(getReadiness, async () => {
      const status = await watched.status();
      return status.ready ? status : new WithStatus(503, status);
    }),

    handle(getMetrics, async ({ reply }) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(await watched.metrics()),
    ),

    handle(getFigures, watched.figures),
    ...rejectionHandlers(watched.requests),
    ...historyHandlers(watched.kept),
    ...findingHandlers(watched.facts),
    ...publishedChangeHandlers,
  ];
}
