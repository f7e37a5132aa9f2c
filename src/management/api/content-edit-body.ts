/** The body of a content PUT: its shape, and how its values are taken over byte for byte. */
import { z } from 'zod';
import { lowestVersion } from '../../content/version-text.js';
import { mappingBytesMax, schemaBytesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import {
  descriptionSchema,
  noteSchema,
  tagsSchema,
  versionSchema,
} from '../../contract/schemas/common.js';
import { describedBy } from '../../contract/schemas/described-by.js';
import type { ContentEdit } from '../authoring/draft-edit.js';
import { type TakenText, takeText } from '../authoring/text.js';
import type { ManagementLimits } from '../limits.js';
import type { Work } from '../work/tasks.js';
import { linesOf, linesSchema } from './edited-lines.js';
import { bodyFault } from './problem.js';
import { rawMembers } from './raw-members.js';

export const editBodySchema = z.strictObject({
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
  description: descriptionSchema.optional(),
  tags: tagsSchema.optional(),
  schema: z
    .union([z.record(z.string(), z.unknown()), z.boolean(), z.null()])
    .optional()
    .describe(
      'JSON Schema (draft 2020-12) of all that the content delivers: its lines, and what each rule and variant makes of them. It is checked at each save; a draft may break it, what is published may not. null removes it. It is not part of a revision.',
    ),
  note: noteSchema.default(''),
  publish: z
    .boolean()
    .optional()
    .describe(
      'Whether players see it at once; false saves a draft. Left out: true for an edit of the text or the mapping; an edit of anything else leaves a draft a draft.',
    ),
  ifRevision: z
    .int()
    .min(0)
    .optional()
    .describe('Refuse unless this is the newest revision; 0: unless the content is new.'),
  dryRun: z
    .boolean()
    .default(false)
    .describe('Check everything and save nothing: the answer is what a save would answer.'),
});
editBodySchema.register(z.globalRegistry, {
  examples: [
    {
      text: '{\n  // in gold\n  "price": 10\n}',
      mapping: [{ segment: 'whales', when: { level: { $gte: 10 } }, merge: { price: 8 } }],
      note: 'Cheaper for those who play most.',
      ifRevision: 3,
    },
  ],
});

/** @param raw the body as it was sent: the mapping and the schema are cut out of it */
export async function readContentEdit(
  body: z.output<typeof editBodySchema>,
  raw: Uint8Array | null,
  limits: ManagementLimits,
  work: Work,
): Promise<ContentEdit | Problem> {
  const { description, tags, note, ifRevision } = body;
  const given = linesOf(body);
  if (given instanceof Problem) return given;
  const { publish = given !== null || body.mapping !== undefined } = body;
  const values = readValues(body, raw);
  if (values instanceof Problem) return values;
  const about = { ...values, description, tags, note, publish, ifRevision };
  if (given === null) return about;
  const texts = new Map<string, TakenText | null>();
  for (const { appVersion, text, path } of given.lines) {
    const taken =
      text === undefined ? null : await takeText(text, { path, appVersion }, limits, work);
    if (taken instanceof Problem) return taken;
    texts.set(appVersion, taken);
  }
  return { lines: { areAll: given.areAll, texts }, ...about };
}

function readValues(
  body: z.output<typeof editBodySchema>,
  raw: Uint8Array | null,
): Pick<ContentEdit, 'mapping' | 'schema'> | Problem {
  if (body.mapping === undefined && body.schema === undefined) return {};
  const members = rawMembers(raw ?? new Uint8Array());
  const mapping = members.get('mapping');
  const schema = members.get('schema');
  if ((mapping?.byteLength ?? 0) > mappingBytesMax) {
    return bodyFault('mapping', `is larger than ${mappingBytesMax} bytes`);
  }
  if ((schema?.byteLength ?? 0) > schemaBytesMax) {
    return bodyFault('schema', `is larger than ${schemaBytesMax} bytes`);
  }
  return {
    // A copy, so that the rest of the body is not kept with it.
    mapping: body.mapping?.length === 0 ? null : mapping?.slice(),
    schema: body.schema === null ? null : schema && Buffer.from(schema).toString(),
  };
}
