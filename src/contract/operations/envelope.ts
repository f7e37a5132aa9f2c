/** The envelope of a content: every value that any caller could be given. */
import { z } from 'zod';
import { revisionMax } from '../limits.js';
import { operation } from '../operation.js';
import { candidateFields } from '../schemas/candidate.js';
import { contentIdSchema, contentParams, environmentParams } from '../schemas/common.js';

const boundSchema = z
  .object({
    value: z.number().nullable().describe('null: beyond what a double holds.'),
    rule: z.int().nullable().describe('The rule that writes it, from 0; null: the version line.'),
    segment: z.string().nullable().describe('The segment of the rule.'),
    variant: z.string().nullable().describe('The variant of the rule, if it has variants.'),
  })
  .describe('A number, and where it is written.');

const pathSchema = z.object({
  path: z.string().describe('JSON Pointer; `*` stands for every element of an array.'),
  types: z
    .array(z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']))
    .readonly()
    .describe('JSON types of the values.'),
  always: z
    .boolean()
    .describe('Every caller is given it, wherever the elements (`*`) above it are there.'),
  min: boundSchema.nullable().describe('The lowest number; null: no value is a number.'),
  max: boundSchema.nullable().describe('The highest number.'),
  values: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe('JSON texts of the scalars, at most 32; null: there are more, or longer ones.'),
});

/** The values of one path. */
export type EnvelopePath = z.output<typeof pathSchema>;
export type EnvelopeBound = z.output<typeof boundSchema>;

const lineSchema = z.object({
  appVersion: z.string().describe('App version from which on the line is for.'),
  paths: z.array(pathSchema).readonly().describe('In the order of the document, depth first.'),
  truncated: z.boolean().describe('There are more paths: 20,000 are listed of all lines together.'),
  unbounded: z
    .boolean()
    .describe('The mapping has too many operations to follow: any value could be delivered.'),
});

const findingSchema = z.object({
  kind: z
    .enum(['type_changed', 'factor', 'min', 'max', 'type', 'enum', 'required', 'max_change'])
    .describe('The first two need no guard; the others are the condition of a guard.'),
  severity: z.enum(['warn', 'block', 'approve']),
  appVersion: z.string().describe('The version line.'),
  path: z.string().describe('JSON Pointer, with `*` where elements are taken together.'),
  message: z.string().describe('One sentence, with the values and where they are written.'),
});

const envelopeSchema = z
  .object({
    id: z.string(),
    revision: z.int().nullable().describe('What was looked at or edited; null: a new content.'),
    live: z.int().nullable(),
    lines: z.array(lineSchema).readonly(),
    findings: z
      .array(findingSchema)
      .readonly()
      .describe('What stands out against what is live, at most 100.'),
  })
  .register(z.globalRegistry, { id: 'Envelope' });

export type Envelope = z.output<typeof envelopeSchema>;

const meaning =
  'The envelope has every value that any caller could be given, by path and version line: conditions, times and buckets are ignored, so any of the rules may apply, each with one of its variants. A value that is delivered is always inside.';

export const showEnvelope = operation('GET /environments/:env/contents/:id/envelope', {
  tag: 'evaluate',
  operationId: 'showEnvelope',
  description: `Shows the envelope of a saved revision. ${meaning}`,
  role: 'viewer',
  params: contentParams,
  query: z.object({
    revision: z.coerce
      .number()
      .int()
      .min(1)
      .max(revisionMax)
      .optional()
      .describe('Number of the revision; default: the newest.'),
  }),
  responses: { 200: envelopeSchema },
  problems: ['content_not_found', 'revision_not_found', 'too_costly'],
});

export const computeEnvelope = operation('POST /environments/:env/envelope', {
  tag: 'evaluate',
  operationId: 'computeEnvelope',
  description: `Computes the envelope of unsaved edits, and what stands out against what is live. ${meaning}`,
  role: 'viewer',
  params: environmentParams,
  body: z
    .strictObject({ id: contentIdSchema, ...candidateFields })
    .register(z.globalRegistry, { examples: [{ id: 'shop', text: '{"price": 12}' }] }),
  bodyLimit: 'content',
  responses: { 200: envelopeSchema },
  problems: [
    'content_not_found',
    'line_not_found',
    'revision_not_found',
    'release_not_found',
    'invalid_content',
    'invalid_mapping',
    'too_costly',
  ],
});
