/** Routes that show the contents of an environment. */
import { z } from 'zod';
import { contentKey } from '../../content/content-id.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { revisionUnknown } from '../authoring/publish-content.js';
import { Refusal } from '../authoring/refusal.js';
import { listRowsMax } from '../limits.js';
import { listContents } from '../store/contents.js';
import { findEnvironment } from '../store/environments.js';
import { findRevision } from '../store/revisions.js';
import { contentJson, contentShape } from './content-view.js';
import type { AdminApp, AdminContext } from './context.js';
import { findPresent } from './known-content.js';
import { sendProblem } from './problem.js';
import { problems } from './problem-responses.js';
import { sendRaw } from './raw-json.js';
import { contentParams, environmentParams, timeText } from './shapes.js';

const limitShape = z.coerce
  .number()
  .int()
  .min(1)
  .max(listRowsMax)
  .default(listRowsMax)
  .describe('Contents of a page.');

const summaryShape = z.object({
  id: z.string(),
  description: z.string(),
  tags: z.array(z.string()).readonly(),
  newest: z.int(),
  live: z.int().nullable(),
  hash: z.string().describe('Of the highest line of the live revision, or of the newest.'),
  dynamic: z.boolean(),
  lines: z.int(),
  jsonBytes: z.int(),
  updatedAt: z.string(),
  deletedAt: z.string().nullable(),
});
summaryShape.register(z.globalRegistry, { id: 'ContentSummary' });

export function registerContents(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'viewer' } as const;

  app.get(
    '/admin/v1/environments/:env/contents',
    {
      config,
      schema: {
        tags,
        description: 'Lists contents by id, with what is live of each (or else is newest).',
        params: environmentParams,
        querystring: z.object({
          deleted: z
            .enum(['true', 'false'])
            .default('false')
            .describe('true: the deleted ones instead, with what was live of them.'),
          after: z.string().default('').describe('Id after which the page begins.'),
          limit: limitShape,
        }),
        response: {
          200: z.object({
            contents: z.array(summaryShape),
            next: z.string().nullable().describe('Give it as "after" for the next page.'),
          }),
          ...problems(),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { after, limit } = request.query;
      const deleted = request.query.deleted === 'true';
      const found = await context.store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
        return listContents(db, env, deleted, contentKey(after), limit);
      });
      if (found instanceof Refusal) return sendProblem(reply, found);
      return reply.send({
        contents: found.map((content) => ({
          id: content.id,
          description: content.description,
          tags: content.tags,
          newest: content.newest,
          live: content.live,
          hash: content.hash,
          dynamic: content.dynamic,
          lines: content.lines,
          jsonBytes: content.jsonBytes,
          updatedAt: timeText(content.updatedAtMs),
          deletedAt: timeText(content.deletedAtMs),
        })),
        next: found.length < limit ? null : (found.at(-1)?.idLower ?? null),
      });
    },
  );

  app.get(
    '/admin/v1/environments/:env/contents/:id',
    {
      config,
      schema: {
        tags,
        description: 'Shows the newest revision, live or not.',
        params: contentParams,
        response: { 200: contentShape, ...problems('content_not_found') },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const found = await context.store.read(async (db) => {
        const content = await findPresent(db, env, id);
        if (content instanceof Refusal) return content;
        const revision = await findRevision(db, env, content.idLower, content.newest);
        if (revision === null) return revisionUnknown(content.id, content.newest);
        return contentJson(db, content, revision);
      });
      if (found instanceof Refusal) return sendProblem(reply, found);
      return sendRaw(reply, 200, found);
    },
  );
}
