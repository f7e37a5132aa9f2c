/** Routes that show the history of a saved segment, compare its revisions, and roll it back. */
import { z } from 'zod';
import { listRowsMax, pointersPerLineMax, revisionMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { pointerChangeSchema, syncedSchema } from '../../contract/schemas/changes.js';
import { environmentParams, nameSchema, revisionSchema } from '../../contract/schemas/common.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import {
  rollBackSegment,
  segmentRevisionUnknown,
  segmentUnknown,
} from '../authoring/save-segment.js';
import { problems } from '../http/problem-responses.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import {
  findSegmentRevision,
  listSegmentRevisions,
  newestSegmentRevision,
  type SegmentRevision,
} from '../store/segment-revisions.js';
import { findSegment } from '../store/segments.js';
import { toIso } from '../to-iso.js';
import { doWork } from '../work/do-work.js';
import { segmentDoubts } from './attribute-doubts.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { rawObject, sendRaw } from './raw-json.js';
import { savedSegmentJson, savedSegmentSchema } from './segment-put-route.js';
import { conditionSchema } from './segment-view.js';

const segmentParams = environmentParams.extend({
  name: nameSchema.describe('Name of the segment.'),
});
const numberSchema = z.coerce.number().int().min(1).max(revisionMax);

const summaryFields = {
  revision: z.int(),
  current: z.boolean().describe('Rules that name the segment use it now.'),
  author: z.string().describe('"" where it was saved before revisions were kept.'),
  note: z.string(),
  createdAt: z.string(),
  synced: syncedSchema,
};
const summarySchema = z.object(summaryFields);
summarySchema.register(z.globalRegistry, { id: 'SegmentRevisionSummary' });

