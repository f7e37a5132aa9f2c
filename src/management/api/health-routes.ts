/** Routes for those who watch the server. No token: the admin listener is on loopback unless its owner moves it. */
import { z } from 'zod';
import { sequenceSchema } from '../../contract/schemas/common.js';
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

const statusSchema = z
  .looseObject({
    ready: z.boolean(),
    listeners: z.int().optional().describe('Delivery processes that serve now.'),
    listenersWanted: z.int().optional(),
    sequence: sequenceSchema.optional(),
    store: z
      .enum(['available', 'unavailable'])
      .optional()
      .describe('Unavailable: edits are refused, and players are served what was published last.'),
    certificate: z
      .enum(['valid', 'expired', 'not_yet_valid', 'reload_failed'])
      .optional()
      .describe(
        'The certificate of the delivery port, where it has one. reload_failed: the files could not be used at the last reload, and an earlier certificate is served; the log has the reason.',
      ),
    certificateExpiresAt: z.iso.datetime().optional().describe('Of the certificate served.'),
  })
  .meta({
    examples: [{ ready: true, listeners: 3, listenersWanted: 3, sequence: 42, store: 'available' }],
  });

export function registerHealth(app: AdminApp, watched: Watched): void {
  const tags = ['health'];

  app.get(
    '/healthz',
    {
      schema: {
        tags,
        description: 'Whether the control process answers at all.',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      schema: {
        tags,
        description:
          'Whether players are served and edits reach them; 503 with the same body if not. While the store is away players are served, so the server stays ready, and `store` says that edits are refused. While a renewed certificate cannot be used, the earlier one is served, so the server stays ready, and `certificate` says so.',
        response: { 200: statusSchema, 503: statusSchema.describe('Not ready.') },
      },
    },
    async (_request, reply) => {
      const status = await watched.status();
      return reply.code(status.ready ? 200 : 503).send({ ...status });
    },
  );

  app.get(
    '/metrics',
    {
      schema: {
        tags,
        description: 'What all processes count, for Prometheus.',
        response: {
          200: {
            description: 'Prometheus text, version 0.0.4.',
            content: { 'text/plain': { schema: z.string() } },
          },
        },
      },
    },
    async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(await watched.metrics()),
  );
}
