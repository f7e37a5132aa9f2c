/** Routes that take a content out of delivery, and bring it back. */
import { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import { contentParams, publishedSchema } from '../../contract/schemas/common.js';
import { savedSchema, stateCodes } from '../../contract/schemas/saved.js';
import { bringBackContent, findDeletedState, removeContent } from '../authoring/delete-content.js';
import { problems } from '../http/problem-responses.js';
import type { Reading } from '../store/dialect.js';
import { commit } from './commit.js';
import { answerEdit } from './content-edit-routes.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

export function registerContentDeletion(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'editor', publishes: true } as const;

  app.delete(
    '/admin/v1/environments/:env/contents/:id',
    {
      config,
      schema: {
        tags,
        description:
          'Takes the content out of delivery. Its history stays, and `restore` brings it back.',
        params: contentParams,
        response: {
          200: z.object({ id: z.string(), ...publishedSchema }),
          ...problems('content_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { value, sequence } = await commit(context, request, (write) =>
        removeContent(write, env, id),
      );
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ id: value.id, sequence });
    },
  );

  app.post(
    '/admin/v1/environments/:env/contents/:id/restore',
    {
      config,
      schema: {
        tags,
        description:
          'Undoes a deletion: what was live is live again, under its own number; drafts are drafts.',
        params: contentParams,
        response: {
          200: savedSchema,
          ...problems('not_deleted', 'revision_not_found', ...stateCodes),
        },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const ahead = (db: Reading) => findDeletedState(db, env, id);
      return answerEdit(context, request, reply, env, ahead, (write) =>
        bringBackContent(write, context.checks, env, id),
      );
    },
  );
}
