/**
 * What a follower's delivery processes have reported of requests, see `FromDelivery`. What a server takes from its own processes
 * as it is, it checks here: one bad number would break a listing, or wait to be written for good.
 */
import { z } from 'zod';
import { environmentIdSchema, nameSchema } from '../../contract/schemas/common.js';
import { experimentIdSchema } from '../../contract/schemas/experiment.js';
import type { AssignedReport, KeyUse, ReceiptBatch } from '../../published/barrier.js';
import {
  parseRejection,
  type RequestReport,
  rejectionCodes,
  rejectionText,
} from '../../published/request-report.js';
import type { SeenTraffic } from '../../published/traffic.js';
import { rejectedContentCharsMax } from '../limits/experiments.js';
import { relayedClockAheadMsMax } from '../limits/follow.js';

const whole = z.int().min(0);
const keyHash = z.string().regex(/^[0-9a-f]{64}$/);
const few = <T extends z.ZodType>(of: T, max: number): z.ZodArray<T> => z.array(of).max(max);

/** Milliseconds since the epoch. Clocks of delivery processes have fractions, columns have none. */
const time = z
  .number()
  .min(0)
  .refine((ms) => ms <= Date.now() + relayedClockAheadMsMax)
  .transform(Math.trunc);
const day = z.iso.date().refine((text) => Date.parse(text) <= Date.now() + relayedClockAheadMsMax);

/** '': requests without a key that is served. */
const environmentOrNone = z.union([environmentIdSchema, z.literal('')]);
const knownCodes: ReadonlySet<string> = new Set(rejectionCodes);
/** A code that only a newer version has counts as `other`: a follower cannot make labels of metrics without bound. */
const code = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/)
  .transform((text) => (knownCodes.has(text) ? text : 'other'));
const status = z.int().min(400).max(599);

/** See `rejectionText`. */
const rejectionSchema = z.object({
  ...{ code, status, environment: environmentOrNone },
  keyHash: z.union([keyHash, z.literal('')]),
  content: z.string().max(rejectedContentCharsMax),
});
const rejection = z.string().transform((text, context) => {
  const item = rejectionSchema.safeParse(parseRejection(text));
  if (item.success) return rejectionText(item.data);
  context.addIssue('It is no reason of a rejection.');
  return z.NEVER;
});
const rejectedItems = z.object({
  items: few(z.tuple([rejection, whole, time]), 10_000),
  offset: whole,
});

const lineBreak = /[\r\n]/;

/** One line: samples are kept as lines. */
const jsonLine = z.string().max(16_384).refine(isJsonLine);

function isJsonLine(text: string): boolean {
  if (lineBreak.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const relayedSchema = z.object({
  used: few(z.tuple([keyHash, time]), 100_000) as z.ZodType<KeyUse[]>,
  traffic: few(
    z.object({
      environment: environmentIdSchema,
      names: few(nameSchema, 10_000),
      values: few(
        z.object({
          ...{ name: nameSchema, looked: whole },
          values: few(z.tuple([jsonLine, whole]), 10_000),
        }),
        10_000,
      ),
      sampled: z
        .object({
          // Each that was looked at stands for some: an estimate.
          requests: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
          contexts: few(z.object({ json: jsonLine, isReduced: z.boolean() }), 10_000),
        })
        .nullable(),
    }),
    10_000,
  ) as z.ZodType<SeenTraffic[]>,
  receipts: few(
    z.object({
      ...{ environment: environmentIdSchema, release: z.string().regex(/^\d{1,15}$/) },
      ...{ run: whole, step: whole },
      users: few(
        z.object({
          userHash: z.string().regex(/^[0-9a-f]{16}$/),
          network: z.string().regex(/^[0-9a-f]{0,16}$/),
          slice: z.enum(['candidate', 'control']),
          startedAt: time.nullable(),
          ok: z.boolean().nullable(),
        }),
        100_000,
      ),
    }),
    10_000,
  ) as z.ZodType<ReceiptBatch[]>,
  assigned: few(
    z.object({
      ...{ environment: environmentIdSchema, experiment: experimentIdSchema, phase: whole, day },
      users: z.base64().max(16 * 1024 * 1024),
    }),
    1_000,
  ) as z.ZodType<AssignedReport[]>,
  requests: few(
    z.object({
      requests: few(z.tuple([environmentOrNone, whole]), 10_000),
      rejected: few(z.tuple([environmentOrNone, code, status, whole]), 10_000),
      keyed: rejectedItems,
      unkeyed: rejectedItems,
    }),
    1_000,
  ) as z.ZodType<RequestReport[]>,
});
export type Relayed = z.output<typeof relayedSchema>;
