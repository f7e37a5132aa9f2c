/** What the messages of webhooks hold: the `data` of each type. */
import { z } from 'zod';
import { type MessageType, testEventType } from '../events.js';

const environment = z.string().describe('Its id.');
const sequence = z
  .int()
  .describe('The number of the change. Of two messages about one thing the higher one is newer.');
const by = z.string().describe('Name of the user.');
const about = { environment, sequence, by };
const action = z.string().optional().describe('What was done, as the audit names it.');
const bulk = {
  ...about,
  contents: z.int().describe('How many contents changed.'),
  published: z.array(z.string()).describe('Their ids, of the first 500.'),
  deleted: z.array(z.string()).describe('Of these, those that are delivered no more.'),
  segments: z.array(z.string()).describe('Names of the saved segments that changed.'),
  cut: z.boolean().describe('Not all are named: the catalog has the rest.'),
};
const key = z.object({
  ...about,
  id: z.string(),
  label: z.string(),
  prefix: z.string().describe('The first characters of the key.'),
});
const segment = z.object({ ...about, name: z.string() });
const release = z.object({
  ...about,
  release: z.int().describe('Number of the release.'),
  title: z.string(),
  state: z.string().describe('The state that it is in now.'),
  percent: z.number().nullable().describe('Of the users that are in; null: it does not ramp.'),
  reason: z.string().describe('Why, in a sentence; empty without a reason.'),
});
/** Goes live, starts or ends: contents change for players. */
const releaseWithContents = release.extend({
  contents: z.int().describe('How many contents players may receive differently.'),
  reaches: z.array(z.string()).describe('Their ids, of the first 500.'),
  cut: z.boolean().describe('Not all are named.'),
});

/** The `data` of each type of message. */
export const messageData = {
  'content.published': z
    .object({
      ...about,
      id: z.string(),
      revision: z.int().describe('The live revision.'),
      hash: z.string().nullable().describe('Of the highest line, as in the catalog.'),
      action,
    })
    .describe('Another revision of a content is live: saved, published, rolled back or restored.'),
  'content.deleted': z
    .object({ ...about, id: z.string(), action })
    .describe('A content is delivered no more.'),
  'environment.synced': z
    .object({ ...bulk, from: z.string().describe('The environment that it came from.') })
    .describe('A sync changed contents or segments. Its contents have no messages of their own.'),
  'environment.imported': z
    .object(bulk)
    .describe(
      'An import changed contents or segments. Its contents have no messages of their own.',
    ),
  'environment.deleted': z.object(about).describe('An environment is gone with everything in it.'),
  'key.created': key.describe('An API key was made.'),
  'key.revoked': key.describe('An API key was revoked.'),
  'segment.changed': segment
    .extend({
      revision: z.int().nullable().describe('Number of the revision that holds the condition.'),
      contents: z
        .int()
        .describe(
          'Contents that are delivered with it; another condition gives them other hashes.',
        ),
      reaches: z.array(z.string()).describe('Their ids, the first of them.'),
      cut: z.boolean().describe('There are more than are named.'),
    })
    .describe('A saved segment was made, changed or rolled back.'),
  'segment.deleted': segment.describe('A saved segment was deleted.'),
  'release.submitted': release.describe('A release waits for review.'),
  'release.approved': release.describe('A release has the approvals that it needs.'),
  'release.rejected': release.describe('A release was sent back to its author.'),
  'release.scheduled': release.describe('A release was scheduled, or its schedule was taken back.'),
  'release.started': releaseWithContents.describe('A ramp has begun.'),
  'release.stepped': releaseWithContents.describe('A ramp has reached its next step.'),
  'release.paused': release.describe('A ramp was paused.'),
  'release.resumed': release.describe('A paused ramp goes on.'),
  'release.stopped': releaseWithContents.describe(
    'A ramp was stopped: no player receives the candidate any more.',
  ),
  'release.live': releaseWithContents.describe(
    'A release is live for all players. Its contents have no messages of their own.',
  ),
  'release.reverted': releaseWithContents.describe(
    'A release was reverted. Its contents have no messages of their own.',
  ),
  'release.failed': release.describe('A release could not start or go on.'),
  'release.cancelled': release.describe('A release was given up.'),
  'release.emergency': release.describe('An owner published without approvals.'),
  [testEventType]: z.object({ webhook: z.string(), by }).describe('A test was requested.'),
} as const satisfies Readonly<Record<MessageType, z.ZodType>>;

export type MessageData<T extends MessageType> = z.output<(typeof messageData)[T]>;
