/** The audit: what was done, by which user, when and from where. In pages, as a whole, and as it happens. */
import { z } from 'zod';
import { auditRowsDefault, auditRowsMax, auditSearchCharsMax, nameCharsMax } from '../limits.js';
import { ndjsonType } from '../media-types.js';
import { operation } from '../operation.js';
import { instantSchema, pageLimit } from '../schemas/common.js';
import { storable } from '../schemas/storable.js';

const revisionNumber = z.int().nullable();

const changedPlaceSchema = z
  .object({
    appVersion: z
      .string()
      .nullable()
      .describe('The app version line of the text; null: it is in the targeting.'),
    path: z.string().describe('JSON pointer (RFC 6901); "" is the whole document.'),
    before: z
      .string()
      .nullable()
      .describe('JSON text, cut where it is long; null: there was none.'),
    after: z.string().nullable().describe('JSON text, cut where it is long; null: there is none.'),
  })
  .register(z.globalRegistry, { id: 'ChangedPlace' });

/** A value that an event changed. */
export type ChangedPlace = z.output<typeof changedPlaceSchema>;

const changedItemSchema = z
  .object({
    content: z.string().describe('Id of the content.'),
    from: revisionNumber.describe('Revision that it is compared with; null: there was none.'),
    to: revisionNumber.describe('Revision that came; null: it was removed.'),
    places: z.int().describe('Changed places that are indexed.'),
    cut: z.boolean().describe('More places changed than are indexed.'),
    shown: z
      .array(changedPlaceSchema)
      .describe('The first of them; of a search by path or value, those that match.'),
  })
  .register(z.globalRegistry, { id: 'ChangedItem' });

/** What an event changed in the values of one content. */
export type ChangedItem = z.output<typeof changedItemSchema>;

const auditEventSchema = z
  .object({
    id: z.string().describe('Sorts by time.'),
    at: z.string(),
    userId: z.string().describe('Empty: the server itself, as for the name `system`.'),
    userName: z.string(),
    action: z.string().describe('`noun.verb`, such as `content.publish`.'),
    environment: z.string().describe('Empty: it is about the whole server.'),
    name: z
      .string()
      .describe('What it was done to: a content, a segment, the id of a key or user.'),
    address: z
      .string()
      .describe(
        'Network address it was asked from; empty: the server itself, or the reader is no owner.',
      ),
    details: z
      .record(z.string(), z.unknown())
      .describe('`before` and `after` hold what changed, where something did.'),
    content: z
      .object({
        id: z.string(),
        change: z.enum(['added', 'changed', 'removed']),
        before: revisionNumber.describe('Live before it.'),
        after: revisionNumber.describe('Live after it.'),
        newest: revisionNumber.describe('The newest after it.'),
        from: revisionNumber.describe('Of a sync: the revision of the source.'),
      })
      .optional()
      .describe(
        'Where `name` was asked for and is a content that this sync or import changed: what it did to it. Numbers of revisions are null where there is none, and where an event from before this was noted does not say.',
      ),
    items: z
      .array(changedItemSchema)
      .optional()
      .describe(
        'What it changed in the values of contents, as far as the index of changes has it already: the first few contents.',
      ),
  })
  .register(z.globalRegistry, { id: 'AuditEvent' });

export type AuditEvent = z.output<typeof auditEventSchema>;
/** What a sync or import did to one content. */
export type AuditedContent = NonNullable<AuditEvent['content']>;

const action = /^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/;

const filterSchema = z.object({
  environment: z.string().max(nameCharsMax).optional().describe('Id of the environment.'),
  action: z
    .string()
    .max(nameCharsMax)
    .regex(action, 'must be such as "content.publish", or "content" for all of its actions')
    .optional()
    .describe('`content.publish`, or `content` for everything that was done to contents.'),
  user: z.string().max(nameCharsMax).optional().describe('Id or name of the user.'),
  name: z
    .string()
    .max(nameCharsMax)
    .optional()
    .describe(
      'What it was done to. For a content, also the syncs, imports, releases and experiments that were about it (in whatever case the name is written).',
    ),
  words: storable(z.string().max(auditSearchCharsMax))
    .optional()
    .describe(
      'Words, each of which is part of a note, comment, title, reason or label, of what it was done to, or of the name of the user. Case does not matter.',
    ),
  path: storable(z.string().max(auditSearchCharsMax))
    .optional()
    .describe(
      'Changed this path: a JSON pointer, with everything below it, or (without a leading slash) part of a pointer in whatever case.',
    ),
  value: storable(z.string().max(auditSearchCharsMax))
    .optional()
    .describe(
      'Changed this value, or to this value: a number, true, false, null or a text in quotes is the whole value; anything else is part of a text in whatever case.',
    ),
  from: instantSchema.optional().describe('RFC 3339 date-time: not before it.'),
  until: instantSchema.optional().describe('RFC 3339 date-time: before it.'),
});

export type AuditQuery = z.output<typeof filterSchema>;

const indexSchema = z
  .object({
    from: z
      .string()
      .nullable()
      .describe('Events from this time on are indexed; null: all of them.'),
    until: z.string().nullable().describe('Events up to this time are indexed; null: all of them.'),
    cut: z
      .int()
      .describe(
        'Contents (at most 100 are counted) of the events in question of which not every changed place is indexed.',
      ),
  })
  .register(z.globalRegistry, { id: 'AuditIndex' });

export type AuditIndex = z.output<typeof indexSchema>;

const eventId = z.string().max(64);

export const listAudit = operation('GET /audit', {
  tag: 'audit',
  description:
    'What was done and by which user, newest first. A user of some environments sees what was done in those. Users that are no owners see what was done to contents, segments, sample users, releases, experiments, metrics, environments and keys, without network addresses.',
  role: 'viewer',
  scoped: true,
  query: filterSchema.extend({
    before: eventId.optional().describe('Id of the event before which the page begins.'),
    limit: pageLimit('Events', auditRowsMax, auditRowsDefault),
  }),
  responses: {
    200: z.object({
      events: z.array(auditEventSchema),
      next: z.string().nullable().describe('`before` of the next page; null on the last.'),
      index: indexSchema
        .nullable()
        .describe('How far the search by path and value reaches; null: it was not one.'),
    }),
  },
});

export const exportAudit = operation('GET /audit/export', {
  tag: 'audit',
  description: 'The same events oldest first, all of them, as NDJSON: one event a line.',
  role: 'viewer',
  scoped: true,
  head: false,
  query: filterSchema,
  responses: { 200: auditEventSchema },
  responseType: ndjsonType,
});

export const streamAudit = operation('GET /audit/stream', {
  tag: 'audit',
  description:
    'The same events as they happen, as NDJSON. An empty line comes at once, and when nothing else does for a while. The stream ends when the server does, when the token is revoked, when the session ends and when its user may see something else; go on with `after`.',
  role: 'viewer',
  scoped: true,
  head: false,
  query: filterSchema.extend({
    after: eventId
      .optional()
      .describe(
        'Id of the event after which it begins; without it and without `from`, it begins now.',
      ),
  }),
  responses: { 200: auditEventSchema },
  responseType: ndjsonType,
  problems: ['limit_reached'],
});
