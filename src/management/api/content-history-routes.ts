/** Routes that show the history of a content; of a deleted one, too. */
import { z } from 'zod';
import { listRowsMax, revisionMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { contentParams } from '../../contract/schemas/common.js';
import { revisionUnknown } from '../authoring/publish-content.js';
import { problems } from '../http/problem-responses.js';
import { findRevision, listRevisions } from '../store/revisions.js';
import { toIso } from '../to-iso.js';
import { revisionJson, revisionStateSchema, syncedSchema } from './content-view.js';
import type { AdminApp, AdminContext } from './context.js';
import { findKnown } from './known-content.js';
import { sendProblem } from './problem.js';
import { sendRaw } from './raw-json.js';

const limitSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(listRowsMax)
  .default(listRowsMax)
  .describe('Revisions of a page.');

const revisionSummarySchema = z.object({
  revision: z.int(),
  live: z.boolean(),
  hash: z.string(),
  dynamic: z.boolean(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
  synced: syncedSchema,
});
revisionSummarySchema.register(z.globalRegistry, { id: 'RevisionSummary' });

export function registerContentHistory(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'viewer' } as const;

  app.get(
    '/admin/v1/environments/:env/contents/:id/revisions',
    {
      config,
      schema: {
        tags,
        description:
          'Lists what was saved, newest first. The history of a deleted content is shown too.',
        params: contentParams,
        querystring: z.object({
          before: z.coerce
            .number()
            .int()
            .min(1)
            .max(revisionMax)
            .default(revisionMax)
            .describe('Number of the revision before which the page begins.'),
          limit: limitSchema,
        }),
        response: {
          200: z.object({ id: z.string(), revisions: z.array(revisionSummarySchema) }),
          ...problems('content_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { before, limit } = request.query;
      const found = await context.store.read(async (db) => {
        const content = await findKnown(db, env, id);
        if (content instanceof Problem) return content;
        const revisions = await listRevisions(db, env, content.idLower, before, limit);
        return { content, revisions };
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      const { content, revisions } = found;
      return reply.send({
        id: content.id,
        revisions: revisions.map(
          ({ number, mapping, hash, author, note, createdAtMs, synced }) => ({
            revision: number,
            live: number === content.live,
            hash,
            dynamic: mapping !== null,
            author,
            note,
            createdAt: toIso(createdAtMs),
            synced,
          }),
        ),
      });
    },
  );

  app.get(
    '/admin/v1/environments/:env/contents/:id/revisions/:revision',
    {
      config,
      schema: {
        tags,
        description: 'Shows one revision with its texts and its mapping.',
        params: contentParams.extend({
          revision: z.coerce
            .number()
            .int()
            .min(1)
            .max(revisionMax)
            .describe('Number of the revision.'),
        }),
        response: {
          200: revisionStateSchema,
          ...problems('content_not_found', 'revision_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, id, revision: number } = request.params;
      const found = await context.store.read(async (db) => {
        const content = await findKnown(db, env, id);
        if (content instanceof Problem) return content;
        const revision = await findRevision(db, env, content.idLower, number);
        if (revision === null) return revisionUnknown(content.id, number);
        return revisionJson(db, content.id, revision);
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      return sendRaw(reply, 200, found);
    },
  );
}
