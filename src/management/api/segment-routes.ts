/** Routes that show and delete saved segments. */
import { z } from 'zod';
import { segmentRowsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { environmentParams, nameSchema, publishedSchema } from '../../contract/schemas/common.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { removeSegment, segmentUnknown } from '../authoring/save-segment.js';
import { type PlacedUse, SegmentPlaces } from '../authoring/segment-places.js';
import { problems } from '../http/problem-responses.js';
import { segmentPageCharsMax } from '../limits.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import {
  findSegment,
  listSegmentSizes,
  listSegmentsBetween,
  listSegmentUses,
  type Segment,
  type SegmentUse,
} from '../store/segments.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { rawList, sendRaw } from './raw-json.js';
import { registerSegmentHistory } from './segment-history-routes.js';
import { registerSegmentPut } from './segment-put-route.js';
import { registerSegmentTest } from './segment-test-route.js';
import { segmentSchema, usedSegmentJson } from './segment-view.js';

const segmentParams = environmentParams.extend({
  name: nameSchema.describe('Name of the segment.'),
});

export function registerSegments(app: AdminApp, context: AdminContext): void {
  const tags = ['segments'];
  const places = new SegmentPlaces(context.store, context.work);

  app.get(
    '/admin/v1/environments/:env/segments',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        description: 'Lists saved segments by name, each with the rules of mappings that use it.',
        params: environmentParams,
        querystring: z.object({
          after: z.string().default('').describe('Name after which the page begins.'),
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(segmentRowsMax)
            .default(segmentRowsMax)
            .describe('Segments of a page.'),
        }),
        response: {
          200: z.object({
            next: z.string().nullable().describe('`after` of the next page; null: the last one.'),
            segments: z.array(segmentSchema),
          }),
          ...problems('environment_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { after, limit } = request.query;
      const page = await context.store.read((db) => readPage(db, env, after, limit));
      if (page instanceof Problem) return sendProblem(reply, page);
      const uses = new Map<string, PlacedUse[]>();
      for (const use of await places.place(page.uses)) {
        const known = uses.get(use.segment);
        if (known === undefined) uses.set(use.segment, [use]);
        else known.push(use);
      }
      const items = page.segments.map((segment) =>
        usedSegmentJson(segment, uses.get(segment.name) ?? []),
      );
      return sendRaw(reply, 200, rawList({ next: page.next }, 'segments', items));
    },
  );

  app.get(
    '/admin/v1/environments/:env/segments/:name',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        description: 'Shows a saved segment, and the rules of mappings that use it.',
        params: segmentParams,
        response: {
          200: segmentSchema,
          ...problems('environment_not_found', 'segment_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const found = await context.store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
        const segment = await findSegment(db, env, name);
        if (segment === null) return segmentUnknown(env, name);
        return { segment, uses: await listSegmentUses(db, env, { name }) };
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      return sendRaw(reply, 200, usedSegmentJson(found.segment, await places.place(found.uses)));
    },
  );

  registerSegmentHistory(app, context);
  registerSegmentPut(app, context);
  registerSegmentTest(app, context);

  app.delete(
    '/admin/v1/environments/:env/segments/:name',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags,
        description: 'Deletes a saved segment that no newest or live revision uses.',
        params: segmentParams,
        response: {
          200: z.object({ name: z.string(), ...publishedSchema }),
          ...problems('segment_not_found', 'segment_in_use'),
        },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { value, sequence } = await commit(context, request, (write) =>
        removeSegment(write, env, name),
      );
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ name: value.name, sequence });
    },
  );
}

interface Page {
  readonly segments: readonly Segment[];
  readonly uses: readonly SegmentUse[];
  readonly next: string | null;
}

/** A page ends early where the conditions on it are large. */
async function readPage(
  db: Reading,
  env: string,
  after: string,
  limit: number,
): Promise<Page | Problem> {
  if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
  const sizes = await listSegmentSizes(db, env, after, limit + 1);
  let chars = 0;
  let count = 0;
  for (const size of sizes.slice(0, limit)) {
    chars += size.chars;
    if (count > 0 && chars > segmentPageCharsMax) break;
    count++;
  }
  const last = sizes[count - 1]?.name;
  if (last === undefined) return { segments: [], uses: [], next: null };
  return {
    segments: await listSegmentsBetween(db, env, after, last),
    uses: await listSegmentUses(db, env, { after, last }),
    next: count < sizes.length ? last : null,
  };
}
