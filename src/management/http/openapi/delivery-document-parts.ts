/** The schemas of the delivery API's OpenAPI document: the evaluation context, responses and problems. */
import { STATUS_CODES } from 'node:http';
import { eventSchemas } from './delivery-document-events.js';

const hash = {
  type: 'string',
  pattern: '^[0-9a-f]{16}$',
  description:
    'XXH3-64 of all that an editor can change about what the content delivers: its JSON before any mutation, its mapping, and the saved segments that it names. The same for all players. Compare the `h` of the catalog with the `h` at which you fetched the content last: fetch what has another one, and what has `d: true`.',
} as const;

const contextFields = {
  u: {
    type: 'string',
    description:
      'Id of the user; puts them into a bucket of A/B tests, always the same one. Left out, it is the empty text. All players without an id are in bucket 0 of every test.',
  },
  p: {
    type: 'object',
    additionalProperties: true,
    description:
      'Attributes, for the conditions of segments. Left out, there are none. Lists of thousands of entries and texts of tens of kilobytes may be more than the rules of a content can be evaluated for (400).',
  },
  v: {
    type: ['string', 'null'],
    pattern: '^(\\d{1,9}\\.\\d{1,9}\\.\\d{1,9})?$',
    description:
      'Version of the calling app, X.Y.Z: chooses the line of the content. Null and the empty text count as absent.',
  },
} as const;

const exampleContext = { u: 'player-123', p: { country: 'US', level: 12 }, v: '1.4.0' } as const;

const refreshFields = {
  ...contextFields,
  have: {
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description:
      'Content id -> the `tag` that the client holds. Absent and null: it holds nothing. `have` and `ids` have 10,000 entries together at most.',
  },
  ids: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'Content ids, beside those of `have`. Absent and null: every content item that has a version line for `v`.',
  },
  bytesMax: {
    type: ['integer', 'null'],
    minimum: 1,
    description:
      'About how many bytes of `contents` the client wants at once: 4 MiB if absent, and never more than 32 MiB. One content item is always sent.',
  },
  at: {
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'The instant that an event of a stream named. Where the clock of the server is behind it, by 5 seconds at most, the rules are evaluated for that instant.',
  },
} as const;

