/** Texts under their SHA-256: what two revisions or environments share is stored once. */
import { sql } from 'kysely';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** Stores the bytes unless they are there. */
export async function putText(write: UnitOfWork, digest: string, bytes: Uint8Array): Promise<void> {
  // Asked first, because a conflict would be noticed only after the bytes were handed over.
  const found = await write.db
    .selectFrom('texts')
    .select('digest')
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (found !== undefined) return;
  await write.db
    .insertInto('texts')
    .values({ digest, bytes })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute();
}

/** Stores those that are not there, in two statements: others wait while they run. As many as one write may take. */
export async function putTexts(
  write: UnitOfWork,
  texts: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  if (texts.size === 0) return;
  const found = await write.db
    .selectFrom('texts')
    .select('digest')
    .where('digest', 'in', [...texts.keys()])
    .execute();
  const there = new Set(found.map((row) => row.digest));
  const missing = [...texts].filter(([digest]) => !there.has(digest));
  if (missing.length === 0) return;
  await write.db
    .insertInto('texts')
    .values(missing.map(([digest, bytes]) => ({ digest, bytes })))
    .execute();
}

/** @throws Error when there is none: revisions are saved with their texts */
export async function readText(db: Db, digest: string): Promise<Uint8Array> {
  const row = await db
    .selectFrom('texts')
    .select('bytes')
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) throw new Error(`The store has no text ${digest}, which a revision uses.`);
  return row.bytes;
}

/** Texts that are asked for at once, and what they may be together unless one alone is more. */
const readCountMax = 500;
const readBytesMax: number = 8 * 1024 * 1024;

/**
 * Reads texts that are there, in no order, with few statements.
 * @param digests each once
 */
export async function* readTexts(
  db: Db,
  digests: readonly string[],
): AsyncGenerator<readonly [digest: string, bytes: Uint8Array]> {
  for (let at = 0; at < digests.length; at += readCountMax) {
    const sizes = await listSizesOf(db, digests.slice(at, at + readCountMax));
    for (const part of partsOf(sizes)) yield* await readTextsByDigest(db, part);
  }
}

/** Digests of texts that may be in memory together. */
function partsOf(sizes: ReadonlyMap<string, number>): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let left = 0;
  for (const [digest, bytes] of sizes) {
    if (parts.length === 0 || bytes > left) {
      parts.push([]);
      left = readBytesMax;
    }
    parts.at(-1)?.push(digest);
    left -= bytes;
  }
  return parts;
}

/** Reads texts at once, by digest, of those that are there. */
export async function readTextsByDigest(
  db: Db,
  digests: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const rows = await db
    .selectFrom('texts')
    .select(['digest', 'bytes'])
    .where('digest', 'in', digests)
    .execute();
  return new Map(rows.map(({ digest, bytes }) => [digest, bytes]));
}

export interface TextSize {
  readonly digest: string;
  readonly bytes: number;
}

/** Sizes in bytes by digest, of those that are there. */
export async function listSizesOf(
  db: Db,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('texts')
    .select('digest')
    // As in `listTextSizes`.
    .select(({ fn }) => fn<number>('length', ['bytes']).as('bytes'))
    .where('digest', 'in', digests)
    .execute();
  return new Map(rows.map(({ digest, bytes }) => [digest, bytes]));
}

/** The texts with a digest after `after`, in order, at most `limit` of them. */
export async function listTextSizes(db: Db, after: string, limit: number): Promise<TextSize[]> {
  return (
    db
      .selectFrom('texts')
      .select('digest')
      // SQLite and PostgreSQL both know the length of bytes without reading them.
      .select(({ fn }) => fn<number>('length', ['bytes']).as('bytes'))
      .where('digest', '>', after)
      .orderBy('digest')
      .limit(limit)
      .execute()
  );
}

/** Part of a text; null: it is there no longer. */
export async function readTextPart(
  db: Db,
  digest: string,
  from: number,
  length: number,
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('texts')
    .select(sql<Uint8Array>`substr(bytes, ${from + 1}, ${length})`.as('part'))
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row?.part ?? null;
}

/** Contents with a revision that has the text as a line or as its mapping, as `environment/id`; the first of them. */
export async function findTextUsers(db: Db, digest: string, limit: number): Promise<string[]> {
  const ofLines = db
    .selectFrom('revisionLines')
    .select(['environment', 'idLower'])
    .where('textDigest', '=', digest);
  const ofMappings = db
    .selectFrom('revisions')
    .select(['environment', 'idLower'])
    .where('mapping', '=', digest);
  const rows = await ofLines.union(ofMappings).limit(limit).execute();
  return rows.map(({ environment, idLower }) => `${environment}/${idLower}`).sort();
}
