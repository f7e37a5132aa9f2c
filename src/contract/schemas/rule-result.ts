/** What a rule of a mapping does for a user context, and why. */
import { z } from 'zod';
import { operandSchema } from './targeting/operand.js';

export const ruleResultSchema = z.object({
  rule: z.int().describe('Its place in the mapping, from 0.'),
  segment: z.string(),
  outcome: z
    .enum([
      'not_open_yet',
      'closed',
      'layer_missing',
      'no_user_id',
      'outside_slice',
      'held_out',
      'segment_missing',
      'condition_failed',
      'group_not_in_test',
      'mutation_missed',
      'applied',
    ])
    .describe(
      'The first that is true, in this order. `not_open_yet`: its window opens later, or again; `closed`: it does not. `no_user_id`: no layer has users without `u`; `outside_slice`: the rule takes other buckets of its layer.',
    ),
  applied: z.boolean(),
  variant: z.string().nullable(),
  group: z.int().nullable().describe('0 to 999; null for a rule without variants.'),
  salt: z.string().nullable().describe('null: the group is `meta.mod`.'),
  layer: z
    .object({
      name: z.string(),
      slice: z.tuple([z.int(), z.int()]).readonly(),
      bucket: z
        .int()
        .nullable()
        .describe('0 to 999; null: without `u`, or there is no such layer.'),
    })
    .nullable()
    .describe('The layer that it takes users of; null: it is in none.'),
  holdout: z.boolean().describe("Users of the environment's holdout take no part."),
  info: z
    .string()
    .nullable()
    .describe('What is reported as `i`: the info of the chosen variant, else that of the rule.'),
  saved: z.boolean().describe('Its condition is the saved segment of that name.'),
  decidedBy: z
    .array(operandSchema)
    .readonly()
    .describe('Operands of the condition, where it was evaluated.'),
  reason: z.string().describe('Some sentences for people.'),
});

export type RuleResult = z.output<typeof ruleResultSchema>;
export type RuleOutcome = RuleResult['outcome'];
