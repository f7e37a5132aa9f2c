/** The edit of a content: its text, lines, mapping, flags, schema and what is said about it. */
import { z } from 'zod';
import { lowestVersion } from '../../content/version-text.js';
import { operation } from '../operation.js';
import {
  contentParams,
  descriptionSchema,
  noteSchema,
  tagsSchema,
  versionSchema,
} from '../schemas/common.js';
import { describedBy } from '../schemas/described-by.js';
import { flagsSchema } from '../schemas/flags.js';
import { valueGateCodes } from '../schemas/gate.js';
import { confirmationSchema, confirmSchema, guardsSchema, strictQuery } from '../schemas/guard.js';
import { linesSchema } from '../schemas/lines.js';
import { savedSchema, stateCodes } from '../schemas/saved.js';

const contentEditSchema = z.strictObject({
  text: z
    .string()
    .optional()
    .describe(
      'The text of one line; the others stay. JSON; comments and trailing commas are fine.',
    ),
  appVersion: versionSchema
    .optional()
    .describe(`The line that the text goes to; ${lowestVersion} when left out.`),
  lines: linesSchema.optional(),
  mapping: z
    .array(z.unknown())
    .optional()
    .describe('Rules; an empty list removes the mapping.')
    .meta(describedBy('TargetingRules')),
  flags: flagsSchema.optional(),
  description: descriptionSchema.optional(),
  tags: tagsSchema.optional(),
  schema: z
    .union([z.record(z.string(), z.unknown()), z.boolean(), z.null()])
    .optional()
    .describe(
      'JSON Schema (draft 2020-12) of all that the content delivers: its lines, and what each rule and variant makes of them. It is checked at each save; a draft may break it, what is published may not. null removes it. It is not part of a revision.',
    ),
  guards: guardsSchema
    .optional()
    .describe(
      'What values must be, all of them; an empty list removes them. They apply at once and are not part of a revision. Where the environment asks for approvals, guards of a live content item are weakened by a release.',
    ),
  note: noteSchema.default(''),
  publish: z
    .boolean()
    .optional()
    .describe(
      'Whether players see it at once; false saves a draft. Left out: true for an edit of the text, the mapping or the flags; an edit of anything else leaves a draft a draft.',
    ),
  ifRevision: z
    .int()
    .min(0)
    .optional()
    .describe('Reject unless this is the newest revision; 0: unless the content is new.'),
  dryRun: z
    .boolean()
    .default(false)
    .describe('Check everything and save nothing: the response is that of a save.'),
  confirm: confirmSchema,
});
contentEditSchema.register(z.globalRegistry, {
  examples: [
    {
      text: '{\n  // in gold\n  "price": 10\n}',
      mapping: [{ segment: 'whales', when: { level: { $gte: 10 } }, merge: { price: 8 } }],
      note: 'Cheaper for those who play most.',
      ifRevision: 3,
    },
  ],
});

/** The body of a save, validated. */
export type ContentEditBody = z.output<typeof contentEditSchema>;

const savedOrWouldBeSchema = savedSchema.extend({
  dryRun: z.literal(true).optional().describe('There when nothing was saved.'),
  removedLines: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Of a dry run: app versions of the lines that the edit leaves out.'),
  confirmation: confirmationSchema
    .nullable()
    .optional()
    .describe('Of a dry run: findings to confirm; null: there are none, or it saves a draft.'),
});

export const saveContent = operation('PUT /environments/:env/contents/:id', {
  tag: 'contents',
  description: `Saves an edit on top of the newest revision. The text goes to the line of appVersion (${lowestVersion} when left out), or lines has all lines; a field that is left out stays as it is. An edit that was not made from the newest revision (ifRevision) is rejected, and the problem lists what was saved in between. A draft need not match the JSON Schema of its content: its issues are warnings with the code "schema_mismatch", and publishing it is rejected.`,
  role: 'editor',
  publishes: true,
  params: contentParams,
  query: strictQuery,
  body: contentEditSchema,
  bodyLimit: 'content',
  responses: { 200: savedOrWouldBeSchema, 201: savedSchema },
  problems: [
    'line_not_found',
    'revision_conflict',
    'invalid_schema',
    ...stateCodes,
    ...valueGateCodes,
  ],
});
