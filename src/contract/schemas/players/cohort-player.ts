/** Whether and when a player of a cohort was given a value. */
import { z } from 'zod';

export const cohortPlayerSchema = z
  .object({
    u: z.string().describe('User id.'),
    outcome: z
      .enum(['given', 'not_given', 'not_known', 'rejected'])
      .describe(
        '`not_known`: it was not given as far as is known, and for a part of the time what decides is not kept. `rejected`: delivery takes no such attributes, or the rules need more work for them than one request may cause.',
      ),
    firstAt: z
      .string()
      .nullable()
      .describe('From when on it was given; `from`: it was given then already. null: never.'),
    untilAt: z
      .string()
      .nullable()
      .describe('When it was given for the last time; `to`: it was still given then. null: never.'),
    givenMs: z.number().describe('For how long altogether, milliseconds.'),
    revision: z.int().nullable().describe('Number of the revision that gave it first.'),
    release: z
      .int()
      .nullable()
      .describe('Number of the release whose ramp gave it first; null: none.'),
    notKnownMs: z.number().describe('For how long it is not known, milliseconds.'),
    detail: z.string().nullable().describe('Why it is not known, or rejected.'),
  })
  .register(z.globalRegistry, { id: 'CohortPlayer' });

export type CohortPlayer = z.output<typeof cohortPlayerSchema>;
