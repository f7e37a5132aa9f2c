/**
 * What a server and its followers say to each other (D128): paths, lines of changes, reports. A server of another protocol is
 * refused in words: nothing of what is published may be understood by half.
 */
import { z } from 'zod';
import { followBodiesMax, followerNameCharsMax, followerNamesMax } from '../limits/follow.js';
import { relayedSchema } from './relayed-schema.js';

/** Raised whenever the lines below, or what they carry, change. */
export const followProtocol = 1;
/** Both sides name their protocol in this header. */
export const protocolHeader = 'x-loadout-follow';
/** A response has it where the follower is one too many: no edit waits for it. */
export const notWaitedForHeader = 'x-loadout-follow-not-waited-for';

export const followPaths = {
  position: '/follow/v1/position',
  next: '/follow/v1/next',
  changes: '/follow/v1/changes',
  bodies: '/follow/v1/bodies',
  report: '/follow/v1/report',
} as const;

const whole = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const mark = z.string().max(200);
const name = z.string().max(followerNameCharsMax);

export const positionSchema = z.strictObject({ sequence: whole, mark });

/** Where a parent is, and what an empty one looks like. */
export const parentPositionSchema = positionSchema.extend({
  storeId: z.string(),
  servesNothing: z.boolean(),
});
export type ParentPosition = z.output<typeof parentPositionSchema>;

/**
 * The first line of changes. `behind`: the parent has not got what the follower serves, or it has the same number of another
 * history; there is nothing that could be read.
 */
export const headSchema = parentPositionSchema.extend({
  streamKey: z.string(),
  form: z.enum(['none', 'changes', 'everything', 'behind']),
});
export type ChangesHead = z.output<typeof headSchema>;

const deliverySchema = z.strictObject({
  lines: z.array(z.strictObject({ version: z.string(), digest, hash: z.string(), bytes: whole })),
  mappingDigest: z.union([digest, z.literal('')]),
  flags: z.array(z.string()),
});
export type DeliveryLine = z.output<typeof deliverySchema>;

const environment = z.string();

/** One thing that changed, with addresses in the place of texts. The last line says that nothing is missing. */
export const lineSchema = z.discriminatedUnion('kind', [
  /** `settings` as published.db has them. */
  z.strictObject({ kind: z.literal('environment'), environment, settings: z.string() }),
  z.strictObject({ kind: z.literal('environment-removed'), environment }),
  z.strictObject({
    kind: z.literal('key'),
    environment,
    keyHash: digest,
    expiresAtMs: z.number().nullable(),
    purpose: z.enum(['game', 'events']),
  }),
  z.strictObject({ kind: z.literal('key-removed'), keyHash: z.string() }),
  z.strictObject({
    kind: z.literal('segment'),
    environment,
    name: z.string(),
    when: z.string().nullable(),
    candidate: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('segment-removed'), environment, name: z.string() }),
  deliverySchema.extend({
    kind: z.literal('content'),
    environment,
    id: z.string(),
    candidate: z
      .strictObject({
        ...{ release: z.string(), run: whole, salt: z.string(), permille: whole, step: whole },
        receipts: z.boolean(),
        content: deliverySchema.nullable(),
      })
      .nullable(),
  }),
  z.strictObject({ kind: z.literal('content-removed'), environment, id: z.string() }),
  /** A short text of the contents that come after it: what most edits need is there without another request. */
  z.strictObject({ kind: z.literal('body'), digest, text: z.string() }),
  z.strictObject({ kind: z.literal('end'), lines: whole }),
]);
export type ChangeLine = z.output<typeof lineSchema>;
export type ContentLine = Extract<ChangeLine, { kind: 'content' }>;

export const bodiesRequestSchema = z.strictObject({
  digests: z.array(digest).min(1).max(followBodiesMax),
});

/** Null: nothing that is published uses it any more. */
export const bodyLineSchema = z.strictObject({ digest, text: z.string().nullable() });

/** What a follower says of itself and of those that follow it. */
const followerStateSchema = z.object({
  ...{ id: name, name, address: name, version: name },
  /** Of one start of the follower, and the number of what it says: what arrives late says nothing new. */
  ...{ run: name, said: whole },
  upMs: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  /** What all its own delivery processes serve. */
  served: positionSchema,
  serving: whole,
  /** The least that it and its live followers serve. */
  tree: positionSchema,
  /** Servers below it, at any depth. */
  live: whole,
  away: whole,
  /** Names of some that are away or behind. */
  names: z.array(name).max(followerNamesMax),
});
export type FollowerState = z.output<typeof followerStateSchema>;

/** The question for what comes after a position, which is a report too: an edit costs a follower one request. */
export const nextRequestSchema = followerStateSchema.extend({ known: positionSchema });

export const reportSchema = followerStateSchema.extend({
  /** It ends in order, and is not to be waited for. */
  leaves: z.boolean(),
  relayed: relayedSchema,
});
export type FollowerReport = z.output<typeof reportSchema>;
