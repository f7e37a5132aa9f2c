/** A revision of a content as the API shows it: with its texts, and mapping and schema byte for byte. */
import { rawObject } from '../http/body/raw-json.js';
import type { ContentRecord } from '../store/contents/contents.js';
import type { Revision, RevisionLine } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { toIso } from '../to-iso.js';

/** JSON text: what is said about the content, and the complete state of the revision. */
export async function contentJson(
  db: Db,
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
    {
      mapping: await mappingText(db, revision),
      schema: content.schema ?? 'null',
      guards: content.guards,
    },
  );
}

/** JSON text of the revision alone. */
export async function revisionJson(db: Db, id: string, revision: Revision): Promise<Uint8Array> {
  return rawObject(
    { id, ...(await revisionFields(db, revision)) },
    { mapping: await mappingText(db, revision) },
  );
}

async function revisionFields(
  db: Db,
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
    flags: revision.flags,
  };
}

async function lineJson(db: Db, line: RevisionLine): Promise<unknown> {
  const { version, hash, textBytes, jsonBytes } = line;
  const text = Buffer.from(await readText(db, line.textDigest)).toString();
  return { appVersion: version, hash, textBytes, jsonBytes, text };
}

/** As it was sent; no mapping is an empty one, which is how it would be sent. */
async function mappingText(db: Db, revision: Revision): Promise<Uint8Array | string> {
  return revision.mapping === null ? '[]' : readText(db, revision.mapping);
}
