/** The route that copies what is live in one environment to another. */
import { z } from 'zod';
import { syncIdsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import {
  aboutChangeSchema,
  editedHereSchema,
  lineChangeSchema,
  mappingChangeSchema,
  planSchema,
} from '../../contract/schemas/changes.js';
import {
  contentIdSchema,
  environmentParams,
  publishedSchema,
} from '../../contract/schemas/common.js';
import { storable } from '../../contract/schemas/storable.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { problems } from '../http/problem-responses.js';
import { toIso } from '../to-iso.js';
import { previewSync, syncEnvironments } from '../transfer/sync-environments.js';
import type { SyncedContent, SyncedSegment, SyncReport } from '../transfer/sync-report.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { seesEnvironment } from './environment-scope.js';
import { sendProblem } from './problem.js';
import { sendRaw } from './raw-json.js';

const addedOrChanged = z.enum(['added', 'changed']);

const syncedSchema = z.object({
  id: z.string(),
  fromRevision: z.int(),
  toRevision: z.int().nullable().describe('What is live here; null: nothing.'),
  about: aboutChangeSchema,
  lines: z.array(lineChangeSchema).readonly().describe('Of a dry run.'),
  mapping: mappingChangeSchema,
  segments: z.array(z.object({ name: z.string(), change: addedOrChanged })).readonly(),
  conflict: z
    .boolean()
    .describe('What is live here differs, and was not made by a sync from that environment.'),
  edited: editedHereSchema.nullable().describe('Who made it, and when.'),
});

const segmentSchema = z.object({
  name: z.string(),
  change: addedOrChanged,
  before: z.string().nullable().describe('The condition here, JSON text, cut where it is long.'),
  after: z.string(),
  conflict: z
    .boolean()
    .describe('It is another here, and a sync from that environment was not the last to save it.'),
  edited: editedHereSchema.nullable(),
});

const reportSchema = z.object({
  added: z.array(syncedSchema).readonly(),
  changed: z.array(syncedSchema).readonly(),
  unchanged: z.array(z.string()).readonly(),
  onlyHere: z.array(z.string()).readonly().describe('A sync leaves them alone.'),
  segments: z.array(segmentSchema).readonly(),
  plan: planSchema,
  dryRun: z.boolean(),
  ...publishedSchema,
});
reportSchema.register(z.globalRegistry, { id: 'SyncReport' });

export function registerSync(app: AdminApp, context: AdminContext): void {
  const { store, checks } = context;
  app.post(
    '/admin/v1/environments/:env/sync',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags: ['sync'],
        description:
          'Copies the live revisions of another environment (all, or those named), with what is said about them and the saved segments they use, on top of the history here. All of it or nothing, published together. A dry run says what would change in each content, names the conflicts (edits made here that would be covered), and answers a `plan`; sent along, the sync is refused unless it would still do just that. A protected environment takes syncs only from owners, and only with a plan.',
        params: environmentParams,
        body: z.strictObject({
          from: storable(z.string()).describe('Id of the environment to copy from.'),
          ids: z
            .array(contentIdSchema)
            .max(syncIdsMax)
            .optional()
            .describe('Contents to copy; left out, all that are live there.'),
          dryRun: z.boolean().default(false).describe('Say what would change, and change nothing.'),
          plan: planSchema.optional(),
        }),
        response: {
          200: reportSchema,
          ...problems(
            'invalid_body',
            'environment_not_found',
            'content_not_found',
            'invalid_content',
            'invalid_mapping',
            'invalid_schema',
            'too_costly',
            'overloaded',
            'plan_required',
            'plan_stale',
            'store_unavailable',
            'not_published',
          ),
        },
      },
    },
    async (request, reply) => {
      const { from, ids, dryRun, plan } = request.body;
      // The path's environment was looked at with the token; this one stands in the body.
      if (!seesEnvironment(request.user, from)) return sendProblem(reply, environmentUnknown(from));
      const wish = { from, to: request.params.env, ids };
      const { value, sequence } = dryRun
        ? { value: await previewSync({ store, checks }, wish), sequence: await store.sequence() }
        : await syncEnvironments(
            { store, checks, commit: (work) => commit(context, request, work) },
            wish,
            plan ?? null,
          );
      if (value instanceof Problem) return sendProblem(reply, value);
      // Past the serializer, which holds up everybody for the seconds it takes with 10,000 contents.
      const answer = { ...reportJson(value), dryRun, sequence };
      return sendRaw(reply, 200, Buffer.from(JSON.stringify(answer)));
    },
  );
}

function reportJson(report: SyncReport) {
  return {
    ...report,
    added: report.added.map(withTime),
    changed: report.changed.map(withTime),
    segments: report.segments.map(withTime),
  };
}

function withTime<T extends SyncedContent | SyncedSegment>(change: T) {
  const { edited } = change;
  if (edited === null) return { ...change, edited };
  return { ...change, edited: { author: edited.author, at: toIso(edited.atMs) } };
}
