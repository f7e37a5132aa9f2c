/** Puts contents into a store without authoring: for tests of what becomes of rows that are there. */
import { digestOf } from '../../../src/content/hash.js';
import { insertContent, setLive } from '../../../src/management/store/contents.js';
import { insertEnvironment } from '../../../src/management/store/environments.js';
import { insertRevision } from '../../../src/management/store/revisions.js';
import type { Store } from '../../../src/management/store/store.js';
import type { Write } from '../../../src/management/store/write.js';
import { tester } from './harness.js';

export async function makeDev(store: Store): Promise<void> {
  await store.write(tester, (write) =>
    insertEnvironment(write, { id: 'dev', name: 'dev', protected: false }),
  );
}

/** A live revision with this text after `newest`; 0 makes the content. */
export async function saveRow(
  write: Write,
  id: string,
  text: string,
  newest: number,
  live = true,
): Promise<number> {
  if (newest === 0) {
    await insertContent(write, 'dev', id, { description: '', tags: [], schema: null });
  }
  const bytes = Buffer.from(text);
  const digest = digestOf(bytes);
  const line = {
    version: '0.0.0',
    textDigest: digest,
    textBytes: bytes.length,
    jsonDigest: digest,
    hash: '0'.repeat(16),
    jsonBytes: bytes.length,
  };
  const number = await insertRevision(write, 'dev', id, newest, {
    lines: [line],
    mapping: null,
    segments: [],
    note: '',
    texts: new Map([[digest, bytes]]),
  });
  if (live) await setLive(write, 'dev', id, number);
  return number;
}

/** A content whose revisions have these texts, in order; the last is live. */
export async function makeContent(
  store: Store,
  id: string,
  texts: readonly string[],
): Promise<void> {
  await store.write(tester, async (write) => {
    for (const [newest, text] of texts.entries()) await saveRow(write, id, text, newest);
  });
}

/** Numbers of the revisions that are there. */
export async function numbersOf(store: Store, id: string): Promise<number[]> {
  const rows = await store.read((db) =>
    db
      .selectFrom('revisions')
      .select('number')
      .where('idLower', '=', id)
      .orderBy('number')
      .execute(),
  );
  return rows.map((row) => row.number);
}

/** All stored texts, sorted. */
export async function textsOf(store: Store): Promise<string[]> {
  const rows = await store.read((db) => db.selectFrom('texts').select('bytes').execute());
  return rows.map((row) => Buffer.from(row.bytes).toString()).sort();
}
