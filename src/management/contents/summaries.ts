/** The listing of an environment's contents, as JSON text. */
import type { ContentSummary } from '../../contract/operations/contents.js';
import { Problem } from '../../contract/problems.js';
import { contentsPerRead, deletedContentsPerRead } from '../limits.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { Store } from '../store/store.js';
import { toIso } from '../to-iso.js';
import { findDeleters, type ListedContent, listContents } from './list-rows.js';

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
  list: {
    readonly env: string;
    readonly deleted: boolean;
    readonly after: string;
    readonly limit: number;
  },
): Promise<Summaries | Problem> {
  const { env, deleted, limit } = list;
  const pieces: Buffer[] = [];
  const pace = new EventLoopYielder();
  const perRead = deleted ? deletedContentsPerRead : contentsPerRead;
  let count = 0;
  let last: string | null = null;
  for (;;) {
    const rows = Math.min(perRead, limit - count);
    const page = await store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const contents = await listContents(db, env, deleted, last ?? list.after, rows);
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

/** Written at once: validating each against its schema takes as long as all the rest of the writing. */
function summariesJson(
  contents: readonly ListedContent[],
  deleters: ReadonlyMap<string, string>,
): Buffer {
  const summaries = contents.map(
    (content): ContentSummary => ({
      id: content.id,
      description: content.description,
      tags: content.tags,
      newest: content.newest,
      live: content.live,
      author: content.author,
      synced: content.synced,
      hash: content.hash,
      dynamic: content.dynamic,
      lines: content.lines,
      jsonBytes: content.jsonBytes,
      updatedAt: toIso(content.updatedAtMs),
      deletedAt: toIso(content.deletedAtMs),
      deletedBy: deleters.get(content.id) ?? null,
    }),
  );
  return Buffer.from(JSON.stringify(summaries).slice(1, -1));
}
