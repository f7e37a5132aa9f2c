/** What a player was given of one content item at a moment. */
import { z } from 'zod';
import { usedSegmentSchema } from '../candidate.js';
import { ruleResultSchema } from '../rule-result.js';

export const playerItemSchema = z
  .object({
    id: z.string().describe('Id of the content item.'),
    outcome: z
      .enum(['delivered', 'not_delivered', 'not_known', 'rejected'])
      .describe(
        '`not_delivered`: delivery responded 404. `not_known`: the records that decide it are not kept. `rejected`: the rules need more work for these attributes than one request may cause.',
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
