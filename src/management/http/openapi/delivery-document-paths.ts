/** The delivery API's endpoints for its OpenAPI document: parameters, bodies, and every response of each. */
import { headerRefs, problemResponse } from './delivery-document-parts.js';

const contentId = {
  in: 'path',
  name: 'contentId',
  required: true,
  description: 'Id of the content; case does not matter.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  example: 'shop',
} as const;

const minSequence = {
  in: 'header',
  name: 'X-Min-Sequence',
  description:
    'The `sequence` of an edit: the response waits for it, for a while, and is never made from anything older.',
  schema: { type: 'integer', minimum: 0 },
} as const;

const responseType = {
  in: 'query',
  name: 'responseType',
  description: 'Gives `data` as a string of JSON. Case matters. On combine only with dynamic=true.',
  schema: { type: 'string', enum: ['serialized'] },
} as const;

const contentType = {
  in: 'header',
  name: 'Content-Type',
  required: true,
  description:
    'Always `application/json`, though a GET has no body. OpenAPI leaves this header out of account, so a generator may not send it: then give it to the call, or to all calls of the client.',
  schema: { type: 'string', enum: ['application/json'] },
} as const;

const requestBody = bodyOf('UserContext');

function bodyOf(
  name:
    | 'UserContext'
    | 'CombineRequest'
    | 'RefreshRequest'
    | 'StreamRequest'
    | 'Receipt'
    | 'EventsRequest',
) {
  const schema = { $ref: `#/components/schemas/${name}` };
  return { required: true, content: { 'application/json': { schema } } } as const;
}

/** Any JSON: the content, byte for byte as it was stored, without comments and white space. */
const anyContent = { description: 'The content.' } as const;

function success(description: string, schema: unknown, example: unknown): unknown {
  return {
    description,
    headers: headerRefs('X-Sequence'),
    content: { 'application/json': { schema, example } },
  };
}

/** The problems of every endpoint, beside its own codes for 400. */
function commonProblems(...badRequest: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    400: problemResponse('400', ...badRequest, 'invalid_sequence'),
    401: problemResponse('401', 'invalid_api_key'),
    408: problemResponse('408', 'request_timeout'),
    429: problemResponse('429', 'rate_limited'),
    500: problemResponse('500', 'internal'),
    503: problemResponse('503', 'overloaded', 'sequence_not_reached'),
  };
}

const wrappedExample = {
  data: { currency: 'gold', discount: 20 },
  hash: '9f1d3cb6f2a8e047',
  meta: { uid: 2_887_313_123, mod: 123, seg: [{ n: 'whales', v: null }] },
} as const;

/** Of the HTTP parser, in its own form, without a type. */
const headTooLarge = {
  description: 'The head of the request is longer than 32 KiB.',
} as const;

const seeWrapped = { $ref: '#/components/schemas/Wrapped' } as const;

