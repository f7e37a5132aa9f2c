/** What a request asks of the audit, and how an event of it is shown. */
import { z } from 'zod';
import { parseInstant } from '../../content/mapping/instant.js';
import { nameCharsMax } from '../../contract/limits.js';
import { instantSchema } from '../../contract/schemas/common.js';
import type { AuditEvent, AuditFilter } from '../store/audit.js';
import type { User } from '../store/users.js';
import { toIso } from '../to-iso.js';

const revisionNumber = z.int().nullable();

export const eventSchema = z.object({
  id: z.string().describe('Sorts by time.'),
  at: z.string(),
  userId: z.string().describe('Empty: the server itself, as for the name `system`.'),
  userName: z.string(),
  action: z.string().describe('`noun.verb`, such as `content.publish`.'),
  environment: z.string().describe('Empty: it is about the whole server.'),
  name: z.string().describe('What it was done to: a content, a segment, the id of a key or user.'),
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
});
eventSchema.register(z.globalRegistry, { id: 'AuditEvent' });

const action = /^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/;

export const auditFilterSchema = z.object({
  environment: z.string().max(nameCharsMax).optional().describe('Id of the environment.'),
  action: z
    .string()
    .max(nameCharsMax)
    .regex(action, 'must be such as "content.publish", or "content" for all of its actions')
    .optional()
    .describe('`content.publish`, or `content` for everything that was done to contents.'),
  user: z.string().max(nameCharsMax).optional().describe('Id or name of who did it.'),
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

/** The events that were asked for, of those that the user may see. */
export function auditFilterOf(
  query: z.infer<typeof auditFilterSchema>,
  user: Pick<User, 'environments'>,
): AuditFilter {
  const { environment, action: wanted, user: by, name, from, until } = query;
  return {
    environments: environmentsOf(environment, user),
    action: wanted,
    user: by,
    name,
    fromMs: from === undefined ? undefined : (parseInstant(from) ?? undefined),
    untilMs: until === undefined ? undefined : (parseInstant(until) ?? undefined),
  };
}

/** An environment that is not the user's has no events for them, like one that does not exist. */
function environmentsOf(
  environment: string | undefined,
  user: Pick<User, 'environments'>,
): readonly string[] | null {
  if (environment === undefined) return user.environments;
  return user.environments?.includes(environment) === false ? [] : [environment];
}

export function eventJson(event: AuditEvent): z.infer<typeof eventSchema> {
  const { atMs, details, ...rest } = event;
  return { ...rest, at: toIso(atMs), details: { ...details } };
}
