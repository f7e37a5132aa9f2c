/** Rows of revisions: immutable, complete states of a content. */

import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../dialect.js';
import type { RevisionLinesTable, RevisionsTable } from '../tables/contents.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { ofRevision } from './joins.js';
import { requireMappingWriters, writersStepOf } from './mapping-writers.js';
import { parseFlags, requireFlagWriters } from './revision-flags.js';
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
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
  readonly author: string;
  readonly note: string;
  readonly createdAtMs: number;
  /** A sync made it: from which environment, and the number it has there. */
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

/** A revision in a listing. */
export type RevisionSummary = Omit<Revision, 'lines' | 'flags'> & { readonly hash: string };

/** What becomes a revision; texts that the store may not have yet come with it. */
export interface RevisionDraft {
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
  readonly flags: readonly string[];
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
    .where((row) => row.and({ environment, idLower, number }))
    .executeTakeFirst();
  if (row === undefined) return null;
  const lines = await db
    .selectFrom('revisionLines')
    .selectAll()
    .where((row) => row.and({ environment, idLower, number }))
    .orderBy('position')
    .execute();
  return { ...revisionOf(row), lines: lines.map(lineOf), flags: parseFlags(row.flags) };
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
    .innerJoin('revisionLines', ofRevision('revisionLines', 'revisions'))
    .where((row) => row.and({ 'revisions.environment': environment, 'revisions.idLower': idLower }))
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
    .select(summaryColumns)
    .select(shownHash)
    .orderBy('revisions.number', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...revisionOf(row), hash: row.hash }));
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
    .where((row) => row.and({ environment, idLower, number }))
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
  const { mapping, flags, segments, note, texts } = draft;
  const number = newest + 1;
  const key = { environment, idLower, number };
  for (const [digest, bytes] of texts) await putText(write, digest, bytes);
  if (flags.length > 0) await requireFlagWriters(write);
  // A mapping that the store has already was looked at when it came.
  const rules = mapping === null ? undefined : texts.get(mapping);
  if (rules !== undefined) await requireMappingWriters(write, writersStepOf(rules));
  await write.db
    .insertInto('revisions')
    .values({
      ...{ ...key, mapping, flags: JSON.stringify(flags) },
      ...{ author: write.actor.name, note, createdAt: write.at },
    })
    .execute();
  await write.db
    .insertInto('revisionLines')
    .values(await lineRows(write.db, key, draft))
    .execute();
  if (segments.length > 0) {
    const rows = segments.map((segment) => ({ ...key, segment }));
    await write.db.insertInto('revisionSegments').values(rows).execute();
  }
  await write.db
    .updateTable('contents')
    .set({ newest: number, updatedAt: write.at })
    .where((row) => row.and({ environment, idLower }))
    .execute();
  return number;
}

/** Without the flags, which may be large. */
const summaryColumns = [
  'revisions.number',
  'revisions.mapping',
  'revisions.author',
  'revisions.note',
  'revisions.createdAt',
  'revisions.syncedFrom',
  'revisions.syncedRevision',
] as const;

type SummaryRow = Omit<RevisionsTable, 'environment' | 'idLower' | 'flags'>;

function revisionOf(row: SummaryRow): Omit<Revision, 'lines' | 'flags'> {
  const { number, mapping, author, note, createdAt, syncedFrom: from, syncedRevision } = row;
  const synced = from === null ? null : { from, revision: syncedRevision ?? 0 };
  return { number, mapping, author, note, createdAtMs: createdAt, synced };
}

export function lineOf(row: Selectable<RevisionLinesTable>): RevisionLine {
  const { version, textDigest, textBytes, jsonDigest, jsonBytes, hash, stateHash } = row;
  const hashes = { jsonHash: hash, hash: stateHash ?? hash };
  return { version, textDigest, textBytes, jsonDigest, jsonBytes, ...hashes };
}

/** Rows for the lines of a revision that is about to be saved, hashed as the environment delivers them. */
export async function lineRows(
  db: Db,
  key: { readonly environment: string; readonly idLower: string; readonly number: number },
  draft: Omit<HashedState, 'lines'> & Pick<RevisionDraft, 'lines'>,
): Promise<Insertable<RevisionLinesTable>[]> {
  const stateHashes = await stateHashesOf(db, key.environment, draft);
  return draft.lines.map((line, position) => {
    const { version, textDigest, textBytes, jsonDigest, jsonHash: hash, jsonBytes } = line;
    const columns = { version, position, textDigest, textBytes, jsonDigest, hash, jsonBytes };
    return { ...key, ...columns, stateHash: stateHashes[position] ?? null };
  });
}
