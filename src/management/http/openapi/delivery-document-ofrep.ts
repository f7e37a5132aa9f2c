/** OFREP's endpoints for the delivery API's OpenAPI document (docs/ofrep.md): paths, bodies, and errors in the protocol's form. */
import { STATUS_CODES } from 'node:http';
import { headerRefs } from './delivery-document-parts.js';

/** What the protocol calls an error, by Loadout's code for it. */
const errorCodes = {
  invalid_content_type: 'GENERAL',
  invalid_body:
    'PARSE_ERROR or, where the rules need too much work for this context, INVALID_CONTEXT',
  invalid_context: 'INVALID_CONTEXT',
  invalid_sequence: 'GENERAL',
  targeting_key_missing: 'TARGETING_KEY_MISSING',
  too_many_flags: 'GENERAL',
  invalid_api_key: 'GENERAL',
  invalid_token: 'GENERAL',
  flag_not_found: 'FLAG_NOT_FOUND',
  request_timeout: 'GENERAL',
  body_too_large: 'GENERAL',
  rate_limited: 'GENERAL',
  overloaded: 'GENERAL',
  content_unavailable: 'GENERAL',
  sequence_not_reached: 'GENERAL',
  internal: 'GENERAL',
} as const;

type Code = keyof typeof errorCodes;

const ref = (name: string): unknown => ({ $ref: `#/components/schemas/${name}` });

function errorResponse(status: number, schema: string, ...codes: readonly Code[]): unknown {
  const listed = codes.map((code) => `- ${code}: ${errorCodes[code]}`).join('\n');
  const title = status === 413 ? 'Content Too Large' : STATUS_CODES[status];
  return {
    description: `${title}. By \`metadata.code\`, the \`errorCode\`:\n\n${listed}`,
    ...(status === 429 ? { headers: headerRefs('Retry-After') } : {}),
    content: { 'application/json': { schema: ref(schema) } },
  };
}

function errors(schema: string, ...badRequest: readonly Code[]): Readonly<Record<string, unknown>> {
  const codes = [
    'invalid_content_type',
    'invalid_body',
    'invalid_context',
    'invalid_sequence',
  ] as const;
  return {
    400: errorResponse(400, schema, ...codes, ...badRequest),
    401: errorResponse(401, schema, 'invalid_api_key'),
    408: errorResponse(408, schema, 'request_timeout'),
    413: errorResponse(413, schema, 'body_too_large'),
    429: errorResponse(429, schema, 'rate_limited', 'overloaded', 'sequence_not_reached'),
    500: errorResponse(500, schema, 'internal'),
  };
}

const metadata = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'string', enum: Object.keys(errorCodes) } },
} as const;
const errorFields = {
  errorCode: {
    type: 'string',
    enum: ['FLAG_NOT_FOUND', 'PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL'],
  },
  errorDetails: { type: 'string', description: 'One helpful sentence.' },
  metadata,
} as const;

export const ofrepSchemas = {
  OfrepRequest: {
    type: 'object',
    description:
      'The player. Other members are ignored; an empty body, `{}` and a context that is null are an empty context.',
    properties: {
      context: {
        type: ['object', 'null'],
        additionalProperties: true,
        description: 'All members but two are attributes, for the conditions of segments.',
        properties: {
          targetingKey: {
            type: 'string',
            description: 'Id of the user: `u` of the other endpoints.',
          },
          appVersion: {
            description:
              'Version of the calling app, X.Y.Z: chooses the version line. Anything else counts as absent.',
          },
        },
      },
    },
    examples: [{ context: { targetingKey: 'player-123', appVersion: '1.4.0', country: 'US' } }],
  },
  OfrepEvaluation: {
    type: 'object',
    required: ['key', 'value', 'reason', 'variant', 'metadata'],
    properties: {
      key: { type: 'string', description: 'As it was sent, percent-decoded.' },
      value: { type: ['boolean', 'string', 'number', 'object'], additionalProperties: true },
      reason: { type: 'string', enum: ['STATIC', 'DEFAULT', 'TARGETING_MATCH', 'SPLIT'] },
      variant: {
        type: 'string',
        description:
          'The rules that applied, joined by commas: `segment`, or `segment:variant` of an A/B test; `default` where none did.',
      },
      metadata: {
        type: 'object',
        required: ['hash', 'versionLine'],
        properties: {
          hash: { type: 'string', description: '`hash` of the content item.' },
          versionLine: {
            type: 'string',
            description: 'The app version that the line begins with.',
          },
        },
      },
    },
  },
  OfrepFlagError: {
    type: 'object',
    required: ['key', 'errorCode', 'errorDetails', 'metadata'],
    properties: { key: { type: 'string' }, ...errorFields },
  },
  OfrepError: {
    type: 'object',
    required: ['errorCode', 'errorDetails', 'metadata'],
    properties: errorFields,
  },
  OfrepBulk: {
    type: 'object',
    required: ['flags', 'eventStreams', 'metadata'],
    properties: {
      flags: {
        type: 'array',
        items: { anyOf: [ref('OfrepEvaluation'), ref('OfrepFlagError')] },
      },
      eventStreams: {
        type: 'array',
        items: {
          type: 'object',
          required: ['type', 'endpoint', 'inactivityDelaySec'],
          properties: {
            type: { type: 'string', const: 'sse' },
            endpoint: {
              type: 'object',
              required: ['requestUri'],
              properties: {
                requestUri: {
                  type: 'string',
                  description:
                    'Path and query of the stream, which hold a token: not to be logged.',
                },
              },
            },
            inactivityDelaySec: { type: 'integer', minimum: 1 },
          },
        },
      },
      metadata: {
        type: 'object',
        required: ['sequence'],
        properties: { sequence: { type: 'integer', minimum: 0 } },
      },
    },
  },
} as const;

