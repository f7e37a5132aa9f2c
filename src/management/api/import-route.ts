/** The route that takes an environment in. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { changesShownMax } from '../../contract/limits.js';
import { ndjsonType } from '../../contract/operation.js';
import { Problem } from '../../contract/problems.js';
import {
  aboutChangeSchema,
  lineChangeSchema,
  mappingChangeSchema,
  planSchema,
} from '../../contract/schemas/changes.js';
import { environmentParams, faultSchema, publishedSchema } from '../../contract/schemas/common.js';
import { transferLineSchema } from '../../contract/schemas/transfer-line.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { problems } from '../http/problem-responses.js';
import { importBytesMax, transferLineBytesMax } from '../limits.js';
import { findEnvironment } from '../store/environments.js';
import {
  type ImportWish,
  importEnvironment,
  previewImport,
} from '../transfer/import-environment.js';
import { reportImport } from '../transfer/import-report.js';
import { refuseHasty } from '../transfer/refuse-plan.js';
import { actorOf, commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { takeLineRoom } from './take-line-room.js';

const importedSchema = z.object({
  id: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  revision: z.int().nullable().describe('The newest revision then; null: it is removed.'),
  live: z.int().nullable(),
  about: aboutChangeSchema,
  lines: z.array(lineChangeSchema).readonly().describe('Of a dry run.'),
  mapping: mappingChangeSchema,
});

const countsSchema = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  removed: z.int(),
});

const reportSchema = z.object({
  mode: z.enum(['merge', 'replace']),
  dryRun: z.boolean(),
  plan: planSchema,
  counts: countsSchema,
  contents: z
    .array(importedSchema)
    .readonly()
    .describe(`What is not unchanged, the first ${changesShownMax}.`),
  contentsCut: z.boolean().describe('More change than are listed.'),
  segments: z
    .array(z.object({ name: z.string(), change: z.enum(['added', 'changed', 'removed']) }))
    .readonly(),
  warnings: z
    .array(faultSchema)
    .readonly()
    .describe('What is valid but can hardly be meant; `line` is the line of the file.'),
  ...publishedSchema,
});
reportSchema.register(z.globalRegistry, { id: 'ImportReport' });

export function registerImport(app: AdminApp, context: AdminContext): void {
  const { store, work, limits, bodies } = context;
  app.post(
    '/admin/v1/environments/:env/import',
    {
      config: { role: 'editor', publishes: true, lines: transferLineSchema },
      schema: {
        tags: ['transfer'],
        description:
          'Takes NDJSON as the export gives it (`application/x-ndjson`; mode and dryRun are in the query, because the body is the file). Every line is checked as saving it would be; what is wrong is told with the number of its line, and then nothing is changed. All of it is published together. What is as in the file gets no new revision. `merge` leaves alone what the file does not have; `replace` removes it, history kept, and takes only a file with its end line. A dry run says what would change and names it by `plan`; sent along, the import is refused unless it would still do just that. A protected environment takes imports only from owners, and only with a plan.',
        consumes: [ndjsonType],
        params: environmentParams,
        querystring: z.object({
          mode: z
            .enum(['merge', 'replace'])
            .default('merge')
            .describe('Whether what the file does not have stays, or goes.'),
          dryRun: z
            .enum(['true', 'false'])
            .default('false')
            .describe('Say what would change, and change nothing.'),
          plan: planSchema.optional(),
        }),
        response: {
          200: reportSchema,
          ...problems(
            'invalid_import',
            'invalid_request',
            'environment_not_found',
            'plan_required',
            'plan_stale',
            'body_too_large',
            'invalid_content_type',
            'store_unavailable',
            'not_published',
          ),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { mode, plan } = request.query;
      const dryRun = request.query.dryRun === 'true';
      const body: unknown = request.body;
      if (!(body instanceof Readable)) return sendProblem(reply, notNdjson());
      // Left alone after a refusal: destroying the stream would take the socket with it, and the refusal.
      const stream = body.iterator({ destroyOnReturn: false });
      const wish: ImportWish = { environment: env, mode, plan: plan ?? null };
      const actor = actorOf(request);
      const environment = await store.read((db) => findEnvironment(db, env));
      if (environment === null) return sendProblem(reply, environmentUnknown(env));
      // Asked again within the transaction; here it spares the sender the whole upload.
      const hasty = dryRun ? null : refuseHasty(environment, actor, wish.plan);
      if (hasty !== null) return sendProblem(reply, hasty);
      const takeRoom = () => takeLineRoom(bodies, request.raw, transferLineBytesMax(limits));
      const parts = { store, work, limits, actor, takeRoom };
      const read = dryRun
        ? previewImport(parts, wish, stream)
        : importEnvironment(
            { ...parts, commit: (apply) => commit(context, request, apply) },
            wish,
            stream,
          );
      const outcome = await read.catch((error: unknown) => {
        // The rest is thrown away while the refusal is on its way.
        body.resume();
        throw error;
      });
      if (!body.readableEnded) await readAway(body);
      if (outcome instanceof Problem) return sendProblem(reply, outcome);
      return reply.send({ mode, dryRun, ...reportImport(outcome) });
    },
  );
}

/** The rest of a refused body: a sender that is cut off midway would not see the answer. Its time is limited. */
async function readAway(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).byteLength;
      if (bytes > importBytesMax) return;
    }
  } catch {
    // The sender is gone, and wants no answer.
  }
}

function notNdjson(): Problem {
  return new Problem('invalid_content_type', `Send the file as the body, as ${ndjsonType}.`);
}
