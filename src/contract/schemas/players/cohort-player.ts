/** Whether and when a player of a cohort was given a value. */
import { z } from 'zod';

export const cohortPlayerSchema = z
  .object({
    u: z.string().describe('User id.'),
    outcome: z
      .enum(['given', 'not_given', 'not_known', 'rejected'])
      .describe(
        '`not_known`: no known state gave it, and for part of the time the records that decide it are not kept. `rejected`: delivery rejects these attributes, or the rules need more work for them than one request may cause.',
      ),
    firstAt: z
      .string()
      .nullable()
      .describe(
        'When it was first given. Equal to `from`: it was already given before. null: never.',
      ),
    untilAt: z
      .string()
      .nullable()
      .describe(
        'When it was last given. Equal to `to`: it was still given at the end. null: never.',
      ),
    givenMs: z.number().describe('Total time that it was given, milliseconds.'),
    revision: z.int().nullable().describe('Number of the revision that first gave it.'),
    release: z
      .int()
      .nullable()
      .describe('Number of the release whose ramp first gave it; null: none.'),
    notKnownMs: z.number().describe('Total time for which it is not known, milliseconds.'),
    detail: z.string().nullable().describe('Why it is not known or was rejected.'),
  })
  .register(z.globalRegistry, { id: 'CohortPlayer' });

export type CohortPlayer = z.output<typeof cohortPlayerSchema>;