const evaluationExample = {
  key: 'shop/starter/price',
  value: 4.99,
  reason: 'TARGETING_MATCH',
  variant: 'starter-offer',
  metadata: { hash: '9f1d3cb6f2a8e047', versionLine: '0.0.0' },
} as const;

const requestBody = {
  content: { 'application/json': { schema: ref('OfrepRequest') } },
} as const;
const minSequence = {
  in: 'header',
  name: 'X-Min-Sequence',
  description: 'A sequence that the client has seen: waits up to two seconds for it.',
  schema: { type: 'integer', minimum: 0 },
} as const;
const security = [{ apiKey: [] }, { bearer: [] }] as const;

export const ofrepPaths = {
  '/ofrep/v1/evaluate/flags/{key}': {
    post: {
      operationId: 'evaluateFlag',
      tags: ['ofrep'],
      summary: 'One flag',
      description:
        'OpenFeature Remote Evaluation Protocol 0.3.0. The key is a content id, or a content id, a slash and a JSON Pointer into what the content delivers; slashes may be percent-encoded.',
      security,
      parameters: [
        {
          in: 'path',
          name: 'key',
          required: true,
          description: 'Such as `shop/starter/price`.',
          schema: { type: 'string' },
        },
        minSequence,
      ],
      requestBody,
      responses: {
        200: {
          description: 'The value, as the content has it for this player.',
          headers: headerRefs('X-Sequence'),
          content: {
            'application/json': { schema: ref('OfrepEvaluation'), example: evaluationExample },
          },
        },
        ...errors('OfrepFlagError', 'targeting_key_missing'),
        404: errorResponse(404, 'OfrepFlagError', 'flag_not_found'),
      },
    },
  },
  '/ofrep/v1/evaluate/flags': {
    post: {
      operationId: 'evaluateFlags',
      tags: ['ofrep'],
      summary: 'All flags that content items list',
      description:
        'OpenFeature Remote Evaluation Protocol 0.3.0. The flags are those of the setting `flags` of each content item. One that cannot be evaluated is an error among the others.',
      security,
      parameters: [
        {
          in: 'header',
          name: 'If-None-Match',
          description: 'The ETag of the evaluation that you hold.',
          schema: { type: 'string' },
        },
        {
          in: 'query',
          name: 'flagConfigEtag',
          description:
            '`etag` of the event that caused this request: a sequence, as X-Min-Sequence.',
          schema: { type: 'string' },
        },
        {
          in: 'query',
          name: 'flagConfigLastModified',
          description: 'Ignored.',
          schema: { type: 'string' },
        },
        minSequence,
      ],
      requestBody,
      responses: {
        200: {
          description: 'The flags, where to be notified of changes, and the sequence they are of.',
          headers: headerRefs('ETag', 'X-Sequence'),
          content: {
            'application/json': {
              schema: ref('OfrepBulk'),
              example: {
                flags: [evaluationExample],
                eventStreams: [
                  {
                    type: 'sse',
                    endpoint: { requestUri: '/ofrep/v1/stream?token=dG9rZW4' },
                    inactivityDelaySec: 120,
                  },
                ],
                metadata: { sequence: 9041 },
              },
            },
          },
        },
        304: {
          description: 'The evaluation is the one of If-None-Match.',
          headers: headerRefs('ETag', 'X-Sequence'),
        },
        ...errors('OfrepError', 'too_many_flags'),
      },
    },
  },
  '/ofrep/v1/stream': {
    get: {
      operationId: 'ofrepStream',
      tags: ['ofrep'],
      summary: 'Notifies of changes of flags',
      description:
        'Server-sent events of OFREP: one when a flag that is listed may be another one for this player, and none otherwise. The address comes with a bulk evaluation; it is good for 24 hours at most, and ends with its API key.',
      security: [],
      parameters: [
        {
          in: 'query',
          name: 'token',
          required: true,
          description: 'As a bulk evaluation has it.',
          schema: { type: 'string', maxLength: 2048 },
        },
        {
          in: 'header',
          name: 'Last-Event-ID',
          description: 'Id of the last event that came: one that was missed comes at once.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'The stream.',
          content: {
            'text/event-stream': {
              schema: { type: 'string' },
              example: 'id: 9041\ndata: {"type":"refetchEvaluation","etag":"9041"}\n\n',
            },
          },
        },
        401: errorResponse(401, 'OfrepError', 'invalid_token'),
        403: errorResponse(403, 'OfrepError', 'invalid_token'),
        429: errorResponse(429, 'OfrepError', 'rate_limited', 'overloaded'),
        500: errorResponse(500, 'OfrepError', 'internal'),
      },
    },
  },
} as const;
