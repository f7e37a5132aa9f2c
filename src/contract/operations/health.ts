/** Health, for monitoring. No token: the admin port is on loopback unless the operator moves it. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { sequenceSchema } from '../schemas/common.js';

const statusSchema = z
  .looseObject({
    ready: z.boolean(),
    draining: z
      .literal(true)
      .optional()
      .describe('The server was told to end, and serves until `--drain-delay` is over.'),
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

const countSchema = z.int().nonnegative();

const loadSchema = z.object({
  residentBytes: countSchema.describe('Resident memory.'),
  cpuSeconds: z.number().describe('CPU time of all its threads since it started.'),
  eventLoopDelayP99Seconds: z
    .number()
    .describe('Delay of its event loop in the last 5 to 10 seconds, 99th percentile.'),
  startedAt: z.iso.datetime(),
});

const deliveryProcessSchema = loadSchema
  .extend({
    slot: countSchema.describe('From 0. A process that takes the place of another has its slot.'),
    sequence: sequenceSchema.describe('The sequence that it serves.'),
    connections: countSchema,
    poolQueued: countSchema.describe(
      'Bodies that wait for a pool worker or that a worker renders.',
    ),
    cacheHits: countSchema,
    cacheMisses: countSchema,
    cacheBytes: countSchema,
    cacheEntries: countSchema,
    requests: z
      .record(z.string(), z.record(z.string(), countSchema))
      .describe('Responses by endpoint, then by status.'),
    rejected: z
      .record(z.string(), countSchema)
      .describe('Rejected requests (4xx and 5xx) by the code of their problem.'),
    streams: z
      .object({
        open: countSchema,
        openMax: countSchema.describe('The most that can be open.'),
        waiting: countSchema.describe('Streams that wait for the event of a change.'),
        events: countSchema.describe('Events that were written to streams.'),
        ended: z
          .record(z.string(), countSchema)
          .describe(
            'Ended streams by reason. client: it left, or read too slowly; key: revoked or expired; draining: the process stopped; failed: the refresh could not be made.',
          ),
      })
      .describe('Of `/api/v1/stream` and of OFREP.'),
    latency: z
      .object({
        boundsSeconds: z.array(z.number()).describe('Upper bounds of the buckets, ascending.'),
        counts: z
          .array(countSchema)
          .describe('Responses per bucket; the last counts those above all bounds.'),
      })
      .describe('From the head of a request to its response, over all endpoints.'),
  })
  .describe('Counts are since the start of the process.');

const figuresSchema = z.object({
  sequence: sequenceSchema.describe('The newest sequence that is published.'),
  deliveryProcessesWanted: countSchema,
  deliveryProcesses: z.array(deliveryProcessSchema).describe('Those that serve, by slot.'),
  control: loadSchema.describe('The control process.'),
  clockAheadSeconds: z
    .number()
    .nullable()
    .describe(
      "How far this server's clock is ahead of the store's; negative: behind. null: not compared yet, or an embedded store, which has no clock of its own.",
    ),
  clockSkewed: z
    .boolean()
    .describe(
      'Whether that is more than a second ahead or behind, whatever the error of the comparison, as the log says (`clock_skew`).',
    ),
  webhooks: z
    .object({
      pending: countSchema.describe('Messages that wait, for their turn or for another attempt.'),
      failing: countSchema.describe('Webhooks that are on and whose last attempt failed.'),
      disabled: countSchema.describe('Webhooks that are off, by hand or after failing too long.'),
      switchedOff: countSchema.describe('Of these, those that failed for too long.'),
    })
    .nullable()
    .describe('null: the store has been away since the server started.'),
});

export type HealthFigures = z.output<typeof figuresSchema>;

export const getFigures = operation('GET /metrics.json', {
  tag: 'health',
  description:
    'The figures of the Health screen, for one server: what `/metrics` counts of processes, requests and webhooks, as JSON.',
  responses: { 200: figuresSchema },
});
