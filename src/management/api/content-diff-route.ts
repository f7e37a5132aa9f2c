/** The route that compares two revisions of a content. */
import { z } from 'zod';
import { revisionMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { contentParams } from '../../contract/schemas/common.js';
import { diffRevisions, findPair } from '../authoring/diff-revisions.js';
import { problems } from '../http/problem-responses.js';
import type { Revision } from '../store/revisions.js';
import { toIso } from '../to-iso.js';
import type { AdminApp, AdminContext } from './context.js';
import { findKnown } from './known-content.js';
import { sendProblem } from './problem.js';

export const pointerSchema = z.object({
  path: z.string().describe('JSON pointer (RFC 6901); "" is the whole document.'),
  change: z.enum(['added', 'changed', 'removed']),
  before: z.string().nullable().describe('JSON text, cut where it is long.'),
  after: z.string().nullable(),
});

const pointersSchema = z.array(pointerSchema).readonly();
const cutSchema = z.boolean().describe('There is more than is shown.');

const lineSchema = z.object({
  appVersion: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  oldHash: z.string().nullable(),
  newHash: z
    .string()
    .nullable()
    .describe('Equal to oldHash: only comments or white space changed.'),
  pointers: pointersSchema,
  pointersCut: cutSchema,
  text: z.string().describe('Unified diff of the texts with their comments.'),
  textCut: cutSchema,
});

const ruleSchema = z.object({
  segment: z.string(),
  change: z.enum(['added', 'changed', 'moved', 'removed']),
  from: z.int().nullable().describe('Its place in the mapping before, from 0.'),
  to: z.int().nullable(),
  pointers: pointersSchema,
  pointersCut: cutSchema,
});

const sideSchema = z.object({
  revision: z.int(),
  live: z.boolean(),
  hash: z.string(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
});

const numberSchema = z.coerce.number().int().min(0).max(revisionMax);

export function registerContentDiff(app: AdminApp, context: AdminContext): void {
  app.get(
    '/admin/v1/environments/:env/contents/:id/diff',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['contents'],
        description:
          'Compares two revisions: each line as JSON and as text, and the rules of the mapping. Description, tags and schema are not part of a revision. Works on a deleted content, too.',
        params: contentParams,
        querystring: z.object({
          from: numberSchema
            .optional()
            .describe(
              'Left out: the live revision, or the one before "to" when the live one is not older; 0: nothing.',
            ),
          to: numberSchema.min(1).optional().describe('Left out: the newest revision.'),
        }),
        response: {
          200: z.object({
            id: z.string(),
            from: sideSchema.nullable().describe('null: there is no revision before.'),
            to: sideSchema,
            lines: z.array(lineSchema).readonly().describe('Those that differ.'),
            mapping: z.object({
              change: z.enum(['same', 'added', 'changed', 'removed']),
              rules: z.array(ruleSchema).readonly().describe('Those that differ.'),
            }),
          }),
          ...problems('content_not_found', 'revision_not_found', 'too_costly'),
        },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const { from = null, to = null } = request.query;
      const found = await context.store.read(async (db) => {
        const content = await findKnown(db, env, id);
        if (content instanceof Problem) return content;
        const pair = await findPair(db, content, from, to);
        return pair instanceof Problem ? pair : { content, pair };
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      const { content, pair } = found;
      const diff = await diffRevisions(context.store, context.work, pair);
      return reply.send({
        id: content.id,
        from: pair.from === null ? null : side(pair.from, content.live),
        to: side(pair.to, content.live),
        ...diff,
      });
    },
  );
}

function side(revision: Revision, live: number | null): z.output<typeof sideSchema> {
  const { number, author, note, createdAtMs, lines } = revision;
  const hash = lines.at(-1)?.hash ?? '';
  const createdAt = toIso(createdAtMs);
  return { revision: number, live: number === live, hash, author, note, createdAt };
}
