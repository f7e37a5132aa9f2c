/** A/B tests of an environment: the rules that have variants. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { draftsQuery, environmentParams } from '../schemas/common.js';
import { repeatSchema } from '../schemas/targeting/repeat.js';

const bucket = z.int().min(0).max(999);

const testSchema = z
  .object({
    content: z.string().describe('Id of the content.'),
    revision: z.int(),
    live: z.boolean().describe('The revision is the live one.'),
    rule: z.int().describe('Its place in the mapping, from 0.'),
    segment: z.string().describe('The name that players are reported under.'),
    saved: z.boolean().describe('Its condition is the saved segment of that name.'),
    info: z.string().nullable(),
    salt: z
      .string()
      .nullable()
      .describe(
        'Tests with the same salt split players along the same line, and so do all without one (null).',
      ),
    layer: z.string().nullable().describe('Name of the layer that it takes players of.'),
    slice: z
      .tuple([bucket, bucket])
      .readonly()
      .nullable()
      .describe('Its buckets in the layer; null without one.'),
    holdout: z.boolean().describe('Players of the holdout take no part.'),
    from: z
      .string()
      .nullable()
      .describe('null: it has always been open. Of a local test: wall time, without a zone.'),
    until: z.string().nullable().describe('null: it never ends.'),
    local: z.boolean().describe("Its times are those of the player's own clock."),
    repeat: repeatSchema
      .nullable()
      .describe('It is open only during these occurrences; null: all the time.'),
    variants: z.array(
      z.object({
        name: z.string(),
        groups: z.tuple([bucket, bucket]).describe('First and last bucket, both included.'),
        info: z
          .string()
          .nullable()
          .describe("Reported instead of the rule's; null: the rule's is."),
        mutation: z
          .enum(['merge', 'patch', 'replace'])
          .nullable()
          .describe('null: a control variant, which receives the content as it is.'),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'AbTest' });

export type AbTest = z.output<typeof testSchema>;

export const listTests = operation('GET /environments/:env/tests', {
  tag: 'evaluate',
  description:
    'Lists the A/B tests of an environment (the rules with variants), by content: which variant has which buckets, and which tests share a salt.',
  role: 'viewer',
  params: environmentParams,
  query: draftsQuery,
  responses: {
    200: z.object({
      cut: z.boolean().describe('There are more tests than a response holds.'),
      tests: z.array(testSchema),
    }),
  },
  problems: ['too_costly'],
});
