/** Puts contents into a store without authoring: for tests of what becomes of rows that are there. */
import { digestOf } from '../../../../src/content/hash.js';
import { insertContent, setLive } from '../../../../src/management/store/contents/contents.js';
import {
  insertRevision,
  type LineDraft,
} from '../../../../src/management/store/contents/revisions.js';
import { saveContents } from '../../../../src/management/store/contents/save-contents.js';
import { putTexts } from '../../../../src/management/store/contents/texts.js';
import { insertEnvironment } from '../../../../src/management/store/environments.js';
import type { Store } from '../../../../src/management/store/store.js';
import type { UnitOfWork } from '../../../../src/management/store/unit-of-work.js';
import { tester } from '../harness.js';

export async function makeDev(store: Store): Promise<void> {
  await store.write(tester, (write) =>
    insertEnvironment(write, { id: 'dev', name: 'dev', protected: false }),
  );
}

/** A live revision with this text after `newest`; 0 makes the content. */
export async function saveRow(
  write: UnitOfWork,
  id: string,
  text: string,
  newest: number,
  live = true,
): Promise<number> {
  if (newest === 0) {
    await insertContent(write, 'dev', id, {
      description: '',
      tags: [],
      schema: null,
      guards: '[]',
    });
  }
  const bytes = Buffer.from(text);
  const line = lineOf(bytes);
  const number = await insertRevision(write, 'dev', id, newest, {
    lines: [line],
    mapping: null,
    flags: [],
    segments: [],
    note: '',
    texts: new Map([[line.textDigest, bytes]]),
  });
  if (live) await setLive(write, 'dev', id, number);
  return number;
}

/** Contents in few statements: by id, the texts of their revisions, the last of which is live. */
export async function saveRows(
  write: UnitOfWork,
  contents: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const texts = new Map<string, Uint8Array>();
  const revisionOf = (text: string, index: number) => {
    const bytes = Buffer.from(text);
    const line = lineOf(bytes);
    texts.set(line.textDigest, bytes);
    const none = { mapping: null, flags: [], segments: [], note: '', synced: null };
    return { number: index + 1, lines: [line], ...none };
  };
  const about = { description: '', tags: [], schema: null, guards: '[]' };
  const rows = [...contents].map(([id, all]) => {
    const numbers = { newest: all.length, live: all.length };
    return { idLower: id, id, about, ...numbers, revisions: all.map(revisionOf), delivered: true };
  });
  await putTexts(write, texts);
  await saveContents(write, 'dev', rows);
}

function lineOf(bytes: Uint8Array): LineDraft {
  const digest = digestOf(bytes);
  return {
    version: '0.0.0',
    textDigest: digest,
    textBytes: bytes.length,
    jsonDigest: digest,
    jsonHash: '0'.repeat(16),
    jsonBytes: bytes.length,
  };
}

/** A content whose revisions have these texts, in order; the last is live. */
export async function makeContent(
  store: Store,
  id: string,
  texts: readonly string[],
): Promise<void> {
  await store.write(tester, (write) => saveRows(write, new Map([[id, texts]])));
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
