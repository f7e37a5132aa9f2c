/** Saves a content each time one of its files is edited, until it is stopped. */

import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientResponse } from '../client/admin-client.js';
import { CommandFailure, reasonOf } from '../terminal/failure.js';
import { settleMs } from '../terminal/limits.js';
import { printNote } from '../terminal/output.js';
import type { SavedOrPlanned } from './saved-content.js';

/**
 * Ends when the process is interrupted (Ctrl-C) or terminated; a save under way is finished first.
 *
 * Each save after the first is based on the revision of the save before it. A colleague's edit in between is therefore not
 * overwritten: the server rejects the save, and the problem names the author.
 * @param put reads the files and saves them
 */
export async function watchPut(
  files: readonly string[],
  dryRun: boolean,
  put: (ifRevision: number | undefined) => Promise<ClientResponse<SavedOrPlanned>>,
  show: (response: ClientResponse<SavedOrPlanned>) => void,
): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  let revision: number | undefined;
  const save = async (): Promise<void> => {
    try {
      const response = await put(revision);
      if (!dryRun) revision = response.value.revision;
      show(response);
    } catch (error) {
      // The text is corrected in the editor; the next edit is tried again.
      if (!(error instanceof CommandFailure)) throw error;
      printNote(`error: ${error.message}`);
    }
  };
  try {
    const changes = fileChanges(files, ended.signal);
    await save();
    printNote(`Watching ${files.join(', ')}; Ctrl-C ends it.`);
    for await (const _ of changes) await save();
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/**
 * Yields after each edit that changes what the files hold. Watches from the call on, so that no edit between it and
 * the first `next` is missed.
 * @throws CommandFailure when a folder cannot be watched
 */
function fileChanges(files: readonly string[], signal: AbortSignal): AsyncGenerator<void, void> {
  const changed = new Changed(signal);
  const watchers = watchFolders(files, () => changed.note());
  return eachChange(files, changed, watchers, readAll(files));
}

async function* eachChange(
  files: readonly string[],
  changed: Changed,
  watchers: readonly FSWatcher[],
  first: string,
): AsyncGenerator<void, void> {
  let known = first;
  try {
    while (await changed.next()) {
      // An editor truncates, writes, renames: what counts is what is there when it is done.
      await delay(settleMs);
      changed.forget();
      const now = readAll(files);
      if (now === known) continue;
      known = now;
      yield;
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Watches the folders, not the files: a replaced file is a different one, of which a watcher gets no events. */
function watchFolders(files: readonly string[], note: () => void): FSWatcher[] {
  const paths = files.map((file) => resolve(file));
  return [...new Set(paths.map((path) => dirname(path)))].map((folder) => {
    const names = new Set(
      paths.filter((path) => dirname(path) === folder).map((path) => basename(path)),
    );
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name === null || names.has(name)) note();
      });
      // The folder went away; what the files hold is looked at, and says so.
      return watcher.on('error', note);
    } catch (error) {
      throw new CommandFailure(`${folder} cannot be watched: ${reasonOf(error)}.`);
    }
  });
}

/** What the files hold; one that cannot be read holds nothing for the moment. */
function readAll(files: readonly string[]): string {
  return files.map(readOne).join('\0');
}

function readOne(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** A flag that can be waited for. */
class Changed {
  readonly #signal: AbortSignal;
  #isNoted = false;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  note(): void {
    this.#isNoted = true;
    this.#wake?.();
  }

  forget(): void {
    this.#isNoted = false;
  }

  /** Waits until something is noted; false: the signal came first. */
  async next(): Promise<boolean> {
    if (!this.#isNoted && !this.#signal.aborted) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    return !this.#signal.aborted;
  }
}
