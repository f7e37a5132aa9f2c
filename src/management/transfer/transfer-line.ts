/**
 * The form of an exported environment: NDJSON, one object a line, in this order.
 *
 * ```
 * {"kind":"environment","format":1,"id":"dev","name":"Development","protected":false}
 * {"kind":"segment","name":"whales","description":"","when":"{\"level\":{\"$gte\":10}}"}
 * {"kind":"content","id":"Shop","description":"","tags":[],"lines":[{"appVersion":"0.0.0","text":"…"}],"mapping":"[…]","schema":null,"live":true}
 * {"kind":"draft","id":"Shop","lines":[…],"mapping":null}
 * {"kind":"end","segments":1,"contents":1}
 * ```
 *
 * Texts of lines, mappings, schemas and conditions are strings that hold the stored text byte for byte. History, keys,
 * people and the audit are no part of it. Who writes such lines by hand may give mapping, schema and condition as JSON.
 */
import { z } from 'zod';
import {
  contentIdShape,
  descriptionShape,
  nameShape,
  tagsShape,
  versionShape,
} from '../api/shapes.js';
import { linesMax } from '../limits.js';
import { transferFormat } from './transfer-format.js';

const lineShape = z.strictObject({ appVersion: versionShape, text: z.string() });

const stateShape = {
  lines: z.array(lineShape).min(1).max(linesMax),
  mapping: z.union([z.string(), z.array(z.unknown()), z.null()]).default(null),
};

/** Where it came from: facts for people, which an import does not take over. */
const environmentShape = z.strictObject({
  kind: z.literal('environment'),
  format: z.literal(transferFormat, `must be ${transferFormat}: another version wrote this file`),
  id: z.string(),
  name: z.string().optional(),
  protected: z.boolean().optional(),
});

const segmentShape = z.strictObject({
  kind: z.literal('segment'),
  name: nameShape,
  description: descriptionShape.default(''),
  when: z.union([z.string(), z.record(z.string(), z.unknown())]),
});

const contentShape = z.strictObject({
  kind: z.literal('content'),
  id: contentIdShape,
  description: descriptionShape.default(''),
  tags: tagsShape.default([]),
  ...stateShape,
  schema: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.boolean(), z.null()])
    .default(null),
  /** false: it was saved, but is not delivered. */
  live: z.boolean().default(true),
});

/** What was saved on top of the live state of the content before it, and not published. */
const draftShape = z.strictObject({
  kind: z.literal('draft'),
  id: contentIdShape,
  ...stateShape,
});

/** A file without it was cut off. */
const endShape = z.strictObject({
  kind: z.literal('end'),
  segments: z.int().min(0),
  contents: z.int().min(0),
});

export const transferLineShape = z.discriminatedUnion('kind', [
  environmentShape,
  segmentShape,
  contentShape,
  draftShape,
  endShape,
]);
transferLineShape.register(z.globalRegistry, { id: 'TransferLine' });

export type TransferLine = z.output<typeof transferLineShape>;
export type ContentLine = Extract<TransferLine, { kind: 'content' }>;
export type DraftLine = Extract<TransferLine, { kind: 'draft' }>;
export type SegmentLine = Extract<TransferLine, { kind: 'segment' }>;
