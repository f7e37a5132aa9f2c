/** How a sync or import describes what changes in a content, and the id of the dry run that described it. */
import { z } from 'zod';

const changeSchema = z.enum(['added', 'changed', 'removed']);

export const pointerChangeSchema = z.object({
  path: z.string().describe('JSON pointer (RFC 6901); "" is the whole document.'),
  change: changeSchema,
  before: z.string().nullable().describe('JSON text, cut where it is long.'),
  after: z.string().nullable(),
});

/** A place in a JSON value that differs. */
export type PointerChange = z.output<typeof pointerChangeSchema>;

export const lineChangeSchema = z.object({
  appVersion: z.string(),
  change: changeSchema,
  oldHash: z.string().nullable(),
  newHash: z
    .string()
    .nullable()
    .describe('Equal to oldHash: only comments or white space changed.'),
  pointers: z.array(pointerChangeSchema).readonly(),
  pointersCut: z.boolean().describe('More changed than is listed.'),
});

/** How a version line differs. */
export type LineChange = z.output<typeof lineChangeSchema>;

export const mappingChangeSchema = z.enum(['same', 'added', 'changed', 'removed']);
export type MappingChange = z.output<typeof mappingChangeSchema>;

export const aboutChangeSchema = z
  .array(z.enum(['description', 'tags', 'schema', 'guards']))
  .readonly()
  .describe('Which of the facts beside the revisions change.');

export const planSchema = z
  .string()
  .max(64)
  .describe(
    'Identifies what a dry run compared: source, target and options. The real call with this plan is rejected (409 `plan_stale`) if any of them has changed since.',
  );

export const syncedSchema = z
  .object({ from: z.string(), revision: z.int() })
  .nullable()
  .describe('Where a sync brought it from, and the number it has there.');

export const editedHereSchema = z.object({ author: z.string(), at: z.string() });
