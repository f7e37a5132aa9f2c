/** Reads which contents carry a mapping, and which one, of what is live or newest. */

import { findEnvironment } from '../environments.js';
import { EventLoopYielder } from '../event-loop-yielder.js';
import type { Store } from '../store.js';
import { ofRevision } from './joins.js';

export interface MappedRevision {
  /** Content id as it was created. */
  readonly id: string;
  readonly revision: number;
  /** It is the live one. */
  readonly live: boolean;
  /** Digest of its mapping. */
  readonly mapping: string;
}

/** Contents that one query looks at: some milliseconds. */
const rowsPerRead = 1_000;

/**
 * By lower-case id; deleted contents are not there. Null: there is no such environment. Read in several snapshots, so
 * that an environment of 10,000 contents blocks no other work.
 */
export async function listMappedRevisions(
  store: Store,
  environment: string,
  which: 'live' | 'newest',
): Promise<MappedRevision[] | null> {
  const found: MappedRevision[] = [];
  const pace = new EventLoopYielder();
  for (let after = ''; ; ) {
    const rows = await readPage(store, environment, which, after);
    if (rows === null) return null;
    for (const { id, number, live, mapping } of rows) {
      if (mapping !== null) found.push({ id, revision: number, live: number === live, mapping });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRead) return found;
    after = last.idLower;
    await pace.step();
  }
}

interface Row {
  readonly idLower: string;
  readonly id: string;
  readonly live: number | null;
  readonly number: number;
  readonly mapping: string | null;
}

function readPage(
  store: Store,
  environment: string,
  which: 'live' | 'newest',
  after: string,
): Promise<Row[] | null> {
  return store.read(async (db) => {
    if ((await findEnvironment(db, environment)) === null) return null;
    return db
      .selectFrom('contents')
      .innerJoin('revisions', ofRevision('revisions', 'contents', which))
      .select(['contents.idLower', 'contents.id', 'contents.live'])
      .select(['revisions.number', 'revisions.mapping'])
      .where('contents.environment', '=', environment)
      .where('contents.idLower', '>', after)
      .where('contents.deletedAt', 'is', null)
      .orderBy('contents.idLower')
      .limit(rowsPerRead)
      .execute();
  });
}
