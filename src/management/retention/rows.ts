/** What retention may remove, and its removal: old revisions, contents deleted long ago, texts that nothing uses. */

import { forgetPublications } from '../store/contents/publications.js';
import type { Db } from '../store/dialect.js';
import { contentIsNotNeeded, listNeededRevisions } from '../store/releases/needed-revisions.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** Revision numbers of one content that may go. */
export interface OldRevisions {
  readonly environment: string;
  readonly idLower: string;
  readonly numbers: readonly number[];
}

export interface ContentName {
  readonly environment: string;
  readonly idLower: string;
}

export interface UnusedText {
  readonly digest: string;
  readonly bytes: number;
}

/** Where a page of contents begins: after this one. */
export const firstContent: ContentName = { environment: '', idLower: '' };

/** Contents with more than `keep` revisions, at most `limit` of them; some may have nothing that can go. */
export async function listLongHistories(
  db: Db,
  keep: number,
  after: ContentName,
  limit: number,
): Promise<ContentName[]> {
  return db
    .selectFrom('contents')
    .select(['environment', 'idLower'])
    .where('newest', '>', keep)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('environment', 'idLower'), '>', tuple(after.environment, after.idLower)),
    )
    .orderBy('environment')
    .orderBy('idLower')
    .limit(limit)
    .execute();
}

/**
 * The oldest revisions of a content beyond its `keep` newest numbers. The live one never counts among them, nor the
 * one that was live when the content was deleted: bringing it back publishes that one. Nor do those that releases need.
 */
export async function findOldRevisions(
  db: Db,
  { environment, idLower }: ContentName,
  keep: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<OldRevisions> {
  const content = await db
    .selectFrom('contents')
    .select(['newest', 'live', 'liveBefore'])
    .where((row) => row.and({ environment, idLower }))
    .executeTakeFirst();
  if (content === undefined) return { environment, idLower, numbers: [] };
  const needed = await listNeededRevisions(db, { environment, idLower });
  const rows = await db
    .selectFrom('revisions')
    .select('number')
    .where((row) => row.and({ environment, idLower }))
    .where('number', '<=', content.newest - keep)
    .where('number', 'not in', [
      ...[content.newest, content.live ?? 0, content.liveBefore ?? 0],
      ...needed,
    ])
    .orderBy('number')
    .limit(limit)
    .execute();
  return { environment, idLower, numbers: rows.map((row) => row.number) };
}

/** Contents that were deleted before a time and that no release would bring back, the first of them. */
export async function listExpired(
  db: Db,
  deletedBeforeMs: number,
  limit: number,
): Promise<ContentName[]> {
  return db
    .selectFrom('contents')
    .select(['environment', 'idLower'])
    .where('deletedAt', '<', deletedBeforeMs)
    .where(contentIsNotNeeded)
    .orderBy('environment')
    .orderBy('idLower')
    .limit(limit)
    .execute();
}

/** Whether a content is (still) deleted, was before that time, and no release would bring it back. */
export async function isExpired(
  db: Db,
  { environment, idLower }: ContentName,
  deletedBeforeMs: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('idLower')
    .where((row) => row.and({ environment, idLower }))
    .where('deletedAt', '<', deletedBeforeMs)
    .where(contentIsNotNeeded)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many contents were deleted before a time, and their revisions. */
export async function countExpired(
  db: Db,
  deletedBeforeMs: number,
): Promise<{ readonly contents: number; readonly revisions: number }> {
  const { contents } = await db
    .selectFrom('contents')
    .select((select) => select.fn.countAll<number>().as('contents'))
    .where('deletedAt', '<', deletedBeforeMs)
    .where(contentIsNotNeeded)
    .executeTakeFirstOrThrow();
  const { revisions } = await db
    .selectFrom('contents')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.environment', '=', 'contents.environment')
        .onRef('revisions.idLower', '=', 'contents.idLower'),
    )
    .select((select) => select.fn.countAll<number>().as('revisions'))
    .where('deletedAt', '<', deletedBeforeMs)
    .where(contentIsNotNeeded)
    .executeTakeFirstOrThrow();
  return { contents: Number(contents), revisions: Number(revisions) };
}

/**
 * A page of texts with a digest after `after`, and which of them no revision uses and no import is about to.
 * @returns `last`: the digest that the next page begins after; null: this was the last
 */
export async function findUnusedTexts(
  db: Db,
  after: string,
  limit: number,
  nowMs: number,
): Promise<{ readonly unused: UnusedText[]; readonly last: string | null }> {
  const digests = await db
    .selectFrom('texts')
    .select('digest')
    .where('digest', '>', after)
    .orderBy('digest')
    .limit(limit)
    .execute();
  const last = digests.at(-1)?.digest;
  if (last === undefined) return { unused: [], last: null };
  const unused = await db
    .selectFrom('texts')
    .select('digest')
    // SQLite and PostgreSQL both know the length of bytes without reading them.
    .select(({ fn }) => fn<number>('length', ['bytes']).as('bytes'))
    .where('digest', '>', after)
    .where('digest', '<=', last)
    .where(({ and, not, exists, selectFrom }) =>
      and([
        not(
          exists(
            selectFrom('revisionLines')
              .select('revisionLines.number')
              .whereRef('revisionLines.textDigest', '=', 'texts.digest'),
          ),
        ),
        not(
          exists(
            selectFrom('revisions')
              .select('revisions.number')
              .whereRef('revisions.mapping', '=', 'texts.digest'),
          ),
        ),
        not(
          exists(
            selectFrom('stagedTexts')
              .select('stagedTexts.digest')
              .whereRef('stagedTexts.digest', '=', 'texts.digest')
              .where('stagedTexts.until', '>', nowMs),
          ),
        ),
      ]),
    )
    .execute();
  return { unused, last: digests.length < limit ? null : last };
}

/** Removes revisions with their lines, and the record of when they were live. Whether they may go was asked in the same transaction. */
export async function deleteRevisions(write: UnitOfWork, old: OldRevisions): Promise<void> {
  if (old.numbers.length === 0) return;
  await write.db
    .deleteFrom('revisions')
    .where((row) => row.and({ environment: old.environment, idLower: old.idLower }))
    .where('number', 'in', old.numbers)
    .execute();
  await forgetPublications(write, old);
}

/** Removes a content with what is left of its history. It is deleted already: delivery does not have it. */
export async function deleteContentRow(write: UnitOfWork, name: ContentName): Promise<void> {
  await write.db
    .deleteFrom('contents')
    .where((row) => row.and({ environment: name.environment, idLower: name.idLower }))
    .execute();
}

/** Removes texts. Foreign keys reject this for a text that is used. */
export async function deleteTexts(write: UnitOfWork, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return;
  await write.db.deleteFrom('texts').where('digest', 'in', digests).execute();
}
