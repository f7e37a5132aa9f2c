/** Reads whole environments at once: each content with its live state and the draft above it, without texts. */

import type { Db } from '../dialect.js';
import { EventLoopYielder } from '../event-loop-yielder.js';
import { noGuards } from './content-guards.js';
import type { ContentAbout } from './contents.js';
import { guardsOfContent, liveOrNewest } from './joins.js';
import { parseFlags } from './revision-flags.js';
import { lineOf, type RevisionLine } from './revisions.js';

/** A revision with what a comparison of environments asks of it. */
export interface StoredState {
  readonly number: number;
  /** Ascending by version; at least one. */
  readonly lines: readonly RevisionLine[];
  /** Digest of the mapping text, or null without one. */
  readonly mapping: string | null;
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
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
    .leftJoin('contentGuards', guardsOfContent)
    .selectAll('contents')
    .select('contentGuards.guards')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .orderBy('contents.idLower')
    .limit(rowsPerPage)
    .execute();
  const last = rows.at(-1);
  if (last === undefined) return [];
  const states = await readStates(db, environment, after, last.idLower);
  return rows.map(({ live, tags, guards, deletedAt, ...row }) => ({
    ...{ idLower: row.idLower, id: row.id, newest: row.newest },
    ...{ description: row.description, schema: row.schema, guards: guards ?? noGuards },
    tags: JSON.parse(tags) as string[],
    deleted: deletedAt !== null,
    live: live === null ? null : (states.get(stateKey(row.idLower, live)) ?? null),
    draft: live === row.newest ? null : (states.get(stateKey(row.idLower, row.newest)) ?? null),
  }));
}

/** The live and the newest states of the contents from `after` (without it) to `last`. */
async function readStates(
  db: Db,
  environment: string,
  after: string,
  last: string,
): Promise<Map<string, StoredState>> {
  const contents = db
    .selectFrom('contents')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.idLower', '<=', last);
  const revisions = await contents
    .innerJoin('revisions', liveOrNewest('revisions'))
    .selectAll('revisions')
    .execute();
  const lines = await contents
    .innerJoin('revisionLines', liveOrNewest('revisionLines'))
    .selectAll('revisionLines')
    .orderBy('revisionLines.position')
    .execute();
  const segments = await contents
    .innerJoin('revisionSegments', liveOrNewest('revisionSegments'))
    .selectAll('revisionSegments')
    .orderBy('revisionSegments.segment')
    .execute();
  const states = new Map<string, StoredState & { lines: RevisionLine[]; segments: string[] }>();
  for (const {
    idLower,
    number,
    mapping,
    flags,
    author,
    createdAt: createdAtMs,
    syncedFrom,
  } of revisions) {
    states.set(stateKey(idLower, number), {
      ...{ number, lines: [], mapping, segments: [], author, createdAtMs, syncedFrom },
      flags: parseFlags(flags),
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