export const schemas = {
  UserContext: {
    type: 'object',
    description: 'The player that the content is for. `{}` is enough; other fields are ignored.',
    properties: contextFields,
    examples: [exampleContext],
  },
  CombineRequest: {
    type: 'object',
    description:
      'The player, and the content ids where the query does not have them. Other fields are ignored.',
    properties: {
      ...contextFields,
      c: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Content ids, 100 at most unless the server is configured otherwise; an id counts once however often and in whatever case it is written, in four spellings at most on average. An empty list gives `{}`. Where the query has `c`, this one is ignored, whatever its type; else anything but a list of texts is rejected (`invalid_query`).',
      },
    },
    examples: [{ ...exampleContext, c: ['shop', 'levels'] }],
  },
  RefreshRequest: {
    type: 'object',
    description: 'The player, what the client holds, and what it wants. Other fields are ignored.',
    properties: refreshFields,
    examples: [{ ...exampleContext, have: { shop: 'c0ffee0123456789' } }],
  },
  StreamRequest: {
    type: 'object',
    description: 'What a refresh has, and what the events are to carry. Other fields are ignored.',
    properties: {
      ...refreshFields,
      mode: {
        type: ['string', 'null'],
        enum: ['data', 'notify', null],
        description:
          '`data`, the default: each event has what a refresh has. `notify`: it has `ids` and `sequence`, and `at` where a clock caused it.',
      },
    },
    examples: [{ ...exampleContext, have: { shop: 'c0ffee0123456789' }, mode: 'notify' }],
  },
  Refresh: {
    type: 'object',
    required: ['store', 'sequence', 'changesAt', 'contents', 'gone', 'more'],
    properties: {
      store: {
        type: 'string',
        description:
          'Identity of the store that the server publishes from. With another one, forget the sequences that you know.',
      },
      sequence: {
        type: 'integer',
        minimum: 0,
        description: 'Everything in this response was chosen at this sequence.',
      },
      changesAt: {
        type: ['string', 'null'],
        format: 'date-time',
        description:
          'The first moment at which the clock alone changes what this player gets; null: it does not.',
      },
      at: {
        type: 'string',
        format: 'date-time',
        description: 'In events of a stream: the instant that caused it.',
      },
      contents: {
        type: 'object',
        description:
          'What differs from `have`: keyed as in `ids`, else as in `have`, else as in the catalog.',
        additionalProperties: { $ref: '#/components/schemas/RefreshEntry' },
      },
      gone: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Ids of `ids` and `have` that do not exist, or have no version line for `v`: remove them.',
      },
      more: {
        type: 'boolean',
        description:
          'There is more: ask again with what you hold now. Apply everything at once when it is false.',
      },
      receipt: {
        type: 'string',
        description:
          'Only where a release ramps that collects receipts, and `more` is false: send it back once the game has started.',
      },
      takes: {
        type: 'array',
        items: { type: 'string', enum: ['events'] },
        description:
          'Only where the environment takes events of players, and `more` is false: from now on the client may send them.',
      },
    },
  },
  ...eventSchemas,
  Receipt: {
    type: 'object',
    required: ['u', 'receipt', 'ok'],
    description: 'Other fields are ignored.',
    properties: {
      u: { type: 'string', minLength: 1, description: 'The user that the receipt was given to.' },
      receipt: { type: 'string' },
      ok: {
        type: 'boolean',
        description: 'The game has reached its menu; false: it has crashed before that.',
      },
    },
    examples: [{ u: 'player-1', receipt: 'x0Vd', ok: true }],
  },
  RefreshEntry: {
    type: 'object',
    required: ['data', 'hash', 'meta', 'tag', 'crc'],
    description: 'The wrapped response of the content item, with `tag` and `crc` at its end.',
    properties: {
      data: {
        description:
          'The content, segmented and mutated for this user; with responseType=serialized its JSON text as a string.',
      },
      hash,
      meta: { $ref: '#/components/schemas/Meta' },
      tag: {
        type: 'string',
        pattern: '^[0-9a-f]{16}$',
        description:
          'Stands for what this player gets: send it in `have`. The same on all servers, for all players who get the same, in both response types.',
      },
      crc: {
        type: 'string',
        pattern: '^[0-9a-f]{8}$',
        description:
          'CRC-32 (RFC 1952) of the bytes of `data` as JSON, for the storage of the client.',
      },
    },
  },
  Wrapped: {
    type: 'object',
    required: ['data', 'hash', 'meta'],
    properties: {
      data: {
        description:
          'The content, segmented and mutated for this user; with responseType=serialized its JSON text as a string.',
      },
      hash,
      meta: { $ref: '#/components/schemas/Meta' },
    },
  },
  Meta: {
    type: 'object',
    required: ['uid', 'mod', 'seg'],
    properties: {
      uid: {
        type: 'integer',
        minimum: 0,
        maximum: 4_294_967_295,
        description: 'XXH32 (seed 0) of the UTF-8 bytes of `u`; 0 when `u` is empty or absent.',
      },
      mod: { type: 'integer', minimum: 0, maximum: 999, description: '`uid` modulo 1000.' },
      seg: {
        type: 'array',
        description: 'The rules that applied, in order; none: the default values.',
        items: { $ref: '#/components/schemas/Segment' },
      },
    },
  },
  Segment: {
    type: 'object',
    required: ['n', 'v'],
    properties: {
      n: { type: 'string', description: 'Name of the segment.' },
      v: { type: ['string', 'null'], description: 'Name of the variant; null without one.' },
      i: {
        type: 'string',
        description:
          'What the mapping notes about the variant, else about the rule; absent when it notes nothing.',
      },
    },
  },
  Catalog: {
    type: 'object',
    required: ['catalog'],
    properties: {
      catalog: {
        type: 'object',
        description: 'By content id, in the spelling it was created with.',
        additionalProperties: {
          type: 'object',
          required: ['h', 'd'],
          properties: {
            h: hash,
            d: { type: 'boolean', description: 'Whether responses may differ from user to user.' },
          },
        },
      },
    },
  },
} as const;

