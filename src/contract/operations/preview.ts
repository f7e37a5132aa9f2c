/** Preview: what an edit changes for many user contexts, compared with what is live. */
import { z } from 'zod';
import { madeUpUsersMax, previewContextsMax } from '../limits.js';
import { ndjsonType } from '../media-types.js';
import { operation } from '../operation.js';
import { candidateFields, usedSegmentSchema } from '../schemas/candidate.js';
import { pointerChangeSchema } from '../schemas/changes.js';
import { contentIdSchema, environmentParams, instantSchema } from '../schemas/common.js';
import { userContextSchema } from '../schemas/user-context.js';

/** The first line of the body. */
export const previewHeadSchema = z.strictObject({
  id: contentIdSchema,
  at: instantSchema
    .optional()
    .describe(
      'RFC 3339; default: now. In the past, the edit is compared with what was live then; in the future, with what is live now and the scheduled releases without steps that go live by then.',
    ),
  ...candidateFields,
  revision: candidateFields.revision.describe(
    'A saved revision, or "newest", the default: the draft that would be published next.',
  ),
  madeUp: z
    .int()
    .min(1)
    .max(madeUpUsersMax)
    .optional()
    .describe(
      'Make up this many users from the conditions of both sides and the frequent values of requests, and count those. They are no sample of real players.',
    ),
  sampled: z
    .boolean()
    .optional()
    .describe(
      'Count the user contexts of recent requests, of which the server that responds keeps a sample if the environment says so (`traffic`). In place of `madeUp`.',
    ),
});

const countedSchema = z.object({
  contexts: z.int(),
  share: z.number().describe('Of all valid contexts, 0 to 1, to four decimals.'),
});
const counted = countedSchema.shape;

/** Contexts of one kind. */
export type Counted = z.output<typeof countedSchema>;

const ruleSharesSchema = z.object({
  rule: z.int().describe('Its place in the mapping, from 0.'),
  segment: z.string(),
  ...counted,
  missed: z.int().describe('Contexts for which its change could not apply; not in `contexts`.'),
  variants: z
    .array(
      z.object({
        name: z.string(),
        groups: z.tuple([z.int(), z.int()]).readonly().describe('First and last bucket.'),
        ...counted,
      }),
    )
    .readonly(),
});

export type RuleShares = z.output<typeof ruleSharesSchema>;

const sideSchema = z.object({
  lines: z.array(z.object({ appVersion: z.string(), ...counted })).readonly(),
  notFound: countedSchema.describe('Delivery responds 404: no line admits them, or none is live.'),
  rules: z.array(ruleSharesSchema).readonly(),
  answers: z.int().describe('Different responses, user ids aside.'),
});

/** One side of a preview, counted. */
export type SideShares = z.output<typeof sideSchema>;

const shownResponseSchema = z
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
    .enum(['appeared', 'gone', 'data', 'hash', 'report'])
    .describe(
      'appeared: 404 until now; gone: 404 from now on; data: other data; report: the same data, another `meta.seg`; hash: both the same under another hash, so that clients download it again.',
    ),
  ...counted,
  now: shownResponseSchema,
  edit: shownResponseSchema,
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

/** Contexts that go from one response to another. */
export type PreviewChange = z.output<typeof changeSchema>;
export type ChangeKind = PreviewChange['kind'];

const partSchema = z.object({ contexts: z.int(), share: z.number() });

const ruleChangeSchema = z.object({
  segment: z.string(),
  now: z.int().nullable().describe('Its place in the live mapping, from 0; null: it is new.'),
  edit: z.int().nullable().describe('Its place in the edited mapping; null: it is removed.'),
  test: z
    .boolean()
    .describe(
      'It is an A/B test, on both sides if it is on both. Then players without a user id do not count here: all of them are in bucket 0.',
    ),
  contexts: z.int().describe('Contexts that it applies to now.'),
  otherVariant: partSchema.describe(
    'Of these, those that would be in another variant, by its name. `share` is of these, too.',
  ),
  left: partSchema.describe(
    'Of these, those that it would not apply to any more. `share` is of these, too.',
  ),
  joined: z.int().describe('Contexts that it would apply to, and does not now.'),
});

/** What an edit does to those in a rule: how many leave it, join it, or see another variant. */
export type RuleChange = z.output<typeof ruleChangeSchema>;

