/**
 * The form of an exported environment: NDJSON, one object a line, in this order.
 *
 * ```
 * {"kind":"environment","format":1,"id":"dev","name":"Development","protected":false}
 * {"kind":"segment","name":"whales","description":"","when":"{\"level\":{\"$gte\":10}}"}
 * {"kind":"content","id":"Shop","description":"","tags":[],"lines":[{"appVersion":"0.0.0","text":"…"}],"mapping":"[…]","flags":["/price"],"schema":null,"guards":[],"live":true}
 * {"kind":"draft","id":"Shop","lines":[…],"mapping":null}
 * {"kind":"metric","name":"revenue","metric":{"kind":"sum","event":"purchase",…}}
 * {"kind":"experiment","experiment":{"id":"prices","content":"Shop","segment":"price-test","control":"control",…}}
 * {"kind":"end","segments":1,"contents":1}
 * ```
 *
 * Texts of lines, mappings, schemas and conditions are strings that hold the stored text byte for byte. History, keys,
 * people, the audit, and what experiments have found are no part of it. Who writes such lines by hand may give mapping, schema and condition as JSON.
 */
import { z } from 'zod';
import { linesMax } from '../limits.js';
import { transferFormat } from '../transfer-format.js';
import {
  contentIdSchema,
  descriptionSchema,
  nameSchema,
  tagsSchema,
  versionSchema,
} from './common.js';
import { experimentInputSchema } from './experiment.js';
import { holdoutOrNoneSchema, layerListSchema } from './experiments/layers.js';
import { flagsSchema } from './flags.js';
import { guardsSchema } from './guard.js';
import { metricInputSchema, metricNameSchema } from './metric.js';

const lineSchema = z.strictObject({ appVersion: versionSchema, text: z.string() });

const stateSchema = {
  lines: z.array(lineSchema).min(1).max(linesMax),
  mapping: z.union([z.string(), z.array(z.unknown()), z.null()]).default(null),
  /** Left out: none, as in files of earlier versions. */
  flags: flagsSchema.optional(),
};

/** Where it came from: facts for people, which an import does not take over, but for layers and the holdout. */
const environmentSchema = z.strictObject({
  kind: z.literal('environment'),
  format: z.literal(transferFormat, `must be ${transferFormat}: another version wrote this file`),
  id: z.string(),
  name: z.string().optional(),
  protected: z.boolean().optional(),
  /** Those that the environment lacks are taken over, and so is the holdout where it has none. */
  layers: layerListSchema.optional(),
  holdout: holdoutOrNoneSchema.optional(),
});

const segmentSchema = z.strictObject({
  kind: z.literal('segment'),
  name: nameSchema,
  description: descriptionSchema.default(''),
  when: z.union([z.string(), z.record(z.string(), z.unknown())]),
});

const contentSchema = z.strictObject({
  kind: z.literal('content'),
  id: contentIdSchema,
  description: descriptionSchema.default(''),
  tags: tagsSchema.default([]),
  ...stateSchema,
  schema: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.boolean(), z.null()])
    .default(null),
  /** Left out: those that the content has stay, as with files of earlier versions. */
  guards: guardsSchema.optional(),
  /** false: it was saved, but is not delivered. */
  live: z.boolean().default(true),
});

/** What was saved on top of the live state of the content before it, and not published. */
const draftSchema = z.strictObject({
  kind: z.literal('draft'),
  id: contentIdSchema,
  ...stateSchema,
});

const metricLineSchema = z.strictObject({
  kind: z.literal('metric'),
  name: metricNameSchema,
  metric: metricInputSchema,
});

/** The plan of an experiment, whatever its state: an import makes a draft of it. */
const experimentLineSchema = z.strictObject({
  kind: z.literal('experiment'),
  experiment: experimentInputSchema,
});

/** A file without it was cut off. */
const endSchema = z.strictObject({
  kind: z.literal('end'),
  segments: z.int().min(0),
  contents: z.int().min(0),
});

export const transferLineSchema = z.discriminatedUnion('kind', [
  environmentSchema,
  segmentSchema,
  contentSchema,
  draftSchema,
  metricLineSchema,
  experimentLineSchema,
  endSchema,
]);
transferLineSchema.register(z.globalRegistry, { id: 'TransferLine' });

export type TransferLine = z.output<typeof transferLineSchema>;
export type ContentLine = Extract<TransferLine, { kind: 'content' }>;
export type DraftLine = Extract<TransferLine, { kind: 'draft' }>;
export type SegmentLine = Extract<TransferLine, { kind: 'segment' }>;
