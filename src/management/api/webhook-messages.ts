/** The messages of webhooks as OpenAPI 3.1 describes them: one entry per type of event. */
import { z } from 'zod';
import { messageData } from '../../contract/schemas/webhook-messages.js';

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
  // It stands inside a document that says which dialect it speaks. As an input: a later version may add fields.
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input', override: withoutBounds });
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

/** Every integer has the bounds of safe ones, which tells nobody anything. */
function withoutBounds({
  jsonSchema,
}: {
  jsonSchema: { minimum?: unknown; maximum?: unknown };
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) jsonSchema.minimum = undefined;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) jsonSchema.maximum = undefined;
}
