/** The route that saves a segment, or says what saving it would do. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseInstant } from '../../content/mapping/instant.js';
import { testContextsMax } from '../../contract/limits.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import {
  descriptionSchema,
  environmentParams,
  faultSchema,
  instantSchema,
  nameSchema,
  noteSchema,
  publishedSchema,
} from '../../contract/schemas/common.js';
import { userContextSchema } from '../../contract/schemas/user-context.js';
import { segmentDoubts } from '../attributes/attribute-doubts.js';
import {
  planSegment,
  reachedBy,
  type SavedSegment,
  type SegmentEdit,
  saveSegment,
} from '../authoring/save-segment.js';
import { weightOfConditions } from '../evaluation/weight.js';
import { problems } from '../http/problem-responses.js';
import { toIso } from '../to-iso.js';
import type { ComparedConditions } from '../work/compare-conditions.js';
import { doWork } from '../work/do-work.js';
import { commit } from './commit.js';
import { type ReadCondition, readCondition } from './condition-body.js';
import type { AdminApp, AdminContext } from './context.js';
import { bodyFault, sendProblem } from './problem.js';
import { sendRaw } from './raw-json.js';
import { rawMembers } from './raw-members.js';
import { conditionSchema, segmentFields, segmentJson } from './segment-view.js';

const putSchema = z.strictObject({
  when: conditionSchema,
  description: descriptionSchema.optional().describe('Left out, it stays as it is.'),
  note: noteSchema.default(''),
  ifUpdatedAt: instantSchema
    .nullable()
    .optional()
    .describe(
      'Refuse with `segment_conflict` unless the segment was last saved then; null: unless it is new.',
    ),
  dryRun: z.boolean().default(false).describe('Change nothing, and say what saving would do.'),
  contexts: z
    .array(userContextSchema)
    .max(testContextsMax)
    .optional()
    .describe('With dryRun: user contexts to count whom the change lets in and leaves out.'),
});
putSchema.register(z.globalRegistry, {
  examples: [{ when: { country: { $in: ['US', 'CA'] }, level: { $gte: 10 } } }],
});

const reachesSchema = z
  .array(z.string())
  .describe('Ids of the contents that are delivered with it: the edit changes what they answer.');

export const savedSegmentSchema = z.object({
  ...segmentFields,
  reaches: reachesSchema,
  warnings: z.array(faultSchema).readonly(),
  ...publishedSchema,
});

const places = z
  .array(z.int())
  .readonly()
  .describe('The first of them, as places in `contexts`, from 0.');
const effectSchema = z.object({
  contexts: z.int(),
  matchedBefore: z.int(),
  matchAfter: z.int(),
  entering: z.int(),
  leaving: z.int(),
  enteringExamples: places,
  leavingExamples: places,
});

const planSchema = z.object({
  name: z.string(),
  dryRun: z.literal(true),
  created: z.boolean().describe('It would be new.'),
  changed: z.boolean().describe('Its condition would be another one.'),
  updatedAt: z.string().nullable().describe('Send it as ifUpdatedAt to save just this change.'),
  reaches: reachesSchema,
  warnings: z.array(faultSchema).readonly(),
  effect: effectSchema.nullable().describe('On the contexts given; null without any.'),
});

type PutBody = z.output<typeof putSchema>;

export function registerSegmentPut(app: AdminApp, context: AdminContext): void {
  app.put(
    '/admin/v1/environments/:env/segments/:name',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags: ['segments'],
        description:
          'Saves a segment: contents that use it are delivered with the new condition at once, and are named in `reaches`. With dryRun nothing is changed and the answer says what would be.',
        params: environmentParams.extend({
          name: nameSchema.describe('Name of the segment.'),
        }),
        body: putSchema,
        response: {
          200: z.union([savedSegmentSchema, planSchema]),
          201: savedSegmentSchema,
          ...problems('invalid_segment', 'segment_conflict', 'too_costly'),
        },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { body } = request;
      if (body.contexts !== undefined && !body.dryRun) {
        return sendProblem(reply, bodyFault('contexts', 'are for a dry run'));
      }
      const read = await readCondition(context, request.rawBody);
      if (read instanceof Problem) return sendProblem(reply, read);
      const edit = editOf(read.condition, body);
      if (body.dryRun) {
        const plan = await planPut(context, env, name, edit, request);
        if (plan instanceof Problem) return sendProblem(reply, plan);
        const doubts = await segmentDoubts(context, request, env, name, read.attributes);
        return reply.send({ ...plan, warnings: [...read.warnings, ...doubts] });
      }
      return save(context, request, reply, { env, name, edit, read });
    },
  );
}

function editOf(condition: string, { description, note, ifUpdatedAt }: PutBody): SegmentEdit {
  const edit = { condition, description, note };
  if (ifUpdatedAt === undefined || ifUpdatedAt === null) {
    return { ...edit, ifUpdatedAtMs: ifUpdatedAt };
  }
  return { ...edit, ifUpdatedAtMs: parseInstant(ifUpdatedAt) ?? Number.NaN };
}

interface SavePut {
  readonly env: string;
  readonly name: string;
  readonly edit: SegmentEdit;
  readonly read: ReadCondition;
}

async function save(
  context: AdminContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { env, name, edit, read }: SavePut,
): Promise<FastifyReply> {
  const { value, sequence } = await commit(context, request, (write) =>
    saveSegment(write, env, name, edit),
  );
  if (value instanceof Problem) return sendProblem(reply, value);
  const status = value.created ? 201 : 200;
  const doubts = await segmentDoubts(context, request, env, name, read.attributes);
  const warnings = [...read.warnings, ...doubts];
  return sendRaw(reply, status, savedSegmentJson(value, warnings, sequence));
}

/** JSON text of `savedSegmentSchema`. */
export function savedSegmentJson(
  { segment, uses }: SavedSegment,
  warnings: readonly ValidationIssue[],
  sequence: number,
): Uint8Array {
  const usedBy = uses.map((use) => use.content);
  return segmentJson(segment, usedBy, { reaches: reachedBy(uses), warnings, sequence });
}

type Plan = Omit<z.output<typeof planSchema>, 'warnings'>;

async function planPut(
  { store, work }: AdminContext,
  env: string,
  name: string,
  edit: SegmentEdit,
  request: { readonly body: PutBody; readonly rawBody: Uint8Array | null },
): Promise<Plan | Problem> {
  const plan = await store.read((db) => planSegment(db, env, name, edit));
  if (plan instanceof Problem) return plan;
  const before = plan.before?.condition ?? null;
  const contexts = rawMembers(request.rawBody ?? new Uint8Array()).get('contexts');
  let effect: ComparedConditions | null = null;
  if (contexts !== undefined) {
    const input = { before, after: edit.condition, contexts: Buffer.from(contexts).toString() };
    const weight = weightOfConditions([before ?? '', edit.condition], contexts);
    effect = await doWork(work, 'compareConditions', input, weight);
  }
  return {
    name,
    dryRun: true,
    created: plan.before === null,
    changed: before !== edit.condition,
    updatedAt: toIso(plan.before?.updatedAtMs ?? null),
    reaches: reachedBy(plan.uses),
    effect,
  };
}
