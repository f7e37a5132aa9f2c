/** Routes that change contents: save, publish, roll back, remove. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type PublishedContent,
  publishContent,
  removeContent,
  removeLine,
  rollBackContent,
} from '../authoring/publish-content.js';
import { Refusal } from '../authoring/refusal.js';
import { saveContent } from '../authoring/save-content.js';
import { lowestVersion } from '../authoring/version-text.js';
import { contentBodyBytesMax } from '../limits.js';
import type { Write } from '../store/write.js';
import { commit } from './commit.js';
import { editBodyShape, readContentEdit } from './content-edit-body.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { contentParams, faultShape, revisionShape, sequenceShape, versionShape } from './shapes.js';

const savedShape = z.object({
  id: z.string(),
  revision: z.int(),
  live: z.int().nullable().describe('The live revision; null: nothing is delivered.'),
  hash: z.string().describe('Of the highest line.'),
  warnings: z.array(faultShape).readonly(),
  sequence: sequenceShape,
});

export function registerContentEdits(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'editor' } as const;

  app.put(
    '/admin/v1/environments/:env/contents/:id',
    {
      config,
      bodyLimit: contentBodyBytesMax(context.limits),
      schema: {
        tags,
        description: `Saves an edit on top of the newest revision. The text goes to the line of appVersion (${lowestVersion} when left out); a field that is left out stays as it is.`,
        params: contentParams,
        body: editBodyShape,
        response: { 200: savedShape, 201: savedShape },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const edit = readContentEdit(request.body, request.rawBody, context.limits);
      if (edit instanceof Refusal) return sendProblem(reply, edit);
      const { value, sequence } = await commit(context, request, (write) =>
        saveContent(write, env, id, edit),
      );
      if (value instanceof Refusal) return sendProblem(reply, value);
      const { created, ...saved } = value;
      return reply.code(created ? 201 : 200).send({ ...saved, sequence });
    },
  );

  app.delete(
    '/admin/v1/environments/:env/contents/:id',
    {
      config,
      schema: {
        tags,
        description: 'Takes the content out of delivery. Its history stays.',
        params: contentParams,
        response: { 200: z.object({ id: z.string(), sequence: sequenceShape }) },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { value, sequence } = await commit(context, request, (write) =>
        removeContent(write, env, id),
      );
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ id: value.id, sequence });
    },
  );

  app.delete(
    '/admin/v1/environments/:env/contents/:id/lines/:appVersion',
    {
      config,
      schema: {
        tags,
        params: contentParams.extend({ appVersion: versionShape }),
        querystring: z.object({ publish: z.enum(['true', 'false']).default('true') }),
        response: { 200: savedShape },
      },
    },
    async (request, reply) => {
      const { env, id, appVersion } = request.params;
      const publish = request.query.publish === 'true';
      return answer(context, request, reply, (write) =>
        removeLine(write, env, id, appVersion, publish),
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
        body: z.strictObject({ revision: revisionShape.optional() }),
        response: { 200: savedShape },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const number = request.body.revision ?? null;
      return answer(context, request, reply, (write) => publishContent(write, env, id, number));
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
        body: z.strictObject({ revision: revisionShape }),
        response: { 200: savedShape },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { revision } = request.body;
      return answer(context, request, reply, (write) => rollBackContent(write, env, id, revision));
    },
  );
}

async function answer(
  context: AdminContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (write: Write) => Promise<PublishedContent | Refusal>,
): Promise<FastifyReply> {
  const { value, sequence } = await commit(context, request, work);
  if (value instanceof Refusal) return sendProblem(reply, value);
  return reply.send({ ...value, sequence });
}
