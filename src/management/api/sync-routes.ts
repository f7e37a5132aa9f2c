/** The route that copies what is live in one environment to another. */
import { z } from 'zod';
import { Refusal } from '../authoring/refusal.js';
import { previewSync, syncEnvironments } from '../authoring/sync.js';
import { syncIdsMax } from '../limits.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { contentIdShape, environmentParams, sequenceShape } from './shapes.js';

const segmentChangeShape = z.object({ name: z.string(), change: z.enum(['added', 'changed']) });

const lineChangeShape = z.object({
  appVersion: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  oldHash: z.string().nullable(),
  newHash: z
    .string()
    .nullable()
    .describe('Equal to oldHash: only comments or white space changed.'),
  pointers: z
    .array(z.object({ path: z.string(), change: z.enum(['added', 'changed', 'removed']) }))
    .readonly(),
  pointersCut: z.boolean().describe('More changed than is listed.'),
});

const syncedShape = z.object({
  id: z.string(),
  fromRevision: z.int(),
  toRevision: z.int().nullable(),
  lines: z.array(lineChangeShape).readonly(),
  mapping: z.enum(['same', 'added', 'changed', 'removed']),
  segments: z.array(segmentChangeShape).readonly(),
});

const reportShape = z.object({
  added: z.array(syncedShape).readonly(),
  changed: z.array(syncedShape).readonly(),
  unchanged: z.array(z.string()).readonly(),
  onlyHere: z.array(z.string()).readonly(),
  segments: z.array(segmentChangeShape).readonly(),
  dryRun: z.boolean(),
  sequence: sequenceShape,
});

export function registerSync(app: AdminApp, context: AdminContext): void {
  app.post(
    '/admin/v1/environments/:env/sync',
    {
      config: { role: 'editor' },
      schema: {
        tags: ['sync'],
        description:
          'Copies the live revisions of another environment (all, or those named), with the saved segments they use, on top of the history here. All of it or nothing.',
        params: environmentParams,
        body: z.strictObject({
          from: z.string(),
          ids: z.array(contentIdShape).max(syncIdsMax).optional(),
          dryRun: z.boolean().default(false),
        }),
        response: { 200: reportShape },
      },
    },
    async (request, reply) => {
      const { from, ids, dryRun } = request.body;
      const wish = { from, to: request.params.env, ids };
      const { value, sequence } = dryRun
        ? {
            value: await context.store.read((db) => previewSync(db, wish)),
            sequence: await context.store.sequence(),
          }
        : await commit(context, request, (write) => syncEnvironments(write, wish));
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ ...value, dryRun, sequence });
    },
  );
}
