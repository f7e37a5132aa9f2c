/** The route that tests a condition, saved or not, on user contexts. */
import { z } from 'zod';
import { testContextsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { environmentParams, faultSchema, nameSchema } from '../../contract/schemas/common.js';
import { operandSchema } from '../../contract/schemas/operand.js';
import { userContextSchema } from '../../contract/schemas/user-context.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { segmentUnknown } from '../authoring/save-segment.js';
import { weightOfConditions } from '../evaluation/weight.js';
import { problems } from '../http/problem-responses.js';
import { findEnvironment } from '../store/environments.js';
import { findSegment } from '../store/segments.js';
import { doWork } from '../work/do-work.js';
import { type ReadCondition, readCondition } from './condition-body.js';
import type { AdminApp, AdminContext } from './context.js';
import { bodyFault, sendProblem } from './problem.js';
import { rawMembers } from './raw-members.js';
import { conditionSchema } from './segment-view.js';

const testSchema = z.strictObject({
  when: conditionSchema.optional(),
  name: nameSchema.optional().describe('A saved segment, instead of `when`.'),
  contexts: z.array(userContextSchema).min(1).max(testContextsMax).describe('Users to try it on.'),
});

export function registerSegmentTest(app: AdminApp, context: AdminContext): void {
  app.post(
    '/admin/v1/environments/:env/segments/test',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['segments'],
        description:
          'Tests a condition on user contexts: whether each matches, and the operand that decided. Give a condition (`when`) or the name of a saved segment.',
        params: environmentParams,
        body: testSchema,
        response: {
          200: z.object({
            contexts: z.int(),
            matching: z.int(),
            results: z
              .array(
                z.object({
                  matches: z.boolean(),
                  reason: z.string().describe('Some sentences for people.'),
                  decidedBy: z.array(operandSchema).readonly(),
                }),
              )
              .readonly()
              .describe('One for each context, in their order.'),
            warnings: z.array(faultSchema).readonly(),
          }),
          ...problems('invalid_segment', 'segment_not_found', 'too_costly'),
        },
      },
    },
    async (request, reply) => {
      const { when, name } = request.body;
      if ((when === undefined) === (name === undefined)) {
        return sendProblem(reply, bodyFault('when', 'or name is needed, and not both'));
      }
      const { env } = request.params;
      const read = await conditionOf(context, env, name ?? null, request.rawBody);
      if (read instanceof Problem) return sendProblem(reply, read);
      // The contexts as they were sent: what parsing and writing them anew would lose may decide.
      const contexts = rawMembers(request.rawBody ?? new Uint8Array()).get('contexts') ?? noList;
      const input = { condition: read.condition, contexts: Buffer.from(contexts).toString() };
      const weight = weightOfConditions([read.condition], contexts);
      const results = await doWork(context.work, 'testCondition', input, weight);
      const matching = results.filter(({ matches }) => matches).length;
      return reply.send({ contexts: results.length, matching, results, warnings: read.warnings });
    },
  );
}

const noList = Buffer.from('[]');

/** @param name null: the condition stands in the body */
async function conditionOf(
  context: AdminContext,
  env: string,
  name: string | null,
  raw: Uint8Array | null,
): Promise<ReadCondition | Problem> {
  const saved = await context.store.read(async (db) => {
    if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
    if (name === null) return null;
    return (await findSegment(db, env, name)) ?? segmentUnknown(env, name);
  });
  if (saved instanceof Problem) return saved;
  return saved === null
    ? readCondition(context, raw)
    : { condition: saved.condition, warnings: [], attributes: [] };
}
