/** Health, for monitoring. No token: the admin port is on loopback unless the operator moves it. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { sequenceSchema } from '../schemas/common.js';

const statusSchema = z
  .looseObject({
    ready: z.boolean(),
    listeners: z.int().optional().describe('Delivery processes that serve now.'),
    listenersWanted: z.int().optional(),
    sequence: sequenceSchema.optional(),
    store: z
      .enum(['available', 'unavailable'])
      .optional()
      .describe('Unavailable: edits are rejected, and players are served what was published last.'),
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

export type ServerStatus = z.output<typeof statusSchema>;

export const getHealth = operation('GET /healthz', {
  tag: 'health',
  description: 'Whether the control process responds at all.',
  responses: { 200: z.object({ status: z.literal('ok') }) },
});

export const getReadiness = operation('GET /readyz', {
  tag: 'health',
  description:
    'Whether players are served and edits reach them; 503 with the same body if not. While the store is away players are served, so the server stays ready, and `store` says that edits are rejected. While a renewed certificate cannot be used, the earlier one is served, so the server stays ready, and `certificate` says so.',
  responses: { 200: statusSchema, 503: statusSchema.describe('Not ready.') },
});

export const getMetrics = operation('GET /metrics', {
  tag: 'health',
  description: 'What all processes count, for Prometheus.',
  responses: { 200: z.string().describe('Prometheus text, version 0.0.4.') },
  responseType: 'text/plain',
});
