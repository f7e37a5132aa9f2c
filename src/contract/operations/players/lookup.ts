/** Players: what a player was given of each content item at a moment. */
import { z } from 'zod';
import { playerItemsDefault, playerItemsMax, playerItemsNamedMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { contentIdSchema, environmentParams, instantSchema } from '../../schemas/common.js';
import { playerItemSchema } from '../../schemas/players/player-item.js';
import { userContextFields } from '../../schemas/user-context.js';

export const lookUpPlayer = operation('POST /environments/:env/players/lookup', {
  tag: 'evaluate',
  operationId: 'lookUpPlayer',
  description:
    'Shows what a player was given of every content item of an environment at a moment. Revisions, saved segments, layers, the holdout and ramps are those of that moment; windows are open or closed as they were for the player. Lists content items in pages by id, including those deleted or created later. `ids` selects content items, which are returned with their responses byte for byte and with what each rule decided.',
  role: 'support',
  params: environmentParams,
  body: z
    .strictObject({
      ...userContextFields,
      at: instantSchema
        .optional()
        .describe('RFC 3339, not in the future; default: now. Repeat it for further pages.'),
      ids: z
        .array(contentIdSchema)
        .min(1)
        .max(playerItemsNamedMax)
        .optional()
        .describe('Content items to return with their responses; default: all, without responses.'),
      after: z
        .string()
        .max(128)
        .optional()
        .describe('`next` of the previous page; not together with `ids`.'),
      limit: z
        .int()
        .min(1)
        .max(playerItemsMax)
        .default(playerItemsDefault)
        .describe('Content items of a page. A page that takes long ends earlier.'),
    })
    .register(z.globalRegistry, {
      examples: [
        {
          u: 'player-123',
          p: { level: 12 },
          v: '1.4.0',
          at: '2026-11-24T18:00:00Z',
          ids: ['shop'],
        },
      ],
    }),
  responses: {
    200: z
      .object({
        at: z.string().describe('The moment.'),
        uid: z.int().describe('`meta.uid` in responses.'),
        mod: z.int().describe('`meta.mod` in responses.'),
        items: z.array(playerItemSchema).readonly(),
        next: z
          .string()
          .nullable()
          .describe('Where the next page begins (`after`), or the next of `ids`; null: no more.'),
      })
      .register(z.globalRegistry, { id: 'PlayerLookup' }),
  },
  problems: ['too_costly'],
});
