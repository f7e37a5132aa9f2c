/** Listings of the contents of an environment: what is live of each, the author of its last save, and of its deletion. */
import type { ContentSummary } from '../../contract/operations/contents.js';
import { Problem } from '../../contract/problems.js';
import { contentsPerRead, deletedContentsPerRead } from '../limits/database.js';
import { shownHash } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { timePrefix } from '../store/ids.js';
import type { Store } from '../store/store.js';
import { toIso } from '../to-iso.js';

export interface Summaries {
  /** JSON of the contents, some in each, without the brackets around the list. */
  readonly pieces: readonly Buffer[];
  readonly count: number;
  /** Lower-case id of the last one. */
  readonly last: string | null;
}

/**
 * Reads and writes a listing in steps: 5,000 contents at once would block the thread for a tenth of a second. Each step is
 * a snapshot of its own, of what comes after the one before.
 */
export async function readSummaries(
  store: Store,
  env: string,
  deleted: boolean,
  after: string,
  limit: number,
): Promise<Summaries | Problem> {
  const pieces: Buffer[] = [];
  const pace = new EventLoopYielder();
  const perRead = deleted ? deletedContentsPerRead : contentsPerRead;
  let count = 0;
  let last: string | null = null;
  for (;;) {
    const rows = Math.min(perRead, limit - count);
    const page = await store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const contents = await listContents(db, env, deleted, last ?? after, rows);
      return { contents, deleters: await findDeleters(db, env, contents) };
    });
    if (page instanceof Problem) return page;
    const { contents, deleters } = page;
    if (contents.length > 0) pieces.push(summariesJson(contents, deleters));
    count += contents.length;
    last = contents.at(-1)?.idLower ?? last;
    if (contents.length < rows || count === limit) return { pieces, count, last };
    await pace.step();
  }
}

/** As JSON text: validating each against its schema would take as long as everything else. */
function summariesJson(
  contents: readonly ListedContent[],
  deleters: ReadonlyMap<string, string>,
): Buffer {
  const summaries = contents.map(({ idLower: _, deletedAtMs: __, ...content }): ContentSummary => {
    return { ...content, deletedBy: deleters.get(content.id) ?? null };
  });
  return Buffer.from(JSON.stringify(summaries).slice(1, -1));
}

/** A content in a listing, without what the audit knows. */
type ListedContent = Omit<ContentSummary, 'deletedBy'> & {
  readonly idLower: string;
  readonly deletedAtMs: number | null;
};

/**
 * By lower-case id. Schemas, which may be large, are not read.
 * @param deleted false: those that are there; true: those that are deleted
 * @param after lower-case id after which the page begins; '' for the first
 */
async function listContents(
  db: Db,
  environment: string,
  deleted: boolean,
  after: string,
  limit: number,
): Promise<ListedContent[]> {
  const rows = await selectListed(db)
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.deletedAt', deleted ? 'is not' : 'is', null)
    .orderBy('contents.idLower')
    .limit(limit)
    .execute();
  return rows.map(({ updatedAt, liveAt, deletedAt, mapping, position, syncedFrom, ...row }) => ({
    idLower: row.idLower,
    id: row.id,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    newest: row.newest,
    live: row.live,
    author: row.author,
    synced: syncedFrom === null ? null : { from: syncedFrom, revision: row.syncedRevision ?? 0 },
    hash: row.hash,
    dynamic: mapping !== null,
    lines: position + 1,
    jsonBytes: row.jsonBytes,
    updatedAt: toIso(updatedAt),
    liveSince: row.live === null ? null : toIso(liveAt),
    deletedAt: toIso(deletedAt),
    deletedAtMs: deletedAt,
  }));
}

/** Each content with its newest revision and the one that is shown (live, else newest), whose highest version line it has. */
function selectListed(db: Db) {
  return db
    .selectFrom('contents')
    .innerJoin('revisions as shown', (join) =>
      join
        .onRef('shown.environment', '=', 'contents.environment')
        .onRef('shown.idLower', '=', 'contents.idLower')
        .on((on) => {
          const { coalesce } = on.fn;
          const number = coalesce('contents.live', 'contents.liveBefore', 'contents.newest');
          return on('shown.number', '=', number);
        }),
    )
    .innerJoin('revisions as newest', (join) =>
      join
        .onRef('newest.environment', '=', 'contents.environment')
        .onRef('newest.idLower', '=', 'contents.idLower')
        .onRef('newest.number', '=', 'contents.newest'),
    )
    .innerJoin('revisionLines', (join) =>
      join
        .onRef('revisionLines.environment', '=', 'shown.environment')
        .onRef('revisionLines.idLower', '=', 'shown.idLower')
        .onRef('revisionLines.number', '=', 'shown.number'),
    )
    .where((where) =>
      where(
        'revisionLines.position',
        '=',
        where
          .selectFrom('revisionLines as highest')
          .whereRef('highest.environment', '=', 'shown.environment')
          .whereRef('highest.idLower', '=', 'shown.idLower')
          .whereRef('highest.number', '=', 'shown.number')
          .select((select) => select.fn.max('highest.position').as('position')),
      ),
    )
    .select((select) =>
      select
        .selectFrom('publications')
        .whereRef('publications.environment', '=', 'contents.environment')
        .whereRef('publications.idLower', '=', 'contents.idLower')
        .select((of) => of.fn.max('publications.at').as('at'))
        .as('liveAt'),
    )
    .select(['contents.idLower', 'contents.id', 'contents.description', 'contents.tags'])
    .select(['contents.newest', 'contents.live', 'contents.updatedAt', 'contents.deletedAt'])
    .select(['revisionLines.jsonBytes', 'revisionLines.position', shownHash])
    .select(['shown.mapping', 'newest.author', 'newest.syncedFrom', 'newest.syncedRevision']);
}

/**
 * Names of the users that deleted contents, as far as the audit reaches back. Its ids begin with the time, and a deletion
 * has the very time that the content was deleted at: each is found without a search.
 */
async function findDeleters(
  db: Db,
  environment: string,
  contents: readonly Pick<ListedContent, 'id' | 'deletedAtMs'>[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const byTime = new Map<number, Awaited<ReturnType<typeof deletionsAt>>>();
  for (const { id, deletedAtMs } of contents) {
    if (deletedAtMs === null) continue;
    // An import deletes many at once, and so does a release.
    const rows = byTime.get(deletedAtMs) ?? (await deletionsAt(db, environment, deletedAtMs));
    byTime.set(deletedAtMs, rows);
    const row =
      rows.find(({ action, name }) => action === 'content.delete' && name === id) ??
      rows.find(({ action }) => action !== 'content.delete');
    if (row !== undefined) found.set(id, row.userName);
  }
  return found;
}

async function deletionsAt(
  db: Db,
  environment: string,
  atMs: number,
): Promise<{ readonly action: string; readonly name: string; readonly userName: string }[]> {
  return db
    .selectFrom('audit')
    .select(['action', 'name', 'userName'])
    .where('id', '>=', timePrefix(atMs))
    .where('id', '<', timePrefix(atMs + 1))
    .where('environment', '=', environment)
    .where('action', 'in', ['content.delete', 'environment.import', 'release.live'])
    .execute();
}
