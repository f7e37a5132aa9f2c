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

/** What the server says of itself. */
export interface Watched {
  readonly status: () => Promise<ServerStatus>;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
  readonly figures: () => Promise<HealthFigures>;
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
  ];
}
