/** Edits that are tried out without being saved: their fields, and how their values are taken over byte for byte. */
import { z } from 'zod';
import { lowestVersion } from '../../content/version-text.js';
import { mappingBytesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { revisionSchema, versionSchema } from '../../contract/schemas/common.js';
import { describedBy } from '../../contract/schemas/described-by.js';
import type { CandidateWish, UnsavedLines } from '../evaluation/load-candidate.js';
import type { ManagementLimits } from '../limits.js';
import { type GivenLines, linesOf, linesSchema } from './edited-lines.js';
import { bodyFault } from './problem.js';
import { rawMembers } from './raw-members.js';

/** What is tried out, as members of a larger body. */
export const candidateFields = {
  revision: z
    .union([revisionSchema, z.literal('newest')])
    .optional()
    .describe(
      'A saved revision, or "newest". Left out, the live one; with unsaved edits, the newest, on which a PUT would build.',
    ),
  text: z.string().optional().describe('An unsaved text; comments and trailing commas are fine.'),
  appVersion: versionSchema
    .optional()
    .describe(`The line that the unsaved text goes to; ${lowestVersion} when left out.`),
  lines: linesSchema.optional(),
  mapping: z
    .array(z.unknown())
    .optional()
    .describe('An unsaved mapping; an empty list stands for none.')
    .meta(describedBy('TargetingRules')),
};

const fieldsSchema = z.object(candidateFields);

/** @param raw the text that the body was parsed from: the mapping is cut out of it */
export function readCandidateFields(
  body: z.output<typeof fieldsSchema>,
  raw: Uint8Array,
  limits: ManagementLimits,
): Pick<CandidateWish, 'revision' | 'edit'> | Problem {
  const { revision = null } = body;
  const given = linesOf(body);
  if (given instanceof Problem) return given;
  if (given === null && body.mapping === undefined) return { revision, edit: null };
  const lines = given === null ? undefined : readLines(given, limits);
  if (lines instanceof Problem) return lines;
  const mapping = body.mapping === undefined ? undefined : rawMembers(raw).get('mapping');
  if ((mapping?.byteLength ?? 0) > mappingBytesMax) {
    return bodyFault('mapping', `is larger than ${mappingBytesMax} bytes`);
  }
  return { revision, edit: { lines, mapping: body.mapping?.length === 0 ? null : mapping } };
}

function readLines(
  { areAll, lines }: GivenLines,
  limits: ManagementLimits,
): UnsavedLines | Problem {
  const texts = new Map<string, Uint8Array | null>();
  for (const { appVersion, text, path } of lines) {
    const bytes = text === undefined ? null : readText(text, limits, path);
    if (bytes instanceof Problem) return bytes;
    texts.set(appVersion, bytes);
  }
  return { areAll, texts };
}

const loneSurrogate = /\p{Surrogate}/u;

/** @param path of the text in the body */
function readText(text: string, limits: ManagementLimits, path: string): Uint8Array | Problem {
  if (loneSurrogate.test(text)) {
    return bodyFault(path, 'has half of a surrogate pair, which is no character');
  }
  const bytes = Buffer.from(text);
  if (bytes.byteLength > limits.textBytesMax) {
    return bodyFault(path, `has ${bytes.byteLength} bytes; the limit is ${limits.textBytesMax}`);
  }
  return bytes;
}
