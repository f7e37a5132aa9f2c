/** Layers and the holdout of an environment as the admin API gives and takes them. */
import { z } from 'zod';
import { bucketCount } from '../../../content/bucket.js';
import { saltLengthMax } from '../../../content/mapping/mapping-limits.js';
import { layerNameCharsMax, layersMax } from '../../limits.js';
import { storable } from '../storable.js';

const layerName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const bucket = z
  .int()
  .min(0)
  .max(bucketCount - 1);

export const bucketRangeSchema = z
  .tuple([bucket, bucket])
  .refine(([from, to]) => from <= to, 'must have its lower group first')
  .readonly()
  .describe('First and last bucket out of 1000, both included.');

const layerNameSchema = z
  .string()
  .max(layerNameCharsMax)
  .regex(layerName, 'must begin with a letter or digit; then letters, digits, ".", "_", "-"')
  .describe('Name that rules give as `layer`.');

const saltSchema = storable(z.string().min(1).max(saltLengthMax)).describe(
  'Assigns players to buckets. Another salt assigns all of them to new ones.',
);

const layerSchema = z.strictObject({ name: layerNameSchema, salt: saltSchema });
const holdoutSchema = z.strictObject({ salt: saltSchema, groups: bucketRangeSchema });

interface Named {
  readonly name: string;
}

function areNamesUnique(layers: readonly Named[]): boolean {
  return new Set(layers.map(({ name }) => name)).size === layers.length;
}

const uniqueNames = 'must not name a layer twice';

export const layerListSchema = z
  .array(layerSchema)
  .max(layersMax)
  .refine(areNamesUnique, uniqueNames)
  .describe('All layers; one that is left out is removed.');

export const holdoutOrNoneSchema = holdoutSchema
  .nullable()
  .describe('Players who take part in no rule with `holdout`; null: there are none.');

/** Salts may be left out. */
export const layersInputSchema = z
  .strictObject({
    layers: z
      .array(layerSchema.partial({ salt: true }))
      .max(layersMax)
      .refine(areNamesUnique, uniqueNames)
      .describe(
        'All layers; one that is left out is removed. Without a salt: the one that the layer has, or a random one.',
      ),
    holdout: holdoutSchema
      .partial({ salt: true })
      .nullable()
      .describe(
        'Players who take part in no rule with `holdout`; null: there are none. Without a salt: the present one, or a random one.',
      ),
    ifEtag: z
      .string()
      .optional()
      .describe('Reject with `layers_conflict` unless this is the present `etag`.'),
  })
  .register(z.globalRegistry, {
    examples: [{ layers: [{ name: 'shop' }], holdout: { groups: [950, 999] } }],
  });

export type LayersInput = z.output<typeof layersInputSchema>;

export const environmentLayersSchema = z
  .object({
    layers: z.array(z.object({ name: z.string(), salt: z.string() })).readonly(),
    holdout: z
      .object({ salt: z.string(), groups: z.tuple([z.int(), z.int()]).readonly() })
      .nullable(),
    etag: z.string().describe('Of these definitions; see `ifEtag`.'),
    uses: z
      .array(
        z.object({
          content: z.string().describe('Id of the content.'),
          revision: z.int(),
          live: z.boolean().describe('The revision is the live one.'),
          rule: z.int().describe('Its place in the mapping, from 0.'),
          segment: z.string(),
          layer: z.string().nullable(),
          slice: z.tuple([z.int(), z.int()]).readonly().nullable(),
          holdout: z.boolean(),
        }),
      )
      .readonly()
      .describe('Rules of live and newest revisions that use a layer or the holdout.'),
  })
  .register(z.globalRegistry, { id: 'EnvironmentLayers' });

export type EnvironmentLayers = z.output<typeof environmentLayersSchema>;
