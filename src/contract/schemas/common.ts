/** The building blocks of the admin API's requests and responses, as zod checks them and OpenAPI describes them. */
import { z } from 'zod';
import { isContentId } from '../../content/content-id.js';
import { parseInstant } from '../../content/mapping/instant.js';
import { canonicalVersion } from '../../content/version-text.js';
import {
  descriptionCharsMax,
  environmentIdCharsMax,
  nameCharsMax,
  noteCharsMax,
  revisionMax,
  tagCharsMax,
  tagsMax,
} from '../limits.js';
import { storable } from './storable.js';

const environmentId = /^[a-z0-9._-]+$/;
const control = /[\p{Cc}\p{Surrogate}]/u;
const dots = /^\.{1,2}$/;

/** Lower case only: environments stand in commands and file names, where two spellings of one would be a trap. */
export const environmentIdSchema = z
  .string()
  .max(environmentIdCharsMax)
  .regex(environmentId, 'must be lower-case letters, digits, ".", "_" and "-"')
  .refine((id) => !dots.test(id), 'must not be "." or ".."')
  .describe('Id of the environment, lower case.');

export const contentIdSchema = z
  .string()
  .refine(isContentId, 'must be 1 to 128 of A-Z a-z 0-9 . _ - (not "." or "..")')
  .meta({
    pattern: '^[A-Za-z0-9._-]{1,128}$',
    description: 'Id of the content; case does not matter.',
  });

/** Names of segments and users, labels of keys. */
export const nameSchema = z
  .string()
  .min(1)
  .max(nameCharsMax)
  .refine((name) => !control.test(name), 'must not contain control characters')
  .refine((name) => !dots.test(name), 'must not be "." or ".."');

export const labelSchema = storable(z.string().max(nameCharsMax)).describe(
  'For people, to recognise it.',
);
export const descriptionSchema = storable(z.string().max(descriptionCharsMax)).describe(
  'For people.',
);
export const noteSchema = storable(z.string().max(noteCharsMax)).describe(
  'Why; kept with the revision.',
);
export const tagsSchema = z
  .array(storable(z.string().min(1).max(tagCharsMax)))
  .max(tagsMax)
  .describe('For people, to find it by.');
export const revisionSchema = z.int().min(1).max(revisionMax).describe('Number of a revision.');

/** Gives the version its one spelling: 01.2.3 is 1.2.3. */
export const versionSchema = z
  .string()
  .refine((text) => canonicalVersion(text) !== null, 'must have the form X.Y.Z')
  .overwrite((text) => canonicalVersion(text) ?? text)
  .meta({
    pattern: '^\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}$',
    description: 'App version from which on the line is for, X.Y.Z.',
  });

export const instantSchema = z
  .string()
  .refine((text) => parseInstant(text) !== null, 'must be an RFC 3339 date-time with its zone')
  .describe('RFC 3339 date-time');

/**
 * The parameter `limit` of a listing in pages.
 * @param rows what it lists, in the plural, with a capital
 */
export const pageLimit = (rows: string, max: number, preset: number = max) =>
  z.coerce.number().int().min(1).max(max).default(preset).describe(`${rows} of a page.`);

export const environmentParams = z.object({ env: z.string().describe('Id of the environment.') });
export const contentParams = environmentParams.extend({ id: contentIdSchema });

/** The query of a listing of what revisions have: of the live ones, or of the newest. */
export const draftsQuery = z.object({
  drafts: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: of the newest revisions instead of the live ones.'),
});

export const issueSchema = z.object({
  path: z.string().describe('Where in the request: `text`, `lines[0].text`, `mapping[2].when`.'),
  message: z.string(),
  appVersion: z.string().optional().describe('The app version line that it is about.'),
  line: z.int().optional().describe('In the text, from 1.'),
  column: z.int().optional().describe('In the line, from 1.'),
  code: z
    .enum([
      ...['schema_mismatch', 'guard', 'value_type_changed', 'value_factor'],
      'experiment_changed',
    ] as const)
    .optional()
    .describe(
      'Of a warning. `experiment_changed`: a running experiment begins another phase, or stops. `schema_mismatch`: the draft does not match its JSON Schema here, and is not published until it does. `guard`: a value leaves what a guard of the content allows. `value_type_changed`, `value_factor`: a value changes its JSON type, or moves by more than a factor of ten, against what is live. The values’ have a JSON Pointer as `path`, with `*` for the elements of an array.',
    ),
});
issueSchema.register(z.globalRegistry, { id: 'Fault' });

/** The number that `X-Min-Sequence` of a delivery request may ask for. */
export const sequenceSchema = z.int().describe('Every delivery process serves this sequence.');

/** Of a server that others follow. */
export const behindBelowSchema = z
  .array(z.string())
  .optional()
  .describe(
    'Names of servers below it, at any depth, that are away or behind; five at most, first those that are waited for. Left out: none is.',
  );

const fleetSchema = z
  .object({
    acknowledged: z.int().min(0).describe('Live servers that serve the sequence.'),
    missing: z
      .array(
        z.object({
          ...{ id: z.string(), name: z.string(), sequence: z.int() },
          behindBelow: behindBelowSchema,
        }),
      )
      .describe('Live servers that did not acknowledge it in time, with what they serve.'),
    storeUnavailable: z
      .literal(true)
      .optional()
      .describe('The store could not be reached meanwhile: others may be missing, too.'),
  })
  .describe('With `wait=fleet`, which of the servers that share the store serve the change.');
fleetSchema.register(z.globalRegistry, { id: 'FleetAnswer' });
export type FleetJson = z.infer<typeof fleetSchema>;

/** Where a published change is served; in every response to one. `fleet-wait.ts` adds `fleet`. */
export const publishedSchema = { sequence: sequenceSchema, fleet: fleetSchema.optional() };

/** The response to a change that is published: the schema's members, and where the change is served. */
export function published<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
): z.ZodObject<S & typeof publishedSchema> {
  return schema.extend(publishedSchema) as z.ZodObject<S & typeof publishedSchema>;
}
