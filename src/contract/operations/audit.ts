/** The audit: what was done, by which user, when and from where. In pages, as a whole, and as it happens. */
import { z } from 'zod';
import { auditRowsDefault, auditRowsMax, nameCharsMax } from '../limits.js';
import { ndjsonType } from '../media-types.js';
import { operation } from '../operation.js';
import { instantSchema, pageLimit } from '../schemas/common.js';

const revisionNumber = z.int().nullable();

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
    address: z.string().describe('Network address it was asked from; empty: the server itself.'),
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
      'What it was done to. For a content, also the syncs and imports that changed it (in whatever case the name is written).',
    ),
  from: instantSchema.optional().describe('RFC 3339 date-time: not before it.'),
  until: instantSchema.optional().describe('RFC 3339 date-time: before it.'),
});

export type AuditQuery = z.output<typeof filterSchema>;

const eventId = z.string().max(64);

export const listAudit = operation('GET /audit', {
  tag: 'audit',
  description:
    'What was done and by which user, newest first. An owner of some environments sees what was done in those.',
  role: 'owner',
  scoped: true,
  query: filterSchema.extend({
    before: eventId.optional().describe('Id of the event before which the page begins.'),
    limit: pageLimit('Events', auditRowsMax, auditRowsDefault),
  }),
  responses: {
    200: z.object({
      events: z.array(auditEventSchema),
      next: z.string().nullable().describe('`before` of the next page; null on the last.'),
    }),
  },
});

export const exportAudit = operation('GET /audit/export', {
  tag: 'audit',
  description: 'The same events oldest first, all of them, as NDJSON: one event a line.',
  role: 'owner',
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
  role: 'owner',
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
