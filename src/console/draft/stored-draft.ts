/**
 * Stores the unsaved edits of this browser tab, so that they survive a reload, a crash and a visit to another screen. Only the
 * parts that differ are stored. What is too large for the session storage goes to IndexedDB, under a key that only this tab
 * knows.
 */
import { createStore, del, get, promisifyRequest } from 'idb-keyval';
import type { SavedContent } from './draft.js';
import type { changesOf } from './state-parts.js';

export interface StoredDraft {
  /** When it was typed, milliseconds since the epoch. */
  readonly at: number;
  /** The revision that it builds on. */
  readonly newest: number;
  /** The saved details, which are not part of a revision. */
  readonly about: Pick<SavedContent, 'description' | 'tags' | 'schema' | 'guards'>;
  readonly parts: ReturnType<typeof changesOf>;
  /** What an earlier visit left, with its own time; absent: nothing. */
  readonly earlier?: Pick<StoredDraft, 'at' | 'parts'>;
}

export interface DraftPlace {
  readonly user: string;
  readonly env: string;
  readonly id: string;
}

/** Of the session entries of drafts; user, environment and id follow as JSON. */
const namePrefix = 'loadout draft ';
/** Larger drafts would soon fill the session storage. */
const sessionCharsMax = 1_500_000;
/** Prefix of the session entry of a draft in IndexedDB; its key follows. */
const inDatabase = 'in the database: ';
/** Abandoned drafts are deleted from IndexedDB after a week. */
const databaseMs = 7 * 86_400_000;
/** A duplicated tab starts with a copy of the session storage and must not delete the drafts of the first. */
const page = Math.random().toString(36).slice(2);

const database = createStore('loadout', 'drafts');

/** @returns whether it is stored; private windows and full disks may reject it */
export async function writeStored(place: DraftPlace, draft: StoredDraft): Promise<boolean> {
  try {
    const json = JSON.stringify(draft);
    const name = nameOf(place);
    const before = databaseKeyOf(sessionStorage.getItem(name));
    if (json.length <= sessionCharsMax && setSession(name, json)) {
      await forget(before);
      return true;
    }
    const key = `${dayOf(draft.at)} ${page} ${name}`;
    await database('readwrite', (store) => {
      store.delete(IDBKeyRange.upperBound(dayOf(draft.at - databaseMs)));
      store.put(json, key);
      return promisifyRequest(store.transaction);
    });
    // The session names it only once it exists: a page closed in between keeps its previous draft.
    sessionStorage.setItem(name, inDatabase + key);
    if (key !== before) await forget(before);
    return true;
  } catch {
    return false;
  }
}

export async function readStored(place: DraftPlace): Promise<StoredDraft | null> {
  try {
    const entry = sessionStorage.getItem(nameOf(place));
    const key = databaseKeyOf(entry);
    const json = key === null ? entry : await get<string>(key, database);
    return typeof json === 'string' ? (JSON.parse(json) as StoredDraft) : null;
  } catch {
    return null;
  }
}

export async function removeStored(place: DraftPlace): Promise<void> {
  try {
    const name = nameOf(place);
    const entry = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    await forget(databaseKeyOf(entry));
  } catch {
    // Nothing could be stored either.
  }
}

function nameOf({ user, env, id }: DraftPlace): string {
  return `${namePrefix}${JSON.stringify([user, env, id.toLowerCase()])}`;
}

/** Null: the session entry is a draft itself, or there is none. */
function databaseKeyOf(entry: string | null): string | null {
  return entry?.startsWith(inDatabase) === true ? entry.slice(inDatabase.length) : null;
}

async function forget(key: string | null): Promise<void> {
  if (key?.includes(` ${page} `) === true) await del(key, database);
}

/** Keys start with the day, so that old ones form a range. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** @returns whether there was room */
function setSession(name: string, value: string): boolean {
  try {
    sessionStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Unsaved edits of one content item in this tab. */
export interface UnsavedEdit {
  /** Id of the content item, in lower case. */
  readonly id: string;
  /** When it was typed, milliseconds since the epoch; of a large one, the day. */
  readonly at: number;
}

/** Those of a user in an environment, the oldest first. */
export function listStored(user: string, env: string): UnsavedEdit[] {
  const found: UnsavedEdit[] = [];
  try {
    for (const name of Object.keys(sessionStorage)) {
      const id = idOf(name, user, env);
      const at = id === null ? null : timeOf(sessionStorage.getItem(name) ?? '');
      if (id !== null && at !== null) found.push({ id, at });
    }
  } catch {
    // Nothing can be stored where storage is switched off.
  }
  return found.sort((one, other) => one.at - other.at);
}

/** Lower-case ids of the content items with unsaved edits. */
export function storedDraftIds(user: string, env: string): ReadonlySet<string> {
  return new Set(listStored(user, env).map(({ id }) => id));
}

/** Null: the entry is no draft, or another user's, or of another environment. */
function idOf(name: string, user: string, env: string): string | null {
  if (!name.startsWith(namePrefix)) return null;
  const [ofUser, ofEnv, id] = JSON.parse(name.slice(namePrefix.length)) as string[];
  return ofUser === user && ofEnv === env && id !== undefined ? id : null;
}

/** Large drafts are not parsed for it. */
function timeOf(entry: string): number | null {
  const key = databaseKeyOf(entry);
  const at = key === null ? Number(timeOfDraft.exec(entry)?.[1]) : Date.parse(key.slice(0, 10));
  return Number.isFinite(at) ? at : null;
}

/** `at` is written first. */
const timeOfDraft = /^\{"at":(\d+)/;
