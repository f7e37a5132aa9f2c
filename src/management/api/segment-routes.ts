/** Routes of saved segments. */
import { z } from 'zod';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { Refusal } from '../authoring/refusal.js';
import { removeSegment, saveSegment, segmentUnknown } from '../authoring/save-segment.js';
import { segmentBytesMax } from '../limits.js';
import { findEnvironment } from '../store/environments.js';
import { findSegment, listSegments, listSegmentUses, type Segment } from '../store/segments.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { bodyFault, sendProblem } from './problem.js';
import { rawList, rawObject, sendRaw } from './raw-json.js';
import { rawMembers } from './raw-members.js';
import {
  descriptionShape,
  environmentParams,
  nameShape,
  sequenceShape,
  timeText,
} from './shapes.js';

const segmentParams = environmentParams.extend({ name: nameShape });

const putShape = z.strictObject({
  when: z.record(z.string(), z.unknown()).describe('A condition, as in a mapping.'),
  description: descriptionShape.optional(),
});

export function registerSegments(app: AdminApp, context: AdminContext): void {
  const tags = ['segments'];

  app.get(
    '/admin/v1/environments/:env/segments',
    { config: { role: 'viewer' }, schema: { tags, params: environmentParams } },
    async (request, reply) => {
      const { env } = request.params;
      const found = await context.store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
        const uses = new Map<string, string[]>();
        for (const { segment, content } of await listSegmentUses(db, env)) {
          uses.set(segment, [...(uses.get(segment) ?? []), content]);
        }
        return { segments: await listSegments(db, env), uses };
      });
      if (found instanceof Refusal) return sendProblem(reply, found);
      const { segments, uses } = found;
      const items = segments.map((segment) => segmentJson(segment, uses.get(segment.name) ?? []));
      return sendRaw(reply, 200, rawList('segments', items));
    },
  );

  app.get(
    '/admin/v1/environments/:env/segments/:name',
    { config: { role: 'viewer' }, schema: { tags, params: segmentParams } },
    async (request, reply) => {
      const { env, name } = request.params;
      const found = await context.store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
        const segment = await findSegment(db, env, name);
        if (segment === null) return segmentUnknown(env, name);
        return { segment, uses: await listSegmentUses(db, env, name) };
      });
      if (found instanceof Refusal) return sendProblem(reply, found);
      const usedBy = found.uses.map((use) => use.content);
      return sendRaw(reply, 200, segmentJson(found.segment, usedBy));
    },
  );

  app.put(
    '/admin/v1/environments/:env/segments/:name',
    { config: { role: 'editor' }, schema: { tags, params: segmentParams, body: putShape } },
    async (request, reply) => {
      const { env, name } = request.params;
      const when = rawMembers(request.rawBody ?? new Uint8Array()).get('when');
      if (when === undefined || when.byteLength > segmentBytesMax) {
        return sendProblem(reply, bodyFault('when', `is larger than ${segmentBytesMax} bytes`));
      }
      const condition = Buffer.from(when).toString();
      const { description } = request.body;
      const { value, sequence } = await commit(context, request, async (write) => {
        const saved = await saveSegment(write, env, name, { condition, description });
        if (saved instanceof Refusal) return saved;
        return { ...saved, uses: await listSegmentUses(write.db, env, name) };
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      const usedBy = value.uses.map((use) => use.content);
      const more = { warnings: value.warnings, sequence };
      return sendRaw(reply, value.created ? 201 : 200, segmentJson(value.segment, usedBy, more));
    },
  );

  app.delete(
    '/admin/v1/environments/:env/segments/:name',
    {
      config: { role: 'editor' },
      schema: {
        tags,
        params: segmentParams,
        response: { 200: z.object({ name: z.string(), sequence: sequenceShape }) },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { value, sequence } = await commit(context, request, (write) =>
        removeSegment(write, env, name),
      );
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ name: value.name, sequence });
    },
  );
}

/** @param usedBy ids of the contents whose newest or live revision refers to it */
function segmentJson(
  segment: Segment,
  usedBy: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Uint8Array {
  const { name, description, condition, createdAtMs, updatedAtMs } = segment;
  const times = { createdAt: timeText(createdAtMs), updatedAt: timeText(updatedAtMs) };
  return rawObject({ name, description, usedBy, ...times, ...more }, { when: condition });
}
