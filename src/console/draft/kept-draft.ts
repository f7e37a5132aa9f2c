/**
 * Keeps what was typed and not yet saved in this browser tab, so that neither a reload nor a crash, nor going elsewhere in
 * the console, loses it. Only the parts that differ are kept; what is too large for the session's storage goes to a
 * database of the browser, under a name that only this tab knows.
 */
import type { ContentState, SavedContent } from './draft.js';
import { type PartName, partsOf } from './state-parts.js';

export interface KeptDraft {
  /** When it was typed, milliseconds since the epoch. */
  readonly at: number;
  /** The revision it was begun on. */
  readonly newest: number;
  /** What the revision does not tell of the saved state. */
  readonly about: Pick<SavedContent, 'description' | 'tags' | 'schema'>;
  /** The parts that differ; null: removed. */
  readonly parts: readonly (readonly [PartName, string | null])[];
}

export interface DraftPlace {
  readonly user: string;
  readonly env: string;
  readonly id: string;
}

/** Beyond, the session's storage would soon be full. */
const sessionCharsMax = 1_500_000;
/** What the session's storage has instead of a draft that is in the database: the name of its row follows. */
const inDatabase = 'in the database: ';
/** A row that nobody came back for is swept away. */
const rowsKeptMs = 7 * 86_400_000;
/** Of this page alone: a duplicated tab begins with a copy of the session's storage, and must not remove our rows. */
const page = Math.random().toString(36).slice(2);

export function keptDraftOf(base: SavedContent, state: ContentState, at: number): KeptDraft {
  const before = partsOf(base);
  const after = partsOf(state);
  const parts: (readonly [PartName, string | null])[] = [];
  for (const [name, text] of after) if (before.get(name) !== text) parts.push([name, text]);
  for (const name of before.keys()) if (!after.has(name)) parts.push([name, null]);
  const { description, tags, schema } = base;
  return { at, newest: base.newest, about: { description, tags, schema }, parts };
}

/** @returns whether it is kept; private windows and full disks may refuse */
export async function writeKept(place: DraftPlace, kept: KeptDraft): Promise<boolean> {
  const json = JSON.stringify(kept);
  const name = nameOf(place);
  const before = rowOf(getSession(name));
  if (json.length <= sessionCharsMax && setSession(name, json)) {
    await forgetRow(before);
    return true;
  }
  const row = `${dayOf(kept.at)} ${page} ${name}`;
  const put = await database((store) => {
    store.delete(IDBKeyRange.upperBound(dayOf(kept.at - rowsKeptMs)));
    return store.put(json, row);
  });
  // Named only once it is there: a page that goes away in between keeps what it had kept before.
  if (put === failed || !setSession(name, inDatabase + row)) return false;
  if (row !== before) await forgetRow(before);
  return true;
}

export async function readKept(place: DraftPlace): Promise<KeptDraft | null> {
  const held = getSession(nameOf(place));
  const row = rowOf(held);
  const json = row === null ? held : await database((store) => store.get(row));
  try {
    return typeof json === 'string' ? (JSON.parse(json) as KeptDraft) : null;
  } catch {
    return null;
  }
}

export async function removeKept(place: DraftPlace): Promise<void> {
  const name = nameOf(place);
  const held = getSession(name);
  if (held === null) return;
  sessionStorage.removeItem(name);
  await forgetRow(rowOf(held));
}

function nameOf({ user, env, id }: DraftPlace): string {
  return `loadout draft ${JSON.stringify([user, env, id.toLowerCase()])}`;
}

/** The name of the row that it stands for; null: it is a draft itself, or nothing. */
function rowOf(held: string | null): string | null {
  return held?.startsWith(inDatabase) === true ? held.slice(inDatabase.length) : null;
}

async function forgetRow(row: string | null): Promise<void> {
  if (row?.includes(` ${page} `) === true) await database((store) => store.delete(row));
}

/** Rows begin with it, so that old ones are a range. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function getSession(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function setSession(name: string, value: string): boolean {
  try {
    sessionStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

const failed = Symbol('failed');
const storeName = 'drafts';

/** @returns the result, or `failed` where the browser has no database for us */
function database(ask: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('loadout', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    opening.onerror = () => resolve(failed);
    opening.onsuccess = () => {
      const opened = opening.result;
      const transaction = opened.transaction(storeName, 'readwrite');
      const request = ask(transaction.objectStore(storeName));
      transaction.oncomplete = () => {
        opened.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        opened.close();
        resolve(failed);
      };
    };
  });
}