export function registerSegmentHistory(app: AdminApp, context: AdminContext): void {
  const tags = ['segments'];
  const config = { role: 'viewer' } as const;

  app.get(
    '/admin/v1/environments/:env/segments/:name/revisions',
    {
      config,
      schema: {
        tags,
        description:
          'Lists the conditions that a segment has had, newest first. The history of a deleted segment is shown too.',
        params: segmentParams,
        querystring: z.object({
          before: numberSchema
            .default(revisionMax)
            .describe('Number of the revision before which the page begins.'),
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(listRowsMax)
            .default(listRowsMax)
            .describe('Revisions of a page.'),
        }),
        response: {
          200: z.object({ name: z.string(), revisions: z.array(summarySchema) }),
          ...problems('environment_not_found', 'segment_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { before, limit } = request.query;
      const found = await context.store.read(async (db) => {
        const current = await currentRevision(db, env, name);
        if (current instanceof Problem) return current;
        return { current, revisions: await listSegmentRevisions(db, env, name, before, limit) };
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      const { current, revisions } = found;
      return reply.send({ name, revisions: revisions.map((one) => summaryOf(one, current)) });
    },
  );

  app.get(
    '/admin/v1/environments/:env/segments/:name/revisions/:revision',
    {
      config,
      schema: {
        tags,
        description: 'Shows one revision with its condition.',
        params: segmentParams.extend({
          revision: numberSchema.describe('Number of the revision.'),
        }),
        response: {
          200: z.object({ name: z.string(), ...summaryFields, when: conditionSchema }),
          ...problems('environment_not_found', 'segment_not_found', 'revision_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, name, revision: number } = request.params;
      const found = await context.store.read(async (db) => {
        const current = await currentRevision(db, env, name);
        if (current instanceof Problem) return current;
        const revision = await revisionOf(db, env, name, number);
        return revision instanceof Problem ? revision : { current, revision };
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      const { condition, ...summary } = found.revision;
      const plain = { name, ...summaryOf(summary, found.current) };
      return sendRaw(reply, 200, rawObject(plain, { when: condition }));
    },
  );

  app.get(
    '/admin/v1/environments/:env/segments/:name/diff',
    {
      config,
      schema: {
        tags,
        description: 'Compares the conditions of two revisions. Works on a deleted segment, too.',
        params: segmentParams,
        querystring: z.object({
          from: numberSchema.optional().describe('Left out: the revision before "to".'),
          to: numberSchema.optional().describe('Left out: the newest revision.'),
        }),
        response: {
          200: z.object({
            name: z.string(),
            from: summarySchema.nullable().describe('null: there is no revision before.'),
            to: summarySchema,
            pointers: z
              .array(pointerChangeSchema)
              .readonly()
              .describe('Where the condition differs.'),
            pointersCut: z.boolean().describe('There is more than is shown.'),
            text: z.string().describe('Unified diff of the conditions as they were sent.'),
            textCut: z.boolean().describe('There is more than is shown.'),
          }),
          ...problems(
            'environment_not_found',
            'segment_not_found',
            'revision_not_found',
            'too_costly',
          ),
        },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { from, to } = request.query;
      const found = await context.store.read(async (db) => {
        const current = await currentRevision(db, env, name);
        if (current instanceof Problem) return current;
        const pair = await findPair(db, env, name, from, to);
        return pair instanceof Problem ? pair : { current, pair };
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      const { current, pair } = found;
      const before = pair.from === null ? null : Buffer.from(pair.from.condition);
      const after = Buffer.from(pair.to.condition);
      const { pointers, pointersCut, text } = await doWork(
        context.work,
        'diffLine',
        { before, after, pointersMax: pointersPerLineMax },
        after.byteLength + (before?.byteLength ?? 0),
      );
      return reply.send({
        name,
        from: pair.from === null ? null : summaryOf(pair.from, current),
        to: summaryOf(pair.to, current),
        ...{ pointers, pointersCut, text: text.text, textCut: text.cut },
      });
    },
  );

  app.post(
    '/admin/v1/environments/:env/segments/:name/rollback',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags,
        description:
          'Saves the condition of an old revision again, as a new one: contents that use the segment are delivered with it at once. Undoes a deletion, too.',
        params: segmentParams,
        body: z.strictObject({ revision: revisionSchema }),
        response: {
          200: savedSegmentSchema,
          ...problems('segment_not_found', 'revision_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { revision } = request.body;
      const { value, sequence } = await commit(context, request, (write) =>
        rollBackSegment(write, env, name, revision),
      );
      if (value instanceof Problem) return sendProblem(reply, value);
      const { condition } = value.segment;
      const size = condition.length;
      const checked = await doWork(context.work, 'checkCondition', condition, size);
      const doubts = await segmentDoubts(context, request, env, name, checked.attributes);
      const warnings = [...checked.warnings, ...doubts];
      return sendRaw(reply, 200, savedSegmentJson(value, warnings, sequence));
    },
  );
}

/** Number of the revision that rules use; null: the segment is deleted. */
async function currentRevision(
  db: Reading,
  env: string,
  name: string,
): Promise<number | null | Problem> {
  if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
  const segment = await findSegment(db, env, name);
  if (segment !== null) return segment.revision;
  return (await newestSegmentRevision(db, env, name)) === 0 ? segmentUnknown(env, name) : null;
}

async function revisionOf(
  db: Reading,
  env: string,
  name: string,
  number: number,
): Promise<SegmentRevision | Problem> {
  const found = await findSegmentRevision(db, env, name, number);
  return found ?? segmentRevisionUnknown(db, env, name, number);
}

interface Pair {
  readonly from: SegmentRevision | null;
  readonly to: SegmentRevision;
}

async function findPair(
  db: Reading,
  env: string,
  name: string,
  from: number | undefined,
  to: number | undefined,
): Promise<Pair | Problem> {
  const newer = await revisionOf(db, env, name, to ?? (await newestSegmentRevision(db, env, name)));
  if (newer instanceof Problem) return newer;
  // Not always one less: retention may have removed some.
  const [before] = await listSegmentRevisions(db, env, name, newer.number, 1);
  const wanted = from ?? before?.number;
  if (wanted === undefined) return { from: null, to: newer };
  const older = await revisionOf(db, env, name, wanted);
  return older instanceof Problem ? older : { from: older, to: newer };
}

function summaryOf(
  { number, author, note, createdAtMs, synced }: Omit<SegmentRevision, 'condition'>,
  current: number | null,
): z.output<typeof summarySchema> {
  const createdAt = toIso(createdAtMs);
  return { revision: number, current: number === current, author, note, createdAt, synced };
}
