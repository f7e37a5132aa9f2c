/** Rows of revisions: immutable, complete states of a content. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../dialect.js';
import type { RevisionLinesTable, RevisionsTable } from '../tables.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { type HashedState, shownHash, stateHashesOf } from './state-hashes.js';
import { putText } from './texts.js';

/** One app-version line that may be saved. Digests are SHA-256 in lower-case hex; sizes are bytes. */
export interface LineDraft {
  /** Minimum app version, without leading zeros. */
  readonly version: string;
  readonly textDigest: string;
  readonly textBytes: number;
  readonly jsonDigest: string;
  /** XXH3-64 of the delivered JSON. */
  readonly jsonHash: string;
  readonly jsonBytes: number;
}

/** One that is saved. */
export interface RevisionLine extends LineDraft {
  /** What clients see: it covers the mapping and its segments, too (`state-hashes.ts`). */
  readonly hash: string;
}

export interface Revision {
  readonly number: number;
  /** Ascending by version; at least one. */
  readonly lines: readonly RevisionLine[];
  /** Digest of the mapping text, or null without one. */
  readonly mapping: string | null;
  readonly author: string;
  readonly note: string;
  readonly createdAtMs: number;
  /** A sync made it: from which environment, and the number it has there. */
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

/** A revision in a listing. */
export type RevisionSummary = Omit<Revision, 'lines'> & { readonly hash: string };

/** What becomes a revision; texts that the store may not have yet come with it. */
export interface RevisionDraft {
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
  /** Saved segments that the mapping refers to, each once. */
  readonly segments: readonly string[];
  readonly note: string;
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

export async function findRevision(
  db: Db,
  environment: string,
  idLower: string,
  number: number,
): Promise<Revision | null> {
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('environment', '=', environment)
    .where('idLower', '=', idLower)
    .where('number', '=', number)
    .executeTakeFirst();
  if (row === undefined) return null;
  const lines = await db
    .selectFrom('revisionLines')
    .selectAll()
    .where('environment', '=', environment)
    .where('idLower', '=', idLower)
    .where('number', '=', number)
    .orderBy('position')
    .execute();
  return {
    number,
    lines: lines.map(lineOf),
    mapping: row.mapping,
    author: row.author,
    note: row.note,
    createdAtMs: row.createdAt,
    synced: syncedOf(row),
  };
}

/**
 * Newest first.
 * @param before number below which the page begins
 */
export async function listRevisions(
  db: Db,
  environment: string,
  idLower: string,
  before: number,
  limit: number,
): Promise<RevisionSummary[]> {
  const rows = await db
    .selectFrom('revisions')
    .innerJoin('revisionLines', (join) =>
      join
        .onRef('revisionLines.environment', '=', 'revisions.environment')
        .onRef('revisionLines.idLower', '=', 'revisions.idLower')
        .onRef('revisionLines.number', '=', 'revisions.number'),
    )
    .where('revisions.environment', '=', environment)
    .where('revisions.idLower', '=', idLower)
    .where('revisions.number', '<', before)
    .where((where) =>
      where(
        'revisionLines.position',
        '=',
        where
          .selectFrom('revisionLines as highest')
          .whereRef('highest.environment', '=', 'revisions.environment')
          .whereRef('highest.idLower', '=', 'revisions.idLower')
          .whereRef('highest.number', '=', 'revisions.number')
          .select((select) => select.fn.max('highest.position').as('position')),
      ),
    )
    .selectAll('revisions')
    .select(shownHash)
    .orderBy('revisions.number', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    number: row.number,
    mapping: row.mapping,
    author: row.author,
    note: row.note,
    createdAtMs: row.createdAt,
    synced: syncedOf(row),
    hash: row.hash,
  }));
}

/** Saved segments that a revision's mapping refers to. */
export async function listRevisionSegments(
  db: Db,
  environment: string,
  idLower: string,
  number: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('revisionSegments')
    .select('segment')
    .where('environment', '=', environment)
    .where('idLower', '=', idLower)
    .where('number', '=', number)
    .orderBy('segment')
    .execute();
  return rows.map((row) => row.segment);
}

/** Adds the revision after the newest and makes it the newest. Returns its number. */
export async function insertRevision(
  write: UnitOfWork,
  environment: string,
  idLower: string,
  newest: number,
  draft: RevisionDraft,
): Promise<number> {
  const number = newest + 1;
  const key = { environment, idLower, number };
  for (const [digest, bytes] of draft.texts) await putText(write, digest, bytes);
  await write.db
    .insertInto('revisions')
    .values({
      ...key,
      mapping: draft.mapping,
      author: write.actor.name,
      note: draft.note,
      createdAt: write.at,
    })
    .execute();
  await write.db
    .insertInto('revisionLines')
    .values(await lineRows(write.db, key, draft))
    .execute();
  if (draft.segments.length > 0) {
    await write.db
      .insertInto('revisionSegments')
      .values(draft.segments.map((segment) => ({ ...key, segment })))
      .execute();
  }
  await write.db
    .updateTable('contents')
    .set({ newest: number, updatedAt: write.at })
    .where('environment', '=', environment)
    .where('idLower', '=', idLower)
    .execute();
  return number;
}

function syncedOf({
  syncedFrom,
  syncedRevision,
}: Pick<RevisionsTable, 'syncedFrom' | 'syncedRevision'>): Revision['synced'] {
  return syncedFrom === null ? null : { from: syncedFrom, revision: syncedRevision ?? 0 };
}

export function lineOf(row: Selectable<RevisionLinesTable>): RevisionLine {
  return {
    version: row.version,
    textDigest: row.textDigest,
    textBytes: row.textBytes,
    jsonDigest: row.jsonDigest,
    jsonHash: row.hash,
    hash: row.stateHash ?? row.hash,
    jsonBytes: row.jsonBytes,
  };
}

/** Rows for the lines of a revision that is about to be saved, hashed as the environment delivers them. */
export async function lineRows(
  db: Db,
  key: { readonly environment: string; readonly idLower: string; readonly number: number },
  draft: Omit<HashedState, 'lines'> & Pick<RevisionDraft, 'lines'>,
): Promise<Insertable<RevisionLinesTable>[]> {
  const stateHashes = await stateHashesOf(db, key.environment, draft);
  return draft.lines.map((line, position) => ({
    ...key,
    version: line.version,
    position,
    textDigest: line.textDigest,
    textBytes: line.textBytes,
    jsonDigest: line.jsonDigest,
    hash: line.jsonHash,
    jsonBytes: line.jsonBytes,
    stateHash: stateHashes[position] ?? null,
  }));
}