/** Reusable headers, by name. */
export const headers = {
  'X-Sequence': {
    description:
      'Present when X-Min-Sequence was sent: the sequence that this response was made from.',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: {
    description: 'Changes whenever the bytes do; send it as If-None-Match.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which a retry makes sense.',
    schema: { type: 'integer', minimum: 0 },
  },
} as const;

const allow = {
  description: 'The methods that the path takes.',
  schema: { type: 'string' },
} as const;

type HeaderName = keyof typeof headers;

export function headerRefs(...names: readonly HeaderName[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Code and what brings it about, by status: the table of conditions in docs/delivery-api.md. */
const conditions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '400': {
    invalid_content_type: '`Content-Type` is missing or not `application/json`',
    invalid_body:
      'the body is empty, not UTF-8, not JSON, not an object, `u`, `p`, `v` (on refresh and stream: `have`, `ids`, `bytesMax`, `at`, `mode`; on receipts: `receipt`, `ok`; on events: `events`) is of a wrong type, an id of a refresh stands in two spellings, or the rules need more work for these attributes than one request may cause',
    invalid_query:
      'a query parameter has another value than those listed; or `c`, in the query or else in the body, is missing, is no list of ids, or asks for too much',
    invalid_receipt: 'the receipt was not given to this user by this environment',
    invalid_sequence: '`X-Min-Sequence` is not a whole number of at most 15 digits',
  },
  '401': {
    invalid_api_key: '`X-Api-Key` is missing, unknown, revoked, expired, or a key for events only',
  },
  '404': {
    not_found: 'there is no such path',
    content_not_found:
      "no published content of the key's environment has this id, or none of its lines admits `v`",
  },
  '405': { method_not_allowed: 'the path is called with another method' },
  '408': { request_timeout: 'the body did not arrive within seven seconds of its head' },
  '413': {
    body_too_large:
      "the body is over the server's limit (64 KiB, on refresh and stream 1 MiB, unless set; on events 64 KiB), or the evaluation context of a stream is over 64 KiB",
  },
  '429': {
    rate_limited:
      'the key has made more requests than it may, where the server sets a rate; as many streams are open as may be; or its network, its key or its user has sent too many receipts or events',
  },
  '500': { internal: 'the server failed' },
  '503': {
    overloaded:
      'the server has more work than it can finish in time, or (events only) cannot store events now',
    content_unavailable: 'a content item cannot be delivered now',
    sequence_not_reached: 'the sequence of `X-Min-Sequence` was not reached in time',
  },
};

/** The response of one status with these codes, all of which `conditions` explains. */
export function problemResponse(
  status: keyof typeof conditions,
  ...codes: readonly string[]
): unknown {
  const explained = codes.map((code) => `- \`${code}\`: ${conditions[status]?.[code]}`);
  const isForLater = status === '429' || status === '503';
  // RFC 9110 calls it so, as the delivery port does; Node has the older name.
  const title = status === '413' ? 'Content Too Large' : STATUS_CODES[status];
  const headers =
    status === '405' ? { Allow: allow } : isForLater ? headerRefs('Retry-After') : null;
  return {
    description: `${title}.\n\n${explained.join('\n')}`,
    ...(headers === null ? {} : { headers }),
    content: { 'application/problem+json': { schema: problemOf(Number(status), codes) } },
  };
}

function problemOf(status: number, codes: readonly string[]): unknown {
  return {
    type: 'object',
    description: 'Problem details (RFC 9457).',
    required: ['type', 'title', 'status', 'code', 'detail'],
    properties: {
      type: { type: 'string', const: 'about:blank' },
      title: { type: 'string' },
      status: { type: 'integer', const: status },
      code: { type: 'string', enum: codes },
      detail: { type: 'string', description: 'One helpful sentence.' },
    },
  };
}
