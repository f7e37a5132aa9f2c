/** User contexts as the admin API takes them: what a game client sends as the body of a content request. */
import { z } from 'zod';
import { parseVersion } from '../../content/version.js';

/** Not a record, which would leave out `__proto__`: attributes go in as delivery takes them. */
const attributesSchema = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object', additionalProperties: true });

/** As members of a larger body. */
export const userContextFields = {
  u: z.string().default('').describe('User id.'),
  p: attributesSchema.optional().describe('Attributes for segmentation.'),
  v: z
    .string()
    .refine((text) => text === '' || parseVersion(text) !== null, 'must have the form X.Y.Z')
    .nullish()
    .describe('Version of the app, X.Y.Z; null or empty: none.'),
};

/** Like delivery, it ignores fields that it does not know. */
export const userContextSchema: z.ZodObject<typeof userContextFields> = z.object(userContextFields);