export const paths = {
  '/api/v1/config/{contentId}/dynamic': {
    post: {
      operationId: 'getWrappedContent',
      tags: ['contents'],
      summary: 'One content, wrapped',
      description:
        'The content with its hash and with what was chosen for the user: segmentation and A/B tests apply.',
      parameters: [contentId, responseType, minSequence],
      requestBody,
      responses: {
        200: success(
          'The content, its hash, and why it looks as it does.',
          seeWrapped,
          wrappedExample,
        ),
        ...commonProblems('invalid_content_type', 'invalid_body', 'invalid_query'),
        404: problemResponse('404', 'content_not_found'),
        413: problemResponse('413', 'body_too_large'),
      },
    },
  },
  '/api/v1/config/{contentId}': {
    post: {
      operationId: 'getContent',
      tags: ['contents'],
      summary: 'One content, alone',
      description:
        'The content itself, without segmentation and A/B tests; `v` still chooses the line. Query parameters are ignored.',
      parameters: [contentId, minSequence],
      requestBody,
      responses: {
        200: success('The content.', anyContent, { currency: 'gold', discount: 0 }),
        ...commonProblems('invalid_content_type', 'invalid_body'),
        404: problemResponse('404', 'content_not_found'),
        413: problemResponse('413', 'body_too_large'),
      },
    },
  },
  '/api/v1/combine': {
    post: {
      operationId: 'getContents',
      tags: ['contents'],
      summary: 'Several contents',
      description:
        'By id as it was written in `c`, which is in the query or else in the body; each entry is what a single request made the same way would get. An unknown id does not fail the call: its entry is a string that begins with `Error 404, `. The path may end with a slash.',
      parameters: [
        {
          in: 'query',
          name: 'c',
          description:
            'A JSON array of content ids, 100 at most unless the server is configured otherwise. Where it is left out, `c` of the body says them, which is the way for clients that write lists as repeated parameters.',
          content: {
            'application/json': {
              schema: { type: 'array', items: { type: 'string' } },
              example: ['shop', 'levels'],
            },
          },
        },
        {
          in: 'query',
          name: 'dynamic',
          description: 'Whether each entry is wrapped. Left out, it is not.',
          schema: { type: 'string', enum: ['true', 'false'] },
        },
        responseType,
        minSequence,
      ],
      requestBody: bodyOf('CombineRequest'),
      responses: {
        200: success(
          'The contents, or each wrapped.',
          {
            type: 'object',
            additionalProperties: {
              anyOf: [
                seeWrapped,
                { description: 'The content, without dynamic=true; or the error text of an id.' },
              ],
            },
          },
          { shop: wrappedExample, level: 'Error 404, ...' },
        ),
        ...commonProblems('invalid_content_type', 'invalid_body', 'invalid_query'),
        413: problemResponse('413', 'body_too_large'),
      },
    },
  },
  '/api/v1/refresh': {
    post: {
      operationId: 'refresh',
      tags: ['contents'],
      summary: 'Everything that differs from what the client holds',
      description:
        'The whole start-up in one request. The client names the `tag` of each content item that it holds, and gets those that differ for this player, each as its wrapped response with `tag` and `crc`; and the ids that are gone.',
      parameters: [responseType, minSequence],
      requestBody: bodyOf('RefreshRequest'),
      responses: {
        200: success(
          'What differs.',
          { $ref: '#/components/schemas/Refresh' },
          {
            store: 'k3x9',
            sequence: 9041,
            changesAt: '2026-11-27T18:00:00Z',
            contents: {
              shop: { ...wrappedExample, tag: 'c0ffee0123456789', crc: '1c291ca3' },
            },
            gone: ['old-offer'],
            more: false,
          },
        ),
        ...commonProblems('invalid_content_type', 'invalid_body', 'invalid_query'),
        413: problemResponse('413', 'body_too_large'),
        503: problemResponse('503', 'overloaded', 'sequence_not_reached', 'content_unavailable'),
      },
    },
  },
  '/api/v1/stream': {
    post: {
      operationId: 'stream',
      tags: ['contents'],
      summary: 'A refresh that stays open',
      description:
        "Server-sent events named `refresh`: first what a refresh responds with, in one event or, while `more` is true, in several; then another one if and only if this player's own response changed, with what changed. The id of an event is its sequence. A comment comes every 20 to 30 seconds. The server ends the stream when the key is revoked or expires, when the client does not read, and when it shuts down, with `retry:` before.",
      parameters: [responseType, minSequence],
      requestBody: bodyOf('StreamRequest'),
      responses: {
        200: {
          description:
            'The stream. The data of each event is a `Refresh`; in `notify` mode ids and the sequence.',
          headers: headerRefs('X-Sequence'),
          content: {
            'text/event-stream': {
              schema: { type: 'string' },
              example:
                'event: refresh\nid: 9041\ndata: {"store":"k3x9","sequence":9041,"changesAt":null,"contents":{},"gone":[],"more":false}\n\n',
            },
          },
        },
        ...commonProblems('invalid_content_type', 'invalid_body', 'invalid_query'),
        413: problemResponse('413', 'body_too_large'),
        503: problemResponse('503', 'overloaded', 'sequence_not_reached', 'content_unavailable'),
      },
    },
  },
  '/api/v1/receipts': {
    post: {
      operationId: 'sendReceipt',
      tags: ['contents'],
      summary: 'Whether a game has started with its configuration',
      description:
        'Takes back the `receipt` of a refresh or a stream. Each user counts once in a step of a ramp; a receipt of a step that is over is not counted.',
      requestBody: bodyOf('Receipt'),
      responses: {
        200: {
          description: 'It was taken.',
          content: { 'application/json': { schema: { type: 'object' }, example: {} } },
        },
        ...commonProblems(),
        400: problemResponse('400', 'invalid_content_type', 'invalid_body', 'invalid_receipt'),
        413: problemResponse('413', 'body_too_large'),
        503: problemResponse('503', 'overloaded'),
      },
    },
  },
  '/api/v1/events': {
    post: {
      operationId: 'sendEvents',
      tags: ['contents'],
      summary: 'What a player has seen and done',
      description:
        'Takes exposures and metric events, for experiments. Send them once a response has `takes` with `events` in it. An event that is refused does not keep out the others. A key that was made for events makes them trusted, and opens nothing else.',
      requestBody: bodyOf('EventsRequest'),
      responses: {
        202: {
          description: 'How many were taken, and which are refused for good.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/EventsTaken' },
              example: { taken: 1, rejected: [{ eid: '8796a5b4c3d2e1f0', reason: 'too_old' }] },
            },
          },
        },
        ...commonProblems('invalid_content_type', 'invalid_body'),
        413: problemResponse('413', 'body_too_large'),
        503: problemResponse('503', 'overloaded'),
      },
    },
  },
  '/api/v1/env/catalog': {
    get: {
      operationId: 'getCatalog',
      tags: ['contents'],
      summary: 'What there is, by hash',
      description:
        "Every content of the key's environment. Ask again only for those whose `h` is not the one you hold, and for those with `d`. `Content-Type: application/json` must be sent here too, unless the server runs with `--lenient-catalog`.",
      parameters: [
        contentType,
        {
          in: 'header',
          name: 'If-None-Match',
          description: 'The ETag of the catalog that you hold.',
          schema: { type: 'string' },
        },
        minSequence,
      ],
      responses: {
        200: {
          description: 'The catalog.',
          headers: headerRefs('ETag', 'X-Sequence'),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Catalog' },
              example: { catalog: { shop: { h: '9f1d3cb6f2a8e047', d: true } } },
            },
          },
        },
        304: {
          description: 'The catalog is the one of If-None-Match.',
          headers: headerRefs('ETag', 'X-Sequence'),
        },
        ...commonProblems('invalid_content_type'),
      },
    },
  },
  '/healthz': {
    get: {
      operationId: 'getHealth',
      tags: ['health'],
      summary: 'Whether this process serves',
      description: 'For load balancers: 503 as soon as the process takes its leave. Needs no key.',
      security: [],
      responses: {
        200: healthResponse('It serves.', 'ok'),
        431: headTooLarge,
        503: healthResponse('It is draining: send new requests elsewhere.', 'draining'),
      },
    },
  },
} as const;

function healthResponse(description: string, status: string): unknown {
  const schema = {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', const: status } },
  };
  return { description, content: { 'application/json': { schema } } };
}
