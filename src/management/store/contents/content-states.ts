/** Reads whole environments at once: each content with its live state and the draft above it, without texts. */

import type { Db } from '../dialect.js';
import { EventLoopYielder } from '../event-loop-yielder.js';
import type { ContentAbout } from './contents.js';
import { lineOf, type RevisionLine } from './revisions.js';

/** A revision with what a comparison of environments asks of it. */
export interface StoredState {
  readonly number: number;
  /** Ascending by version; at least one. */
  readonly lines: readonly RevisionLine[];
  /** Digest of the mapping text, or null without one. */
  readonly mapping: string | null;
  /** Saved segments that the mapping refers to. */
  readonly segments: readonly string[];
  readonly author: string;
  readonly createdAtMs: number;
  /** A sync made it: from which environment. */
  readonly syncedFrom: string | null;
}

export interface StoredContent extends ContentAbout {
  readonly idLower: string;
  readonly id: string;
  /** Number of the newest revision. */
  readonly newest: number;
  /** Its history stays when it is deleted. */
  readonly deleted: boolean;
  readonly live: StoredState | null;
  /** The newest revision where that is not the live one. */
  readonly draft: StoredState | null;
}

/** Contents per round of queries: few enough that no query holds the thread for long. */
const rowsPerPage = 500;

/** Every content of the environment by lower-case id, deleted ones too. */
export async function readContentStates(
  db: Db,
  environment: string,
): Promise<Map<string, StoredContent>> {
  const contents = new Map<string, StoredContent>();
  for await (const content of eachContentState(db, environment)) {
    contents.set(content.idLower, content);
  }
  return contents;
}

/** The same one after the other, in the order of their lower-case ids; a page of them is in memory at a time. */
export async function* eachContentState(
  db: Db,
  environment: string,
): AsyncGenerator<StoredContent> {
  const pace = new EventLoopYielder();
  for (let after = ''; ; ) {
    const page = await readPage(db, environment, after);
    for (const content of page) {
      yield content;
      await pace.step();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < rowsPerPage) return;
    after = last.idLower;
  }
}

async function readPage(db: Db, environment: string, after: string): Promise<StoredContent[]> {
  const rows = await db
    .selectFrom('contents')
    .selectAll()
    .where('environment', '=', environment)
    .where('idLower', '>', after)
    .orderBy('idLower')
    .limit(rowsPerPage)
    .execute();
  const last = rows.at(-1);
  if (last === undefined) return [];
  const states = await readStates(db, environment, after, last.idLower);
  return rows.map((row) => ({
    idLower: row.idLower,
    id: row.id,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    schema: row.schema,
    newest: row.newest,
    deleted: row.deletedAt !== null,
    live: row.live === null ? null : (states.get(stateKey(row.idLower, row.live)) ?? null),
    draft: row.live === row.newest ? null : (states.get(stateKey(row.idLower, row.newest)) ?? null),
  }));
}

/** The live and the newest states of the contents from `after` (without it) to `last`. */
async function readStates(
  db: Db,
  environment: string,
  after: string,
  last: string,
): Promise<Map<string, StoredState>> {
  // The number is live or newest: each of these tables is asked for exactly those rows.
  const revisions = await db
    .selectFrom('contents')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.environment', '=', 'contents.environment')
        .onRef('revisions.idLower', '=', 'contents.idLower')
        .on((on) =>
          on('revisions.number', 'in', [on.ref('contents.live'), on.ref('contents.newest')]),
        ),
    )
    .selectAll('revisions')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.idLower', '<=', last)
    .execute();
  const lines = await db
    .selectFrom('contents')
    .innerJoin('revisionLines', (join) =>
      join
        .onRef('revisionLines.environment', '=', 'contents.environment')
        .onRef('revisionLines.idLower', '=', 'contents.idLower')
        .on((on) =>
          on('revisionLines.number', 'in', [on.ref('contents.live'), on.ref('contents.newest')]),
        ),
    )
    .selectAll('revisionLines')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.idLower', '<=', last)
    .orderBy('revisionLines.position')
    .execute();
  const segments = await db
    .selectFrom('contents')
    .innerJoin('revisionSegments', (join) =>
      join
        .onRef('revisionSegments.environment', '=', 'contents.environment')
        .onRef('revisionSegments.idLower', '=', 'contents.idLower')
        .on((on) =>
          on('revisionSegments.number', 'in', [on.ref('contents.live'), on.ref('contents.newest')]),
        ),
    )
    .selectAll('revisionSegments')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.idLower', '<=', last)
    .orderBy('revisionSegments.segment')
    .execute();

  const states = new Map<string, StoredState & { lines: RevisionLine[]; segments: string[] }>();
  for (const row of revisions) {
    states.set(stateKey(row.idLower, row.number), {
      number: row.number,
      lines: [],
      mapping: row.mapping,
      segments: [],
      author: row.author,
      createdAtMs: row.createdAt,
      syncedFrom: row.syncedFrom,
    });
  }
  for (const row of lines) states.get(stateKey(row.idLower, row.number))?.lines.push(lineOf(row));
  for (const { idLower, number, segment } of segments) {
    states.get(stateKey(idLower, number))?.segments.push(segment);
  }
  return states;
}

function stateKey(idLower: string, number: number): string {
  return `${idLower} ${number}`;
}
