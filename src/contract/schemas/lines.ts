/** All version lines of a content, as an edit has them, saved or tried out. */
import { z } from 'zod';
import { linesMax } from '../limits.js';
import { versionSchema } from './common.js';

export const linesSchema = z
  .array(z.strictObject({ appVersion: versionSchema, text: z.string().optional() }))
  .min(1)
  .max(linesMax)
  .describe(
    'All lines, instead of `text` and `appVersion`: a line that is left out is removed, and one without a text keeps the text that it has.',
  );
