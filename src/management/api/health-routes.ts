/** Routes for those who watch the server. No token: the admin listener is on loopback unless its owner moves it. */
import type { AdminApp } from './context.js';

export interface ServerStatus {
  readonly ready: boolean;
  readonly [detail: string]: unknown;
}

export interface Watched {
  readonly status: () => Promise<ServerStatus>;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
}

export function registerHealth(app: AdminApp, watched: Watched): void {
  const schema = { tags: ['health'] };

  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema }, async (_request, reply) => {
    const status = await watched.status();
    return reply.code(status.ready ? 200 : 503).send(status);
  });

  app.get('/metrics', { schema }, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await watched.metrics()),
  );
}
