/** How a sync or import tells what changes in a content, and the id of the dry run that told it. */
import { z } from 'zod';

const changeShape = z.enum(['added', 'changed', 'removed']);

export const pointerChangeShape = z.object({
  path: z.string().describe('RFC 6901.'),
  change: changeShape,
  before: z.string().nullable().describe('JSON text, cut where it is long.'),
  after: z.string().nullable(),
});

export const lineChangeShape = z.object({
  appVersion: z.string(),
  change: changeShape,
  oldHash: z.string().nullable(),
  newHash: z
    .string()
    .nullable()
    .describe('Equal to oldHash: only comments or white space changed.'),
  pointers: z.array(pointerChangeShape).readonly(),
  pointersCut: z.boolean().describe('More changed than is listed.'),
});

export const mappingChangeShape = z.enum(['same', 'added', 'changed', 'removed']);

export const aboutChangeShape = z
  .array(z.enum(['description', 'tags', 'schema']))
  .readonly()
  .describe('Which of the facts beside the revisions change.');

export const planShape = z
  .string()
  .max(64)
  .describe(
    'Names what a dry run looked at: source, target and wish. Sent with the real call, that is refused (409 `plan_stale`) when any of it is another by then.',
  );

export const editedHereShape = z.object({ author: z.string(), at: z.string() });
