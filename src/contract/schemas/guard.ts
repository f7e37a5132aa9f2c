/** Guards of a content: what its values must be, and what a request that publishes says about findings of theirs. */
import { z } from 'zod';
import {
  confirmCharsMax,
  findingsShownMax,
  guardEnumMax,
  guardPathCharsMax,
  guardsCharsMax,
  guardsMax,
} from '../limits.js';
import { storable } from './storable.js';

const jsonTypeSchema = z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']);
const scalarSchema = z.union([storable(z.string()), z.number(), z.boolean(), z.null()]);

/** RFC 6901, with `*` and `**` as names. */
const pointer = /^(?:\/(?:[^~/]|~[01])*)*$/;

export const guardSeveritySchema = z
  .enum(['warn', 'block', 'approve'])
  .describe(
    'warn: a warning; block: publishing has to be confirmed; approve: publishing takes a release that a second person has approved.',
  );

const constraints = ['min', 'max', 'type', 'enum', 'required', 'maxChange'] as const;

export const guardSchema = z
  .strictObject({
    path: storable(z.string().max(guardPathCharsMax))
      .refine((path) => pointer.test(path), 'must be a JSON Pointer, such as /offers/*/gold')
      .describe('JSON Pointer; `*` stands for one name or element, `**` for any number of them.'),
    min: z.number().optional().describe('No number is below it.'),
    max: z.number().optional().describe('No number is above it.'),
    type: z
      .union([jsonTypeSchema, z.array(jsonTypeSchema).min(1).max(6)])
      .optional()
      .describe('JSON type of the value, or several.'),
    enum: z
      .array(scalarSchema)
      .min(1)
      .max(guardEnumMax)
      .optional()
      .describe('The only values that there may be.'),
    required: z.literal(true).optional().describe('Every player has a value there.'),
    maxChange: z
      .strictObject({
        factor: z.number().min(1).optional().describe('At most this many times as much, or less.'),
        by: z.number().min(0).optional().describe('At most so much more, or less.'),
      })
      .refine(({ factor, by }) => factor !== undefined || by !== undefined, {
        message: 'needs "factor" or "by"',
      })
      .optional()
      .describe(
        'How far numbers may move from what is live, and from what was live 24 hours ago. From 0 every change is too far.',
      ),
    severity: guardSeveritySchema,
  })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    message: '"min" must not be above "max"',
  })
  .refine((guard) => constraints.some((name) => guard[name] !== undefined), {
    message: `needs one of ${constraints.join(', ')}`,
  })
  .register(z.globalRegistry, {
    id: 'Guard',
    examples: [{ path: '/offers/*/gold', min: 0, max: 10_000, severity: 'block' }],
  });

export const guardsSchema = z
  .array(guardSchema)
  .max(guardsMax)
  .refine((guards) => JSON.stringify(guards).length <= guardsCharsMax, {
    message: `must not be longer than ${guardsCharsMax} characters as JSON`,
  });

export type GuardInput = z.output<typeof guardSchema>;

export const findingSchema = z
  .object({
    content: z.string().describe('Id of the content.'),
    appVersion: z
      .string()
      .describe('The version line that it is about; empty for `experiment_changed`.'),
    path: z
      .string()
      .describe(
        'JSON Pointer of the value; elements of arrays may be `*`. Empty for `experiment_changed`.',
      ),
    kind: z
      .enum([
        ...['type_changed', 'factor', 'min', 'max'],
        ...['type', 'enum', 'required', 'max_change', 'experiment_changed'],
      ] as const)
      .describe(
        '`type_changed` and `factor` need no guard; `experiment_changed` changes what assigns the players of a running experiment to variants, which begins a new phase; the others are of a guard.',
      ),
    severity: guardSeveritySchema,
    message: z.string().describe('One sentence with the values and where they come from.'),
  })
  .register(z.globalRegistry, { id: 'Finding' });

/** What an edit would do to a value and probably should not. */
export type Finding = z.output<typeof findingSchema>;

const findings = {
  digest: z.string().describe('Of the findings and of what would be published.'),
  warnings: z
    .array(findingSchema)
    .readonly()
    .describe(`The findings, the first ${findingsShownMax}.`),
  warningsCut: z.boolean().describe('There are more than are listed.'),
};

/** What a request would have to confirm; a dry run has it, too. */
export const confirmationSchema = z
  .object({
    ...findings,
    required: z
      .boolean()
      .describe('The request is rejected unless `confirm` has the digest, or a release is made.'),
  })
  .register(z.globalRegistry, { id: 'Confirmation' });

export type Confirmation = z.output<typeof confirmationSchema>;

/** Members of the problem `confirmation_required`. */
export const confirmationProblemSchema = z.object(findings).partial();

export const confirmSchema = z
  .string()
  .max(confirmCharsMax)
  .optional()
  .describe(
    'The `digest` of the findings to confirm. It no longer fits once the findings, or what would be published, change.',
  );

export const strictSchema = z
  .enum(['true', 'false'])
  .default('false')
  .describe('true: reject with `confirmation_required` whenever there are findings.');

/** Query of an operation that may have to be confirmed. */
export const strictQuery = z.object({ strict: strictSchema });