const comparedContextsSchema = z.object({
  contexts: z.int().describe('Valid ones: all counts and shares are of these.'),
  faulty: z.int(),
  errors: z
    .array(z.object({ line: z.int(), message: z.string() }))
    .readonly()
    .describe('The first faulty contexts, by the number of their line.'),
  changed: countedSchema.describe('All kinds but hash: other data or another report.'),
  byKind: z.object({
    appeared: z.int(),
    gone: z.int(),
    data: z.int(),
    hash: z.int(),
    report: z.int(),
  }),
  changes: z
    .array(changeSchema)
    .readonly()
    .describe('The most frequent first; all kinds but hash.'),
  changesLeftOut: z.int(),
  ruleChanges: z
    .array(ruleChangeSchema)
    .readonly()
    .describe(
      'What the edit does to those in each rule of either side, removed rules last; a rule is the same on both by its name. For an A/B test this is the figure that does not depend on the choice of contexts.',
    ),
});

/** What an edit changes for some contexts. */
export type ComparedContexts = z.output<typeof comparedContextsSchema>;

const { contexts, faulty, errors, ...changes } = comparedContextsSchema.shape;

const previewSchema = z
  .object({
    id: z.string(),
    revision: z.int().nullable().describe('What was tried out or edited; null: a new content.'),
    live: z.int().nullable(),
    unsaved: z.boolean().describe('Unsaved edits were tried out.'),
    compared: z
      .object({
        revision: z.int().nullable(),
        release: z
          .int()
          .nullable()
          .describe(
            'At a time in the future, number of the last scheduled release that has gone live by then and reaches the content; null: none has.',
          ),
        segments: z
          .array(usedSegmentSchema)
          .readonly()
          .describe(
            'The saved segments that its mapping uses, each with the revision that applied.',
          ),
      })
      .nullable()
      .describe(
        'What `now` is of: the revision that is live, was at a time in the past, or will be; null: none.',
      ),
    at: z.string(),
    ...{ contexts, faulty, errors },
    now: sideSchema,
    edit: sideSchema,
    ...changes,
    madeUp: z
      .object({
        withoutUserId: z
          .object({ contexts: z.int(), changed: countedSchema })
          .describe('Players without a user id, counted apart: all of them are in bucket 0.'),
      })
      .nullable()
      .describe(
        'Present when users were made up: then all counts and shares of this report are of these, and `at` of an example is a number among them. They are no sample of real players.',
      ),
    sampled: z
      .object({
        requests: z.int().describe('Requests that the contexts are a uniform sample of, about.'),
        since: instantSchema
          .nullable()
          .describe('When the first of them was reported; null: there were none.'),
        reduced: z
          .int()
          .describe('Contexts that lack attributes which are too large, or look like an id.'),
      })
      .nullable()
      .describe(
        'Present when contexts of requests were counted: then all counts and shares of this report are of these. Their user ids are pseudonyms, whose buckets are drawn again.',
      ),
    given: comparedContextsSchema
      .nullable()
      .describe('The contexts that were sent beside `madeUp` or `sampled`; null: none were.'),
  })
  .register(z.globalRegistry, { id: 'Preview' });

export type Preview = z.output<typeof previewSchema>;

export const previewContent = operation('POST /environments/:env/preview', {
  tag: 'evaluate',
  description: `Previews an edit before it is published: the share of user contexts per line, rule and variant, and how many of them get another response than now. The body is NDJSON (\`${ndjsonType}\`). Its first line says what is tried out: \`{"id", "revision"?, "text"?, "appVersion"?, "mapping"?, "at"?}\`, as in evaluate (but the default revision is the newest one, the draft that would be published next); with \`at\` in the past, \`now\` is what was live then, and in the future what scheduled releases will have made live by then; each further line is a user context \`{"u"?, "p"?, "v"?}\`, up to ${previewContextsMax} of them. With "madeUp" or "sampled", these are counted apart.`,
  role: 'viewer',
  params: environmentParams,
  lines: z.union([previewHeadSchema, userContextSchema]),
  responses: { 200: previewSchema },
  problems: [
    'invalid_content',
    'invalid_mapping',
    'too_costly',
    'content_not_found',
    'revision_not_found',
    'release_not_found',
    'line_not_found',
    'history_not_kept',
  ],
});
