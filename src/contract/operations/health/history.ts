/** The last hour of a server's figures, which the server itself keeps. */
import { z } from 'zod';
import { historyPointsMax, historyStepMs } from '../../limits.js';
import { operation } from '../../operation.js';
import { instantSchema } from '../../schemas/common.js';

const countSchema = z.int().nonnegative();
const quantileSchema = z.number().nullable();

const processPointSchema = z.object({
  residentBytes: countSchema.describe('Resident memory.'),
  loopDelaySeconds: z.number().describe('Delay of its event loop, 99th percentile.'),
  cores: z.number().describe('CPU time per time.'),
});

const pointSchema = z
  .object({
    at: z.iso.datetime().describe('Its end.'),
    seconds: z.number().describe('How long it lasted.'),
    requests: countSchema,
    rejected: countSchema.describe('Those with a status of 4xx or 5xx.'),
    byEndpoint: z.record(z.string(), countSchema).describe('Requests by endpoint.'),
    byStatus: z
      .record(z.string(), countSchema)
      .describe('Requests by hundreds of the status, such as `4xx`.'),
    rejectedByCode: z
      .record(z.string(), countSchema)
      .describe('Rejected requests by the code of their problem.'),
    latency: z
      .object({ p50: quantileSchema, p95: quantileSchema, p99: quantileSchema })
      .describe('Percentiles of the response time in seconds; null: no requests.'),
    hitRate: z
      .number()
      .nullable()
      .describe('Bodies that were in the cache, from 0 to 1; null: it was not used.'),
    poolQueued: countSchema,
    connections: countSchema,
    streamsOpen: countSchema,
    streamsWaiting: countSchema,
    streamEvents: countSchema.describe('Events that were written to streams.'),
    deliveryProcesses: z
      .array(processPointSchema.extend({ slot: countSchema, requests: countSchema }))
      .describe('Those that served, by slot.'),
    control: processPointSchema.describe('The control process.'),
  })
  .describe('What happened between two looks at the figures.');

export type HistoryPoint = z.output<typeof pointSchema>;

export const getHistory = operation('GET /health/history', {
  tag: 'operations',
  operationId: 'getHealthHistory',
  description: `The figures of this server over the last hour, one point in ${historyStepMs / 1_000} seconds, oldest first. They are kept in memory: a server that starts has none. A time without points is one in which it could not measure.`,
  role: 'viewer',
  // It holds nothing of an environment.
  scoped: true,
  query: z.object({
    after: instantSchema
      .optional()
      .describe('RFC 3339 date-time: only points that end after it, such as the newest known.'),
  }),
  responses: {
    200: z.object({
      node: z.string().describe('Name of this server.'),
      startedAt: z.iso.datetime().describe('When its control process started.'),
      stepSeconds: z.number().describe('How far points are apart.'),
      points: z.array(pointSchema).max(historyPointsMax),
    }),
  },
});
