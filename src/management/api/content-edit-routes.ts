/** Routes that change what is delivered of a content without a new text: publish, roll back, remove a line. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import { contentParams, revisionSchema, versionSchema } from '../../contract/schemas/common.js';
import { savedSchema, stateCodes } from '../../contract/schemas/saved.js';
import type { CheckableState } from '../authoring/check-state.js';
import {
  findSavedState,
  findStateWithout,
  type PublishedContent,
  publishContent,
  removeLine,
  rollBackContent,
} from '../authoring/publish-content.js';
import { problems } from '../http/problem-responses.js';
import type { Reading } from '../store/dialect.js';
import type { Write } from '../store/write.js';
import { withContentDoubts } from './attribute-doubts.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

export function registerContentEdits(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'editor', publishes: true } as const;

  app.delete(
    '/admin/v1/environments/:env/contents/:id/lines/:appVersion',
    {
      config,
      schema: {
        tags,
        description:
          'Removes the line of an app version. The callers it served get the next lower one.',
        params: contentParams.extend({ appVersion: versionSchema }),
        querystring: z.object({
          publish: z
            .enum(['true', 'false'])
            .default('true')
            .describe('Whether players see it at once; false saves a draft.'),
          ifRevision: z.coerce
            .number()
            .int()
            .min(1)
            .optional()
            .describe('Refuse unless this is the newest revision.'),
        }),
        response: {
          200: savedSchema,
          ...problems('line_not_found', 'last_line', 'revision_conflict', ...stateCodes),
        },
      },
    },
    async (request, reply) => {
      const { env, id, appVersion } = request.params;
      const publish = request.query.publish === 'true';
      const { ifRevision } = request.query;
      const ahead = (db: Reading) => findStateWithout(db, env, id, appVersion);
      return answerEdit(context, request, reply, env, ahead, (write) =>
        removeLine(write, context.checks, env, id, appVersion, { publish, ifRevision }),
      );
    },
  );

  app.post(
    '/admin/v1/environments/:env/contents/:id/publish',
    {
      config,
      schema: {
        tags,
        description: 'Makes a saved revision the live one; without a number, the newest.',
        params: contentParams,
        body: z.strictObject({ revision: revisionSchema.optional() }),
        response: {
          200: savedSchema,
          ...problems('revision_not_found', 'revision_older', ...stateCodes),
        },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const number = request.body.revision ?? null;
      const ahead = (db: Reading) => findSavedState(db, env, id, number);
      return answerEdit(context, request, reply, env, ahead, (write) =>
        publishContent(write, context.checks, env, id, number),
      );
    },
  );

  app.post(
    '/admin/v1/environments/:env/contents/:id/rollback',
    {
      config,
      schema: {
        tags,
        description: 'Publishes an old revision again, as a new one. Undoes a deletion, too.',
        params: contentParams,
        body: z.strictObject({ revision: revisionSchema }),
        response: { 200: savedSchema, ...problems('revision_not_found', ...stateCodes) },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { revision } = request.body;
      const ahead = (db: Reading) => findSavedState(db, env, id, revision);
      return answerEdit(context, request, reply, env, ahead, (write) =>
        rollBackContent(write, context.checks, env, id, revision),
      );
    },
  );
}

/**
 * Commits the work and answers with the content as it is then.
 * @param environment of the content
 * @param ahead the state that the work will check, which is judged before its transaction
 */
export async function answerEdit(
  context: AdminContext,
  request: FastifyRequest,
  reply: FastifyReply,
  environment: string,
  ahead: (db: Reading) => Promise<CheckableState | null>,
  work: (write: Write) => Promise<PublishedContent | Problem>,
): Promise<FastifyReply> {
  await context.checks.ahead(context.store, ahead);
  const { value, sequence } = await commit(context, request, work);
  if (value instanceof Problem) return sendProblem(reply, value);
  const saved = await withContentDoubts(context, request, environment, value);
  return reply.send({ ...saved, sequence });
}
