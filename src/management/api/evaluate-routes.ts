/** The route that shows what a caller would be answered, and why. */
import { z } from 'zod';
import { parseInstant } from '../../content/mapping/instant.js';
import { Problem } from '../../contract/problems.js';
import {
  contentIdSchema,
  environmentParams,
  instantSchema,
} from '../../contract/schemas/common.js';
import { operandSchema } from '../../contract/schemas/operand.js';
import { userContextFields } from '../../contract/schemas/user-context.js';
import { evaluate } from '../evaluation/evaluate.js';
import { ruleOutcomes } from '../evaluation/explain-rules.js';
import { problems } from '../http/problem-responses.js';
import { contentBodyBytesMax } from '../limits.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { rawObject, sendRaw } from './raw-json.js';
import { rawMembers } from './raw-members.js';
import { candidateFields, readCandidateFields } from './unsaved-edit-body.js';

const bodySchema = z.strictObject({
  id: contentIdSchema,
  ...userContextFields,
  at: instantSchema
    .optional()
    .describe(
      'RFC 3339; left out, now. In the past, and without unsaved edits: the revision that was live then (unless one is named), with the saved segments as they were then, as far as they were there.',
    ),
  ...candidateFields,
});
bodySchema.register(z.globalRegistry, {
  examples: [{ id: 'shop', u: 'player-123', p: { level: 12 }, v: '1.4.0' }],
});

const ruleSchema = z.object({
  rule: z.int().describe('Its place in the mapping, from 0.'),
  segment: z.string(),
  outcome: z.enum(ruleOutcomes),
  applied: z.boolean(),
  variant: z.string().nullable(),
  group: z.int().nullable().describe('0 to 999; null for a rule without variants.'),
  salt: z.string().nullable().describe('null: the group is `meta.mod`.'),
  info: z
    .string()
    .nullable()
    .describe('What is reported as `i`: the info of the chosen variant, else that of the rule.'),
  saved: z.boolean().describe('Its condition is the saved segment of that name.'),
  decidedBy: z.array(operandSchema).describe('Of the condition, where it was looked at.'),
  reason: z.string().describe('Some sentences for people.'),
});

const evaluationSchema = z.object({
  id: z.string(),
  revision: z.int().nullable().describe('What was tried out or edited; null: a new content.'),
  live: z.int().nullable(),
  unsaved: z.boolean().describe('Edits that are not saved were tried out.'),
  segments: z
    .array(z.object({ name: z.string(), revision: z.int() }))
    .readonly()
    .describe('The saved segments that the mapping uses, each with the revision that held.'),
  line: z.string().nullable().describe('null: delivery answers 404.'),
  lineReason: z.string(),
  uid: z.int(),
  mod: z.int(),
  rules: z.array(ruleSchema),
  sizes: z
    .object({
      textBytes: z.int().describe('The text of the line, with its comments.'),
      jsonBytes: z.int().describe('The plain answer.'),
      dataBytes: z.int().describe('`data`, with what the rules changed.'),
      answerBytes: z.int().describe('The wrapped answer.'),
      gzipBytes: z.int().describe('The wrapped answer compressed, to within some 30 bytes.'),
    })
    .nullable(),
  at: z.string(),
  answer: z.unknown().describe('The wrapped answer byte for byte; null: delivery answers 404.'),
});
evaluationSchema.register(z.globalRegistry, { id: 'Evaluation' });

export function registerEvaluate(app: AdminApp, context: AdminContext): void {
  app.post(
    '/admin/v1/environments/:env/evaluate',
    {
      config: { role: 'viewer' },
      bodyLimit: contentBodyBytesMax(context.limits),
      schema: {
        tags: ['evaluate'],
        description:
          'Shows what a user context is answered, and why. The wrapped answer stands in it byte for byte as delivery gives it; each rule comes with its outcome and the operand of its condition that decided. A saved revision, another time, and edits that are not saved can be tried out; at a time in the past it is what was live then.',
        params: environmentParams,
        body: bodySchema,
        response: {
          200: evaluationSchema,
          ...problems(
            'content_not_found',
            'line_not_found',
            'revision_not_found',
            'history_not_kept',
            'invalid_content',
            'invalid_mapping',
            'too_costly',
          ),
        },
      },
    },
    async (request, reply) => {
      const { id, u, v = null, at } = request.body;
      const raw = request.rawBody ?? new Uint8Array();
      const wished = readCandidateFields(request.body, raw, context.limits);
      if (wished instanceof Problem) return sendProblem(reply, wished);
      const atMs = at === undefined ? context.now() : (parseInstant(at) ?? context.now());
      const value = await evaluate(context, {
        environment: request.params.env,
        id,
        ...wished,
        // The attributes as they were sent: what parsing and writing them anew would lose may decide.
        context: rawObject({ u, v }, { p: rawMembers(raw).get('p') ?? '{}' }),
        appVersion: v,
        atMs,
        asOfMs: wished.edit === null && atMs < context.now() ? atMs : null,
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      const { answer, ...rest } = value;
      const plain = { ...rest, at: new Date(atMs).toISOString() };
      return sendRaw(reply, 200, rawObject(plain, { answer: answer ?? 'null' }));
    },
  );
}
