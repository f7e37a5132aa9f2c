/** Drafts of an environment: contents and segments whose newest revision is not live. */
import { sql } from 'kysely';
import type { Db } from '../dialect.js';
import { ofRevision } from './joins.js';

export interface DraftRevision {
  readonly kind: 'content' | 'segment';
  /** Id of the content as it was created, or name of the segment. */
  readonly name: string;
  readonly revision: number;
  /** Null: nothing of it is live. */
  readonly live: number | null;
  readonly author: string;
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface FoundDrafts {
  readonly total: number;
  /** Of the author that was asked for. */
  readonly ofAuthor: number;
  /** Those of that author first, then the newest. */
  readonly list: readonly DraftRevision[];
}

/** @param author name of the user whose drafts come first */
export async function findDrafts(
  db: Db,
  environment: string,
  author: string,
  limit: number,
): Promise<FoundDrafts> {
  const drafts = selectDrafts(db, environment).as('drafts');
  const isOther = sql<number>`case when author = ${author} then 0 else 1 end`;
  const counts = await db
    .selectFrom(drafts)
    .select((select) => select.fn.countAll<number>().as('total'))
    .select((select) => select.fn.sum<number | null>(isOther).as('others'))
    .executeTakeFirstOrThrow();
  const list = await db
    .selectFrom(drafts)
    .selectAll()
    .orderBy(isOther)
    .orderBy('createdAt', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();
  const total = Number(counts.total);
  return { total, ofAuthor: total - Number(counts.others ?? 0), list };
}

function selectDrafts(db: Db, environment: string) {
  return db
    .selectFrom('contents')
    .innerJoin('revisions', ofRevision('revisions', 'contents', 'newest'))
    .where('contents.environment', '=', environment)
    .where('contents.deletedAt', 'is', null)
    .where((where) =>
      where.or([
        where('contents.live', 'is', null),
        where('contents.live', '!=', where.ref('contents.newest')),
      ]),
    )
    .select(sql.lit('content').$castTo<DraftRevision['kind']>().as('kind'))
    .select(['contents.id as name', 'revisions.number as revision', 'contents.live'])
    .select(['revisions.author', 'revisions.note', 'revisions.createdAt'])
    .unionAll(selectSegmentDrafts(db, environment));
}

/** Of what was deleted, the last entry of its record says which revisions were there then. */
function selectSegmentDrafts(db: Db, environment: string) {
  return db
    .selectFrom('segmentRevisions as drafts')
    .leftJoin('segments', (join) =>
      join
        .onRef('segments.environment', '=', 'drafts.environment')
        .onRef('segments.name', '=', 'drafts.name'),
    )
    .where('drafts.environment', '=', environment)
    .where((where) =>
      where(
        'drafts.number',
        '=',
        where
          .selectFrom('segmentRevisions as newest')
          .whereRef('newest.environment', '=', 'drafts.environment')
          .whereRef('newest.name', '=', 'drafts.name')
          .select((select) => select.fn.max('newest.number').as('number')),
      ),
    )
    .where((where) => {
      const deleted = where
        .selectFrom('segmentPublications as last')
        .whereRef('last.environment', '=', 'drafts.environment')
        .whereRef('last.name', '=', 'drafts.name')
        .orderBy('last.at', 'desc')
        .limit(1)
        .select('last.newest');
      return where('drafts.number', '>', where.fn.coalesce('segments.revision', deleted));
    })
    .select(sql.lit('segment').$castTo<DraftRevision['kind']>().as('kind'))
    .select(['drafts.name', 'drafts.number as revision', 'segments.revision as live'])
    .select(['drafts.author', 'drafts.note', 'drafts.createdAt']);
}
