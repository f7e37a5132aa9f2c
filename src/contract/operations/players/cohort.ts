/** Players: which of a list were given a value at a place of a content item between two times. */
import { z } from 'zod';
import { isPointer } from '../../../content/mutation/json-pointer.js';
import { cohortPathCharsMax, cohortPlayersMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { contentIdSchema, environmentParams, instantSchema } from '../../schemas/common.js';
import { cohortPlayerSchema } from '../../schemas/players/cohort-player.js';
import { userContextSchema } from '../../schemas/user-context.js';

export const findCohort = operation('POST /environments/:env/players/cohort', {
  tag: 'evaluate',
  operationId: 'findCohort',
  description:
    'Finds which players of a list were given a value at a place of a content item between two times, when first and until when. Each player is evaluated in every state that the content item had between the times: revisions, saved segments, layers, the holdout and ramps, and windows as they opened and closed for the player. It says what the delivery port would have responded; Loadout does not record whether the player asked. It ends early when it takes long: `next` says how many players are done; send the others in another request.',
  role: 'support',
  params: environmentParams,
  body: z
    .strictObject({
      id: contentIdSchema,
      path: z
        .string()
        .max(cohortPathCharsMax)
        .refine(isPointer, 'must be a JSON Pointer (RFC 6901)')
        .describe('Place in the delivered value, a JSON Pointer; empty: the whole value.'),
      equals: z
        .unknown()
        .optional()
        .describe(
          'The value, any JSON. Numbers are compared as decimals, members in any order. Default: any value at the place.',
        ),
      from: instantSchema.describe('RFC 3339.'),
      to: instantSchema
        .optional()
        .describe('RFC 3339, later than `from` and not in the future; default: now.'),
      players: z
        .array(userContextSchema)
        .min(1)
        .max(cohortPlayersMax)
        .describe('User contexts as the game sent them.'),
      limit: z
        .int()
        .min(1)
        .max(cohortPlayersMax)
        .default(cohortPlayersMax)
        .describe('Players of a page. A page that takes long ends earlier.'),
    })
    .register(z.globalRegistry, {
      examples: [
        {
          ...{ id: 'shop', path: '/offers/0/price', equals: 4.99 },
          ...{ from: '2026-11-24T18:00:00Z', to: '2026-11-24T22:00:00Z' },
          players: [{ u: 'player-123', p: { level: 12 }, v: '1.4.0' }, { u: 'player-124' }],
        },
      ],
    }),
  responses: {
    200: z
      .object({
        from: z.string(),
        to: z.string().describe('End of the period, exclusive.'),
        states: z.int().describe('Number of periods in which nothing but windows changed.'),
        counts: z
          .object({
            given: z.int(),
            notGiven: z.int(),
            notKnown: z.int(),
            rejected: z.int(),
          })
          .describe('Of this page.'),
        players: z
          .array(cohortPlayerSchema)
          .readonly()
          .describe('In the order of the request, up to `next`.'),
        next: z
          .int()
          .nullable()
          .describe(
            'How many of the players are done: send the others in another request, with the same `to`. null: all.',
          ),
      })
      .register(z.globalRegistry, { id: 'Cohort' }),
  },
  problems: ['content_not_found', 'too_costly', 'overloaded'],
});
