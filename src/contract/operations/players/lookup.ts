/** Players: what a player was given of each content item at a moment. */
import { z } from 'zod';
import { playerItemsDefault, playerItemsMax, playerItemsNamedMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { usedSegmentSchema } from '../../schemas/candidate.js';
import { contentIdSchema, environmentParams, instantSchema } from '../../schemas/common.js';
import { userContextFields } from '../../schemas/user-context.js';
import { ruleResultSchema } from '../evaluate.js';

const playerItemSchema = z
  .object({
    id: z.string().describe('Id of the content item.'),
    outcome: z
      .enum(['delivered', 'not_delivered', 'not_known', 'rejected'])
      .describe(
        '`not_delivered`: delivery responded 404. `not_known`: what decides is not kept. `rejected`: the rules need more work for these attributes than one request may cause.',
      ),
    detail: z.string().nullable().describe('Why it was not delivered; null: it was.'),
    revision: z.int().nullable().describe('Number of the revision that was delivered.'),
    line: z.string().nullable().describe('Minimum app version of the version line.'),
    hash: z.string().nullable().describe('`hash` in the response.'),
    release: z
      .int()
      .nullable()
      .describe('Number of the release in whose ramp the player was; null: none.'),
    segments: z
      .array(usedSegmentSchema)
      .readonly()
      .describe('The saved segments that its mapping used, each with its revision of that moment.'),
    variants: z
      .array(
        z.object({
          rule: z.int().describe('Its place in the mapping, from 0.'),
          segment: z.string(),
          variant: z.string().nullable().describe('null: the rule has no variants.'),
          experiment: z.string().nullable().describe('Id of the experiment that ran on the rule.'),
        }),
      )
      .readonly()
      .describe('The rules that applied.'),
    digest: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of the response: equal digests of two moments are equal bytes for this player.',
      ),
    bytes: z.int().nullable().describe('Size of the response.'),
    rules: z
      .array(ruleResultSchema)
      .readonly()
      .nullable()
      .describe('Why, by rule; null where `ids` names no content items.'),
    answer: z
      .unknown()
      .describe(
        'The wrapped response byte for byte, where `ids` names the content item and it was delivered; else null.',
      ),
  })
  .register(z.globalRegistry, { id: 'PlayerItem' });

export type PlayerItem = z.output<typeof playerItemSchema>;

export const lookUpPlayer = operation('POST /environments/:env/players/lookup', {
  tag: 'evaluate',
  operationId: 'lookUpPlayer',
  description:
    'Shows what a player was given of every content item of an environment at a moment. Revisions, saved segments, layers, the holdout and ramps are those of that moment; windows are open or closed as they were for the player. Lists content items in pages by id, those that were deleted or created later included. `ids` names some of them, which come with their responses byte for byte and with what each rule decided.',
  role: 'support',
  params: environmentParams,
  body: z
    .strictObject({
      ...userContextFields,
      at: instantSchema
        .optional()
        .describe('RFC 3339, not in the future; default: now. A page that follows names the same.'),
      ids: z
        .array(contentIdSchema)
        .min(1)
        .max(playerItemsNamedMax)
        .optional()
        .describe('Content items that are shown with their responses; left out: all, without.'),
      after: z
        .string()
        .max(128)
        .optional()
        .describe('`next` of the page before; not together with `ids`.'),
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
