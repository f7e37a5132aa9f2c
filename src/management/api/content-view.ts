/** A revision of a content as the API shows it: with its texts, and mapping and schema byte for byte. */
import { z } from 'zod';
import { describedBy } from '../../contract/schemas/described-by.js';
import type { ContentRecord } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import type { Revision, RevisionLine } from '../store/revisions.js';
import { readText } from '../store/texts.js';
import { toIso } from '../to-iso.js';
import { rawObject } from './raw-json.js';

export const syncedSchema = z
  .object({ from: z.string(), revision: z.int() })
  .nullable()
  .describe('Where a sync brought it from, and the number it has there.');

export const revisionStateSchema = z.object({
  id: z.string(),
  revision: z.int(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
  synced: syncedSchema,
  hash: z.string().describe('Of the highest line.'),
  lines: z.array(
    z.object({
      appVersion: z.string(),
      hash: z.string(),
      textBytes: z.int(),
      jsonBytes: z.int(),
      text: z.string().describe('As it was sent.'),
    }),
  ),
  mapping: z
    .array(z.unknown())
    .describe('As it was sent, byte for byte; [] for none.')
    .meta(describedBy('TargetingRules')),
});

export const contentSchema = revisionStateSchema.extend({
  description: z.string(),
  tags: z.array(z.string()),
  newest: z.int(),
  live: z.int().nullable(),
  updatedAt: z.string(),
  deletedAt: z.null(),
  schema: z
    .union([z.record(z.string(), z.unknown()), z.boolean(), z.null()])
    .describe('JSON Schema as it was sent.'),
});

/** JSON text: what is said about the content, and the complete state of the revision. */
export async function contentJson(
  db: Reading,
  content: ContentRecord,
  revision: Revision,
): Promise<Uint8Array> {
  return rawObject(
    {
      id: content.id,
      description: content.description,
      tags: content.tags,
      newest: content.newest,
      live: content.live,
      updatedAt: toIso(content.updatedAtMs),
      deletedAt: toIso(content.deletedAtMs),
      ...(await revisionFields(db, revision)),
    },
    { mapping: await mappingText(db, revision), schema: content.schema ?? 'null' },
  );
}

/** JSON text of the revision alone. */
export async function revisionJson(
  db: Reading,
  id: string,
  revision: Revision,
): Promise<Uint8Array> {
  return rawObject(
    { id, ...(await revisionFields(db, revision)) },
    { mapping: await mappingText(db, revision) },
  );
}

async function revisionFields(
  db: Reading,
  revision: Revision,
): Promise<Readonly<Record<string, unknown>>> {
  const lines: unknown[] = [];
  for (const line of revision.lines) lines.push(await lineJson(db, line));
  return {
    revision: revision.number,
    author: revision.author,
    note: revision.note,
    createdAt: toIso(revision.createdAtMs),
    synced: revision.synced,
    hash: revision.lines.at(-1)?.hash ?? '',
    lines,
  };
}

async function lineJson(db: Reading, line: RevisionLine): Promise<unknown> {
  const { version, hash, textBytes, jsonBytes } = line;
  const text = Buffer.from(await readText(db, line.textDigest)).toString();
  return { appVersion: version, hash, textBytes, jsonBytes, text };
}

/** As it was sent; no mapping is an empty one, which is how it would be sent. */
async function mappingText(db: Reading, revision: Revision): Promise<Uint8Array | string> {
  return revision.mapping === null ? '[]' : readText(db, revision.mapping);
}
