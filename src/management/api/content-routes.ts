/** Routes that show contents and their history. */
import { z } from 'zod';
import { contentKey } from '../../content/content-id.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { contentUnknown, revisionUnknown } from '../authoring/publish-content.js';
import { Refusal } from '../authoring/refusal.js';
import { listRowsMax } from '../limits.js';
import { type ContentRecord, findContent, listContents } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import { findRevision, listRevisions } from '../store/revisions.js';
import { contentJson, revisionJson } from './content-view.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { sendRaw } from './raw-json.js';
import { contentParams, environmentParams, timeText } from './shapes.js';

const limitShape = z.coerce.number().int().min(1).max(listRowsMax).default(listRowsMax);

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
});

const revisionSummaryShape = z.object({
  revision: z.int(),
  live: z.boolean(),
  hash: z.string(),
  dynamic: z.boolean(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
});

export function registerContents(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'viewer' } as const;

  app.get(
    '/admin/v1/environments/:env/contents',
    {
      config,
      schema: {
        tags,
        params: environmentParams,
        querystring: z.object({ after: z.string().default(''), limit: limitShape }),
        response: {
          200: z.object({
            contents: z.array(summaryShape),
            next: z.string().nullable().describe('Give it as "after" for the next page.'),
          }),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { after, limit } = request.query;
      const found = await context.store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
        return listContents(db, env, contentKey(after), limit);
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
        })),
        next: found.length < limit ? null : (found.at(-1)?.idLower ?? null),
      });
    },
  );

  app.get(
    '/admin/v1/environments/:env/contents/:id',
    {
      config,
      schema: { tags, description: 'The newest revision, live or not.', params: contentParams },
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

  app.get(
    '/admin/v1/environments/:env/contents/:id/revisions',
    {
      config,
      schema: {
        tags,
        description: 'Newest first. The history of a deleted content is shown too.',
        params: contentParams,
        querystring: z.object({
          before: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
          limit: limitShape,
        }),
        response: { 200: z.object({ id: z.string(), revisions: z.array(revisionSummaryShape) }) },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { before, limit } = request.query;
      const found = await context.store.read(async (db) => {
        const content = await findKnown(db, env, id);
        if (content instanceof Refusal) return content;
        const revisions = await listRevisions(db, env, content.idLower, before, limit);
        return { content, revisions };
      });
      if (found instanceof Refusal) return sendProblem(reply, found);
      const { content, revisions } = found;
      return reply.send({
        id: content.id,
        revisions: revisions.map(({ number, mapping, hash, author, note, createdAtMs }) => ({
          revision: number,
          live: number === content.live,
          hash,
          dynamic: mapping !== null,
          author,
          note,
          createdAt: timeText(createdAtMs),
        })),
      });
    },
  );

  app.get(
    '/admin/v1/environments/:env/contents/:id/revisions/:revision',
    {
      config,
      schema: {
        tags,
        params: contentParams.extend({ revision: z.coerce.number().int().min(1) }),
      },
    },
    async (request, reply) => {
      const { env, id, revision: number } = request.params;
      const found = await context.store.read(async (db) => {
        const content = await findKnown(db, env, id);
        if (content instanceof Refusal) return content;
        const revision = await findRevision(db, env, content.idLower, number);
        if (revision === null) return revisionUnknown(content.id, number);
        return revisionJson(db, content.id, revision);
      });
      if (found instanceof Refusal) return sendProblem(reply, found);
      return sendRaw(reply, 200, found);
    },
  );
}

/** Deleted ones too. */
async function findKnown(db: Reading, env: string, id: string): Promise<ContentRecord | Refusal> {
  if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
  return (await findContent(db, env, id)) ?? contentUnknown(env, id);
}

async function findPresent(db: Reading, env: string, id: string): Promise<ContentRecord | Refusal> {
  const content = await findKnown(db, env, id);
  if (content instanceof Refusal || content.deletedAtMs === null) return content;
  return contentUnknown(env, id);
}
