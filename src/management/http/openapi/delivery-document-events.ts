/** The schemas of events in the delivery API's OpenAPI document. */

/** Of the reasons that delivery gives (test/unit/management/openapi-events.test.ts keeps both in agreement). */
const reasons = [
  ...['not_taken', 'user_missing', 'user_invalid', 'malformed', 'eid_invalid', 'at_invalid'],
  ...['too_old', 'in_future', 'exposure_invalid', 'name_invalid', 'value_invalid'],
  'names_too_many',
] as const;

const times = {
  at: {
    type: 'string',
    format: 'date-time',
    description:
      'When it happened. At most 7 days ago, and at most an hour ahead of the server, which then takes it for now.',
  },
  eid: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description:
      'Names the event. Events of a user that have the same are one event: send an event again with the one that it had.',
  },
} as const;

export const eventSchemas = {
  EventsRequest: {
    type: 'object',
    required: ['u', 'events'],
    description: 'What one player has seen and done. Other fields are ignored.',
    properties: {
      u: { type: 'string', minLength: 1, maxLength: 256, description: 'Id of the user.' },
      p: {
        type: 'object',
        additionalProperties: true,
        description:
          'Attributes. Those that the server lists (`--event-attributes`) are stored with the events, if they are plain values.',
      },
      events: {
        type: 'array',
        items: {
          oneOf: [
            { $ref: '#/components/schemas/Exposure' },
            { $ref: '#/components/schemas/MetricEvent' },
          ],
        },
      },
    },
    examples: [
      {
        u: 'player-1',
        events: [
          {
            ...{ t: 'exposure', id: 'shop', tag: 'c0ffee0123456789' },
            seg: [{ n: 'price-test', v: 'high' }],
            ...{ at: '2026-11-24T12:00:00.000Z', eid: '0f1e2d3c4b5a6978' },
          },
          {
            ...{ t: 'metric', n: 'purchase', x: 4.99 },
            ...{ at: '2026-11-24T12:00:41.000Z', eid: '8796a5b4c3d2e1f0' },
          },
        ],
      },
    ],
  },
  Exposure: {
    type: 'object',
    required: ['t', 'id', 'seg', 'at', 'eid'],
    description: 'The player has seen a content item.',
    properties: {
      t: { type: 'string', const: 'exposure' },
      id: { type: 'string', description: 'Id of the content item.' },
      tag: { type: 'string', maxLength: 64, description: 'Its `tag`, as a refresh gave it.' },
      seg: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/Segment' },
        description: '`meta.seg` of the response that the player has seen.',
      },
      ...times,
    },
  },
  MetricEvent: {
    type: 'object',
    required: ['t', 'n', 'x', 'at', 'eid'],
    description: 'The player has done something that a metric counts or adds up.',
    properties: {
      t: { type: 'string', const: 'metric' },
      n: { type: 'string', minLength: 1, maxLength: 100, description: 'Name of the event.' },
      x: { type: 'number', minimum: -1e12, maximum: 1e12, description: 'Its value.' },
      ...times,
    },
  },
  EventsTaken: {
    type: 'object',
    required: ['taken', 'rejected'],
    properties: {
      taken: { type: 'integer', minimum: 0, description: 'How many events were taken.' },
      rejected: {
        type: 'array',
        maxItems: 100,
        description: 'The first of those that are refused for good: do not send them again.',
        items: {
          type: 'object',
          required: ['eid', 'reason'],
          properties: {
            eid: { type: ['string', 'null'], description: 'Null: the event has no valid one.' },
            reason: { type: 'string', enum: reasons },
          },
        },
      },
    },
  },
} as const;
