/** Rows of contents: what an id is, which of its revisions is the newest and which is live. */
import type { Selectable } from 'kysely';
import { contentKey } from '../../../content/content-id.js';
import type { Db } from '../dialect.js';
import type { ContentsTable } from '../tables/contents.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { noGuards, saveGuards } from './content-guards.js';
import { guardsOfContent } from './joins.js';
import { recordPublications } from './publications.js';

type Times = 'createdAt' | 'updatedAt' | 'deletedAt';

export interface ContentRecord extends Readonly<Omit<ContentsTable, 'tags' | Times>> {
  readonly tags: readonly string[];
  /** JSON array of guards. */
  readonly guards: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The history of a deleted content stays. */
  readonly deletedAtMs: number | null;
}

/** What is said about a content, beside its revisions. */
export type ContentAbout = Pick<ContentRecord, 'description' | 'tags' | 'schema' | 'guards'>;

/** Matched without case; deleted ones are found too. */
export async function findContent(
  db: Db,
  environment: string,
  id: string,
): Promise<ContentRecord | null> {
  const row = await db
    .selectFrom('contents')
    .leftJoin('contentGuards', guardsOfContent)
    .selectAll('contents')
    .select('contentGuards.guards')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '=', contentKey(id))
    .executeTakeFirst();
  return row === undefined ? null : contentOf(row);
}

/**
 * By lower-case id, deleted ones too: what contents are called and what is live of them. Schemas, which may be large, are
 * not read.
 */
export async function findLive(
  db: Db,
  environment: string,
  idsLower: readonly string[],
): Promise<ReadonlyMap<string, Pick<ContentRecord, 'id' | 'live'>>> {
  if (idsLower.length === 0) return new Map();
  const rows = await db
    .selectFrom('contents')
    .select(['idLower', 'id', 'live'])
    .where('environment', '=', environment)
    .where('idLower', 'in', idsLower)
    .execute();
  return new Map(rows.map(({ idLower, id, live }) => [idLower, { id, live }]));
}

/** Lower-case ids of what is there (not deleted), with their live revisions. */
export async function listLive(
  db: Db,
  environment: string,
): Promise<{ readonly idLower: string; readonly id: string; readonly live: number }[]> {
  const rows = await db
    .selectFrom('contents')
    .select(['idLower', 'id', 'live'])
    .where('environment', '=', environment)
    .where('live', 'is not', null)
    .orderBy('idLower')
    .execute();
  return rows.map((row) => ({ idLower: row.idLower, id: row.id, live: row.live ?? 0 }));
}

/** A content without revisions yet: `newest` is 0 until the same transaction adds one. */
export async function insertContent(
  write: UnitOfWork,
  environment: string,
  id: string,
  about: ContentAbout,
): Promise<void> {
  await write.db
    .insertInto('contents')
    .values({
      environment,
      idLower: contentKey(id),
      id,
      ...aboutColumns(about),
      newest: 0,
      live: null,
      liveBefore: null,
      createdAt: write.at,
      updatedAt: write.at,
      deletedAt: null,
    })
    .execute();
  if (about.guards !== noGuards) {
    await saveGuards(write, environment, [{ idLower: contentKey(id), guards: about.guards }]);
  }
  // Until the same transaction publishes it, or a later one.
  await recordPublications(write, environment, [{ idLower: contentKey(id), live: null }]);
}

/**
 * Brings a deleted content back, or changes what is said about one that is there.
 * @param id a content that comes back takes this spelling
 */
export async function updateContent(
  write: UnitOfWork,
  environment: string,
  id: string,
  about: ContentAbout,
): Promise<void> {
  await write.db
    .updateTable('contents')
    .set({ id, ...aboutColumns(about), updatedAt: write.at, ...notDeleted })
    .where((row) => row.and({ environment, idLower: contentKey(id) }))
    .execute();
  await saveGuards(write, environment, [{ idLower: contentKey(id), guards: about.guards }]);
}

/** Sets the revision that is delivered from now on; null: none. The content is not deleted. */
export async function setLive(
  write: UnitOfWork,
  environment: string,
  idLower: string,
  live: number | null,
): Promise<void> {
  await write.db
    .updateTable('contents')
    .set({ live, updatedAt: write.at, ...notDeleted })
    .where((row) => row.and({ environment, idLower }))
    .execute();
  await markPublished(write, environment, idLower, live);
}

/** Takes the content out of delivery and listings; its revisions stay. */
export async function deleteContent(
  write: UnitOfWork,
  environment: string,
  idLower: string,
): Promise<void> {
  await write.db
    .updateTable('contents')
    .set((set) => ({
      liveBefore: set.ref('live'),
      live: null,
      updatedAt: write.at,
      deletedAt: write.at,
    }))
    .where((row) => row.and({ environment, idLower }))
    .execute();
  await markPublished(write, environment, idLower, null);
}

/** Puts back what `deleteContent` took away. */
export async function restoreContent(write: UnitOfWork, content: ContentRecord): Promise<void> {
  const { environment, idLower, liveBefore } = content;
  await setLive(write, environment, idLower, liveBefore);
}

/** From this write on, the revision is delivered; null: nothing is. */
async function markPublished(
  write: UnitOfWork,
  environment: string,
  idLower: string,
  live: number | null,
): Promise<void> {
  await recordPublications(write, environment, [{ idLower, live }]);
  write.markChanged('content', environment, idLower);
}

const notDeleted = { deletedAt: null, liveBefore: null } as const;

/** As the columns of the content hold it. Its guards are rows of their own. */
export function aboutColumns({
  description,
  tags,
  schema,
}: Omit<ContentAbout, 'guards'>): AboutColumns {
  return { description, tags: JSON.stringify(tags), schema };
}

type AboutColumns = Pick<ContentsTable, 'description' | 'tags' | 'schema'>;

function contentOf(
  row: Selectable<ContentsTable> & { readonly guards: string | null },
): ContentRecord {
  const { createdAt: createdAtMs, updatedAt: updatedAtMs, deletedAt: deletedAtMs, ...rest } = row;
  const tags = JSON.parse(row.tags) as string[];
  const guards = row.guards ?? noGuards;
  return { ...rest, tags, guards, createdAtMs, updatedAtMs, deletedAtMs };
}
