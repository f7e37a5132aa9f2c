/** The route that previews an edit: what it would answer many user contexts, against what is live. */
import { strict as assert } from 'node:assert';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { parseInstant } from '../../content/mapping/instant.js';
import { Refusal } from '../authoring/refusal.js';
import { preview } from '../evaluation/preview.js';
import { changeKinds } from '../evaluation/preview-changes.js';
import { contentBodyBytesMax, previewContextsBytesMax, previewContextsMax } from '../limits.js';
import { pointerChangeShape } from './change-shapes.js';
import type { AdminApp, AdminContext } from './context.js';
import { ndjsonType } from './ndjson-body.js';
import { previewHeadShape, readPreviewBody } from './preview-body.js';
import { sendProblem } from './problem.js';
import { problems } from './problem-responses.js';
import { readBody } from './read-body.js';
import { environmentParams, timeText } from './shapes.js';
import { userContextShape } from './user-context-shape.js';

const counted = {
  contexts: z.int(),
  share: z.number().describe('Of all valid contexts, 0 to 1, to four decimals.'),
};

const sideShape = z.object({
  lines: z.array(z.object({ appVersion: z.string(), ...counted })).readonly(),
  notFound: z.object(counted).describe('Answered 404: no line admits them, or nothing is live.'),
  rules: z
    .array(
      z.object({
        rule: z.int().describe('Its place in the mapping, from 0.'),
        segment: z.string(),
        ...counted,
        missed: z.int().describe('Contexts for which its change could not apply.'),
        variants: z
          .array(
            z.object({
              name: z.string(),
              groups: z.tuple([z.int(), z.int()]).readonly(),
              ...counted,
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
  answers: z.int().describe('Different answers, user ids aside.'),
});

const shownAnswerShape = z
  .object({
    line: z.string(),
    hash: z.string(),
    dataBytes: z.int(),
    seg: z.unknown().describe('As in `meta.seg`.'),
  })
  .nullable()
  .describe('null: 404.');

const changeShape = z.object({
  kind: z
    .enum(changeKinds)
    .describe(
      'appeared: 404 until now; gone: 404 from now on; data: other data; report: the same data, another `meta.seg`; hash: both the same under another hash, so that clients fetch it anew.',
    ),
  ...counted,
  now: shownAnswerShape,
  edit: shownAnswerShape,
  pointers: z
    .array(pointerChangeShape)
    .readonly()
    .nullable()
    .describe('Where the data differs, as JSON pointers; null where it is not compared.'),
  examples: z
    .array(
      z.object({
        at: z.int().describe('Number of the line that the context stands in, from 1.'),
        u: z.string(),
        v: z.string().nullable(),
      }),
    )
    .readonly(),
});

const previewShape = z.object({
  id: z.string(),
  revision: z.int().nullable().describe('What was tried out or edited; null: a new content.'),
  live: z.int().nullable(),
  unsaved: z.boolean().describe('Edits that are not saved were tried out.'),
  compared: z
    .object({
      revision: z.int().nullable(),
      segments: z
        .array(z.object({ name: z.string(), revision: z.int() }))
        .readonly()
        .describe('The saved segments that its mapping uses, each with the revision that held.'),
    })
    .nullable()
    .describe(
      'What `now` is of: the revision that is live, or was at a time in the past; null: none was.',
    ),
  at: z.string(),
  contexts: z.int().describe('Valid ones: all counts and shares are of these.'),
  faulty: z.int(),
  errors: z
    .array(z.object({ line: z.int(), message: z.string() }))
    .readonly()
    .describe('The first faulty contexts, by the number of their line.'),
  now: sideShape,
  edit: sideShape,
  changed: z.object(counted).describe('All kinds but hash: who gets other data or another report.'),
  byKind: z.object(
    Object.fromEntries(changeKinds.map((kind) => [kind, z.int()])) as Record<
      (typeof changeKinds)[number],
      z.ZodInt
    >,
  ),
  changes: z.array(changeShape).readonly().describe('The most frequent first; all kinds but hash.'),
  changesLeftOut: z.int(),
});
previewShape.register(z.globalRegistry, { id: 'Preview' });

export function registerPreview(app: AdminApp, context: AdminContext): void {
  const bytesMax = contentBodyBytesMax(context.limits) + previewContextsBytesMax;
  app.post(
    '/admin/v1/environments/:env/preview',
    {
      config: { role: 'viewer', lines: z.union([previewHeadShape, userContextShape]) },
      schema: {
        tags: ['evaluate'],
        description: `Previews an edit before it is published: the share of user contexts per line, rule and variant, and how many of them get another answer than now. The body is NDJSON (\`${ndjsonType}\`). Its first line says what is tried out: \`{"id", "revision"?, "text"?, "appVersion"?, "mapping"?, "at"?}\`, as in evaluate (but without a revision it is the newest one, the draft that would be published next); with \`at\` in the past, \`now\` is what was live then; each further line is a user context \`{"u"?, "p"?, "v"?}\`, up to ${previewContextsMax} of them.`,
        consumes: [ndjsonType],
        params: environmentParams,
        response: {
          200: previewShape,
          ...problems(
            'invalid_body',
            'invalid_content',
            'invalid_mapping',
            'too_costly',
            'content_not_found',
            'revision_not_found',
            'history_not_kept',
            'body_too_large',
            'invalid_content_type',
          ),
        },
      },
    },
    async (request, reply) => {
      if (!(request.body instanceof Readable)) {
        const detail = `The body must be sent as ${ndjsonType}.`;
        return sendProblem(reply, new Refusal('invalid_content_type', detail));
      }
      const whole = await readBody(context.bodies, request.raw, request, bytesMax);
      const body = readPreviewBody(whole, context.limits);
      if (body instanceof Refusal) return sendProblem(reply, body);
      const { at, ...wished } = body;
      const atMs = at === null ? context.now() : parseInstant(at);
      assert(atMs !== null, 'the time was checked');
      const environment = request.params.env;
      const asOfMs = atMs < context.now() ? atMs : null;
      const value = await preview(context, { environment, ...wished, atMs, asOfMs, firstLine: 2 });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ ...value, at: timeText(atMs) });
    },
  );
}
