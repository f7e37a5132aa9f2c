/** Evaluation: what delivery responds to one user context, and why. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { candidateFields, usedSegmentSchema } from '../schemas/candidate.js';
import { contentIdSchema, environmentParams, instantSchema } from '../schemas/common.js';
import { ruleResultSchema } from '../schemas/rule-result.js';
import { userContextFields } from '../schemas/user-context.js';

const evaluationSchema = z
  .object({
    id: z.string(),
    revision: z.int().nullable().describe('What was tried out or edited; null: a new content.'),
    live: z.int().nullable(),
    unsaved: z.boolean().describe('Unsaved edits were tried out.'),
    release: z
      .int()
      .nullable()
      .describe(
        'Number of the release that was tried out, or that ramps and that the user is in, or, at a time in the future, of the last scheduled one that has gone live by then and reaches the content; null: none.',
      ),
    segments: z
      .array(usedSegmentSchema)
      .readonly()
      .describe('The saved segments that the mapping uses, each with the revision that applied.'),
    line: z.string().nullable().describe('null: delivery responds 404.'),
    lineReason: z.string(),
    hash: z.string().nullable().describe('`hash` in the response; null: delivery responds 404.'),
    uid: z.int(),
    mod: z.int(),
    rules: z.array(ruleResultSchema).readonly(),
    sizes: z
      .object({
        textBytes: z.int().describe('The text of the version line, with its comments.'),
        jsonBytes: z.int().describe('The plain response: the version line without the mapping.'),
        dataBytes: z.int().describe('`data`, with what the rules changed.'),
        answerBytes: z.int().describe('The wrapped response.'),
        gzipBytes: z.int().describe('The wrapped response compressed, to within some 30 bytes.'),
      })
      .nullable(),
    at: z.string(),
    answer: z
      .unknown()
      .describe('The wrapped response byte for byte; null: delivery responds 404.'),
  })
  .register(z.globalRegistry, { id: 'Evaluation' });

export type Evaluation = z.output<typeof evaluationSchema>;

export const evaluateContent = operation('POST /environments/:env/evaluate', {
  tag: 'evaluate',
  description:
    'Shows what delivery responds to a user context, and why. The wrapped response is in it byte for byte as delivery sends it; each rule comes with its outcome and the operand of its condition that decided. It can try out a saved revision, another time, and unsaved edits; at a time in the past it shows what was live then, and in the future what is live now with the scheduled releases that go live by then without a ramp. A user that is in the ramp of a release is shown what the release delivers.',
  role: 'viewer',
  params: environmentParams,
  body: z
    .strictObject({
      id: contentIdSchema,
      ...userContextFields,
      at: instantSchema
        .optional()
        .describe(
          'RFC 3339; default: now. In the past, and without unsaved edits: the revision that was live then (unless one is named), with the saved segments as they were then, as far as they existed. In the future, without unsaved edits and where neither a revision nor a release is named: what is live now, with the scheduled releases without steps that go live by then.',
        ),
      ...candidateFields,
    })
    .register(z.globalRegistry, {
      examples: [{ id: 'shop', u: 'player-123', p: { level: 12 }, v: '1.4.0' }],
    }),
  bodyLimit: 'content',
  responses: { 200: evaluationSchema },
  problems: [
    'content_not_found',
    'line_not_found',
    'revision_not_found',
    'history_not_kept',
    'release_not_found',
    'invalid_content',
    'invalid_mapping',
    'too_costly',
  ],
});
