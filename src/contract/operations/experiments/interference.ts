/** Which A/B tests of an environment interfere. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { draftsQuery, environmentParams } from '../../schemas/common.js';

const sideSchema = z.object({
  rule: z.int().describe('Its place in the mapping, from 0.'),
  segment: z.string(),
  experiment: z.string().nullable().describe('Id of its experiment; null: there is no record.'),
});

const interferenceSchema = z
  .object({
    content: z.string().describe('Id of the content.'),
    revision: z.int(),
    live: z.boolean().describe('The revision is the live one.'),
    a: sideSchema,
    b: sideSchema,
    paths: z
      .array(z.string())
      .readonly()
      .describe('JSON Pointers to what both change, as many as are shown.'),
    pathsLeftOut: z.int(),
    lists: z
      .array(z.string())
      .readonly()
      .describe(
        'Attributes of which a player in both must have a list of values; none: ordinary players can be in both.',
      ),
    from: z
      .string()
      .nullable()
      .describe('When a player can be in both for the first time; null: always.'),
    until: z.string().nullable().describe('null: for ever.'),
    reason: z.string().describe('A sentence for people.'),
  })
  .register(z.globalRegistry, { id: 'Interference' });

export type Interference = z.output<typeof interferenceSchema>;

export const listInterference = operation('GET /environments/:env/experiments/interference', {
  tag: 'experiments',
  operationId: 'listInterference',
  description:
    'Lists the pairs of A/B tests that change the same values of a player who can be in both within the next 400 days: by their conditions, slices, buckets, windows and the holdout. That others do not interfere is proven.',
  role: 'viewer',
  params: environmentParams,
  query: draftsQuery,
  responses: {
    200: z.object({
      cut: z.boolean().describe('There are more tests or pairs than are compared or listed.'),
      pairs: z.array(interferenceSchema).readonly(),
    }),
  },
  problems: ['too_costly'],
});
