/** The route that previews an edit: what it would answer many user contexts, against what is live. */
import { strict as assert } from 'node:assert';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { parseInstant } from '../../content/mapping/instant.js';
import { previewContextsMax } from '../../contract/limits.js';
import { ndjsonType } from '../../contract/operation.js';
import { Problem } from '../../contract/problems.js';
import { pointerChangeSchema } from '../../contract/schemas/changes.js';
import { environmentParams } from '../../contract/schemas/common.js';
import { userContextSchema } from '../../contract/schemas/user-context.js';
import { preview } from '../evaluation/preview.js';
import { changeKinds } from '../evaluation/preview-changes.js';
import { problems } from '../http/problem-responses.js';
import { contentBodyBytesMax, previewContextsBytesMax } from '../limits.js';
import { toIso } from '../to-iso.js';
import type { AdminApp, AdminContext } from './context.js';
import { previewHeadSchema, readPreviewBody } from './preview-body.js';
import { sendProblem } from './problem.js';
import { readBody } from './read-body.js';

const counted = {
  contexts: z.int(),
  share: z.number().describe('Of all valid contexts, 0 to 1, to four decimals.'),
};

const sideSchema = z.object({
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

const shownAnswerSchema = z
  .object({
    line: z.string(),
    hash: z.string(),
    dataBytes: z.int(),
    seg: z.unknown().describe('As in `meta.seg`.'),
  })
  .nullable()
  .describe('null: 404.');

const changeSchema = z.object({
  kind: z
    .enum(changeKinds)
    .describe(
      'appeared: 404 until now; gone: 404 from now on; data: other data; report: the same data, another `meta.seg`; hash: both the same under another hash, so that clients fetch it anew.',
    ),
  ...counted,
  now: shownAnswerSchema,
  edit: shownAnswerSchema,
  pointers: z
    .array(pointerChangeSchema)
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

const ruleChangeSchema = z.object({
  segment: z.string(),
  now: z.int().nullable().describe('Its place in the live mapping, from 0; null: it is new.'),
  edit: z.int().nullable().describe('Its place in the edited mapping; null: it is removed.'),
  test: z
    .boolean()
    .describe(
      'It is an A/B test. Then callers without a user id, who are all in bucket 0, do not count here.',
    ),
  contexts: z.int().describe('Contexts that it applies to now.'),
  otherVariant: z
    .object({ contexts: z.int(), share: z.number() })
    .describe(
      'Of these, those who would be in another variant, by its name. `share` is of these, too.',
    ),
  left: z
    .object({ contexts: z.int(), share: z.number() })
    .describe('Of these, those whom it would not apply to any more. `share` is of these, too.'),
  joined: z.int().describe('Contexts that it would apply to, and does not now.'),
});

const changesSchema = {
  changed: z.object(counted).describe('All kinds but hash: who gets other data or another report.'),
  byKind: z.object(
    Object.fromEntries(changeKinds.map((kind) => [kind, z.int()])) as Record<
      (typeof changeKinds)[number],
      z.ZodInt
    >,
  ),
  changes: z
    .array(changeSchema)
    .readonly()
    .describe('The most frequent first; all kinds but hash.'),
  changesLeftOut: z.int(),
  ruleChanges: z
    .array(ruleChangeSchema)
    .readonly()
    .describe(
      'What the edit does to those in each rule of either side; a rule is the same on both by its name. For an A/B test this is the figure that does not depend on whom the contexts are.',
    ),
};

const faultySchema = {
  faulty: z.int(),
  errors: z
    .array(z.object({ line: z.int(), message: z.string() }))
    .readonly()
    .describe('The first faulty contexts, by the number of their line.'),
};

const previewSchema = z.object({
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
  ...faultySchema,
  now: sideSchema,
  edit: sideSchema,
  ...changesSchema,
  madeUp: z
    .object({
      withoutUserId: z
        .object({ contexts: z.int(), changed: z.object(counted) })
        .describe('Callers without a user id, who are counted apart: all of them are in bucket 0.'),
    })
    .nullable()
    .describe(
      'There when users were made up: then all counts and shares of this report are of these, and `at` of an example is a number among them. They are no sample of real players.',
    ),
  given: z
    .object({ contexts: z.int(), ...faultySchema, ...changesSchema })
    .nullable()
    .describe('The contexts that were sent beside `madeUp`; null: none were.'),
});
previewSchema.register(z.globalRegistry, { id: 'Preview' });

export function registerPreview(app: AdminApp, context: AdminContext): void {
  const bytesMax = contentBodyBytesMax(context.limits) + previewContextsBytesMax;
  app.post(
    '/admin/v1/environments/:env/preview',
    {
      config: { role: 'viewer', lines: z.union([previewHeadSchema, userContextSchema]) },
      schema: {
        tags: ['evaluate'],
        description: `Previews an edit before it is published: the share of user contexts per line, rule and variant, and how many of them get another answer than now. The body is NDJSON (\`${ndjsonType}\`). Its first line says what is tried out: \`{"id", "revision"?, "text"?, "appVersion"?, "mapping"?, "at"?}\`, as in evaluate (but without a revision it is the newest one, the draft that would be published next); with \`at\` in the past, \`now\` is what was live then; each further line is a user context \`{"u"?, "p"?, "v"?}\`, up to ${previewContextsMax} of them.`,
        consumes: [ndjsonType],
        params: environmentParams,
        response: {
          200: previewSchema,
          ...problems(
            'invalid_body',
            'invalid_content',
            'invalid_mapping',
            'too_costly',
            'content_not_found',
            'revision_not_found',
            'line_not_found',
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
        return sendProblem(reply, new Problem('invalid_content_type', detail));
      }
      const whole = await readBody(context.bodies, request.raw, request, bytesMax);
      const body = readPreviewBody(whole, context.limits);
      if (body instanceof Problem) return sendProblem(reply, body);
      const { at, ...wished } = body;
      const atMs = at === null ? context.now() : parseInstant(at);
      assert(atMs !== null, 'the time was checked');
      const environment = request.params.env;
      const asOfMs = atMs < context.now() ? atMs : null;
      const value = await preview(context, { environment, ...wished, atMs, asOfMs, firstLine: 2 });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ ...value, at: toIso(atMs) });
    },
  );
}
