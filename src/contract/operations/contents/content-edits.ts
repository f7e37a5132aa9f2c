/** An edit of many content items at once: all that it changes is saved in one transaction, or nothing is. */
import { z } from 'zod';
import { editedIdsMax, editedItemsMax, pathCharsMax, setValueBytesMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { planSchema } from '../../schemas/changes.js';
import {
  contentIdSchema,
  environmentParams,
  issueSchema,
  noteSchema,
  publishedSchema,
  tagsSchema,
  versionSchema,
} from '../../schemas/common.js';
import { valueGateCodes } from '../../schemas/gate.js';
import { confirmationSchema, confirmSchema, strictQuery } from '../../schemas/guard.js';
import { brakeSchema, releaseTitleSchema, stepsSchema } from '../../schemas/release.js';
import { storable } from '../../schemas/storable.js';

const tagsEditSchema = z
  .strictObject({
    kind: z.literal('tags'),
    add: tagsSchema.default([]),
    remove: tagsSchema.default([]),
  })
  .describe('Adds tags and removes others. They are not part of a revision and apply at once.');

const setEditSchema = z
  .strictObject({
    kind: z.literal('set'),
    path: storable(z.string().max(pathCharsMax)).describe(
      'JSON Pointer (RFC 6901) of the value; "" is the whole document.',
    ),
    value: z
      .unknown()
      .describe(
        `The value, at most ${setValueBytesMax} bytes. It stands in the texts exactly as it was sent (1.10 stays 1.10).`,
      ),
    appVersion: versionSchema
      .optional()
      .describe(
        'Only in the version line of this app version; left out: in all that have the path.',
      ),
    create: z
      .boolean()
      .default(false)
      .describe(
        'Add the last name of the path where only that is missing: a member, or the element after the last (`-`).',
      ),
  })
  .describe(
    'Sets one value. All other bytes of the texts stay, comments included. Version lines without the path stay as they are.',
  );

const contentsEditSchema = z
  .discriminatedUnion('kind', [
    tagsEditSchema,
    setEditSchema,
    z.strictObject({ kind: z.literal('publish') }).describe('Publishes the newest drafts.'),
    z
      .strictObject({ kind: z.literal('delete') })
      .describe('Deletes the items. Their history stays, and each can be restored.'),
  ])
  .register(z.globalRegistry, { id: 'ContentsEdit' });

export type ContentsEdit = z.output<typeof contentsEditSchema>;

const editReleaseSchema = z
  .union([
    z.strictObject({
      title: releaseTitleSchema,
      steps: stepsSchema.default([]),
      brake: brakeSchema.nullable().default(null),
    }),
    z.strictObject({ release: z.int().min(1).describe('Number of one that can be edited.') }),
  ])
  .describe(
    'Put the changes into a release, a new one or one that is there, instead of publishing them.',
  )
  .register(z.globalRegistry, { id: 'EditRelease' });

const editBodySchema = z.strictObject({
  ids: z
    .array(contentIdSchema)
    .min(1)
    .max(editedIdsMax)
    .describe('Ids of the content items, each once.'),
  edit: contentsEditSchema.describe('What is done to each of them.'),
  publish: z
    .boolean()
    .default(true)
    .describe('Whether players receive set values at once; false saves drafts.'),
  release: editReleaseSchema
    .optional()
    .describe('The release that takes the changes; left out: none does.'),
  partial: z
    .boolean()
    .default(false)
    .describe('Leave out items that cannot be edited; false: one of them rejects the whole edit.'),
  note: noteSchema.default(''),
  dryRun: z.boolean().default(false).describe('Report what would change; change nothing.'),
  plan: planSchema.optional(),
  confirm: confirmSchema,
});
editBodySchema.register(z.globalRegistry, {
  examples: [
    {
      ids: ['shop', 'shop-eu'],
      edit: { kind: 'set', path: '/packs/pouch/price', value: 3.99 },
      note: 'Weekend price.',
      dryRun: true,
    },
  ],
});

export type ContentsEditBody = z.output<typeof editBodySchema>;

const editedLineSchema = z.object({
  appVersion: z.string(),
  change: z
    .enum(['set', 'created', 'same', 'missing'])
    .describe('`same`: it has the value already; `missing`: it has no such path.'),
  before: z.string().nullable().describe('JSON text, cut where it is long; null: none.'),
  after: z.string().nullable().describe('JSON text, cut where it is long; null: unchanged.'),
});

export type EditedLine = z.output<typeof editedLineSchema>;

const editedItemSchema = z.object({
  id: z.string(),
  outcome: z
    .enum(['changed', 'unchanged', 'missing', 'rejected'])
    .describe(
      '`unchanged`: it is so already; `missing`: no version line has the path; `rejected`: see `problem`.',
    ),
  newest: z.int().describe('The newest revision before the edit; 0: there is no such item.'),
  live: z.int().nullable().describe('The live revision before the edit.'),
  revision: z
    .int()
    .nullable()
    .describe('The newest revision after the edit; null: the item is deleted, or there is none.'),
  draftBy: z
    .string()
    .nullable()
    .describe(
      'Author of a draft that the edit builds on: it goes live along. null: there is none.',
    ),
  lines: z.array(editedLineSchema).readonly().describe('Of `set`: its version lines.'),
  tags: z
    .object({ before: z.array(z.string()).readonly(), after: z.array(z.string()).readonly() })
    .nullable()
    .describe('Of `tags`, where they change.'),
  warnings: z.array(issueSchema).readonly(),
  problem: z
    .object({ code: z.string(), detail: z.string(), errors: z.array(issueSchema).readonly() })
    .nullable()
    .describe('Why the item cannot be edited.'),
});

export type EditedItem = z.output<typeof editedItemSchema>;

const editReportSchema = z
  .object({
    counts: z.object({
      changed: z.int(),
      unchanged: z.int(),
      missing: z.int(),
      rejected: z.int(),
    }),
    items: z
      .array(editedItemSchema)
      .readonly()
      .describe('One for each id, in the order of the request.'),
    release: z.int().nullable().describe('Number of the release that took the changes.'),
    confirmation: confirmationSchema
      .nullable()
      .describe('Findings to confirm; null: there are none, or nothing goes live.'),
    plan: planSchema,
    dryRun: z.boolean(),
    ...publishedSchema,
  })
  .register(z.globalRegistry, { id: 'EditReport' });

/** What an edit of many content items changes, item by item. */
export type EditReport = z.output<typeof editReportSchema>;

export const editContents = operation('POST /environments/:env/contents/edit', {
  tag: 'contents',
  operationId: 'editContents',
  description: `Edits many content items: sets a value at a path, changes tags, publishes drafts, or deletes. All of it is saved in one transaction and goes live together, or nothing is saved. A dry run returns what would change in each item, why items cannot be edited, and a \`plan\`; with that plan, the edit is rejected (409 \`plan_stale\`) if any of the items has changed since. An item that cannot be edited rejects the edit (409 \`items_rejected\`) unless \`partial\` leaves it out; items that are so already, or that lack the path, are reported and left alone. At most ${editedItemsMax} items change what players receive or get new revisions. A protected environment accepts edits that publish only from owners, and only with a plan. With \`release\`, nothing that is live changes: drafts are saved, and the changes are put into a release. Editors may do so in protected environments, and where releases are required or a ramp locks what it reaches.`,
  role: 'editor',
  publishes: true,
  params: environmentParams,
  query: strictQuery,
  body: editBodySchema,
  responses: { 200: editReportSchema },
  problems: [
    'items_rejected',
    'plan_required',
    'plan_stale',
    'limit_reached',
    'release_not_found',
    'release_state',
    'overloaded',
    ...valueGateCodes,
  ],
});
