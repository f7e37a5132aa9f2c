/** The messages of webhooks as OpenAPI 3.1 describes them: one entry per type of event, with its `data`. */
import { z } from 'zod';
import { type EventType, testEventType } from '../../webhooks/event-types.js';
import { JsonSchemas } from './json-schema.js';

const environment = z.string().describe('Its id.');
const sequence = z
  .int()
  .describe('The number of the change. Of two messages about one thing the higher one is newer.');
const by = z.string().describe('Name of the user who did it.');
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
  [testEventType]: z
    .object({ webhook: z.string(), by })
    .describe('Somebody pressed the test button.'),
} as const satisfies Readonly<Record<EventType | typeof testEventType, z.ZodType>>;

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const headers = [
  header('webhook-id', 'The same in every attempt to send this message, and at every webhook.'),
  header('webhook-timestamp', 'Seconds since the epoch, of this attempt.'),
  header(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `{id}.{timestamp}.{body}`, as Standard Webhooks has it.',
  ),
];

/** The `webhooks` member of the OpenAPI document. */
export const webhookMessages: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(messageData).map(([type, data]) => [type, { post: operation(type, data) }]),
);

function operation(type: string, data: z.ZodType): object {
  const shape = z.object({
    type: z.literal(type),
    timestamp: z.string().meta({ format: 'date-time', description: 'When it happened.' }),
    data,
  });
  const schema = new JsonSchemas().of(shape, 'output');
  return {
    operationId: operationId(type),
    tags: ['webhooks'],
    summary: `The message ${type}`,
    // The receiver checks the signature; no scheme of this API is in it.
    security: [],
    description: data.description,
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'It was received.' },
      '410': { description: 'Send nothing more: the webhook is switched off.' },
      default: { description: 'It is sent again later, over about a day.' },
    },
  };
}

/** `content.published` gives `onContentPublished`. */
function operationId(type: string): string {
  const words = type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
