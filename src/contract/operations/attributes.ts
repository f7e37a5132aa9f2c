/** Attributes of users that an environment knows, for authors of conditions. */
import { z } from 'zod';
import { attributePlacesShownMax } from '../limits.js';
import { operation } from '../operation.js';
import { environmentParams } from '../schemas/common.js';

const placesSchema = (what: string) =>
  z.array(z.string()).describe(`${what} At most ${attributePlacesShownMax} are named.`);

const attributeSchema = z
  .object({
    name: z.string().describe('As the game sends it in `p`: of `player.level` it is `player`.'),
    segments: placesSchema('Saved segments whose condition reads it.'),
    contents: placesSchema('Ids of contents whose live mapping has a condition on it.'),
    sampleUsers: placesSchema('Sample users that have it.'),
    lastSeen: z
      .string()
      .nullable()
      .describe(
        'Last day (UTC, `2026-11-23`) on which a sampled request carried it; null: none did in the last 90 days.',
      ),
    values: z
      .array(
        z.object({
          value: z.union([z.string(), z.number(), z.boolean()]),
          share: z
            .number()
            .describe('Of the sampled requests that carried the attribute, 0 to 1, about.'),
        }),
      )
      .describe(
        'Its frequent values in requests, the most frequent first. None of an attribute with mostly different values, or whose name or values look like those of a person or a device.',
      ),
  })
  .register(z.globalRegistry, { id: 'Attribute' });

export type Attribute = z.output<typeof attributeSchema>;

export const listAttributes = operation('GET /environments/:env/attributes', {
  tag: 'evaluate',
  description:
    'Lists the attributes of users that live conditions, sample users or requests have, by name, with frequent values of requests where the environment keeps them.',
  role: 'viewer',
  params: environmentParams,
  responses: {
    200: z.object({
      attributes: z.array(attributeSchema),
      cut: z.boolean().describe('There are more, or requests carry more names than are kept.'),
    }),
  },
  problems: ['too_costly'],
});
