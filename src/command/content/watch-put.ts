/** Saves a content each time one of its files is edited, says how that went, and goes on until it is stopped. */

import type { ClientResponse } from '../client/admin-client.js';
import { CommandFailure } from '../terminal/failure.js';
import { printNote } from '../terminal/output.js';
import { fileChanges } from './file-changes.js';
import type { SavedOrPlanned } from './saved-content.js';

/**
 * Ends when the process is interrupted (Ctrl-C) or terminated; a save under way is finished first.
 *
 * Each save after the first is made from the revision that the one before it gave, so that a colleague's edit in between
 * is not overwritten: the server rejects the save, and the problem names who saved.
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
      // What is wrong with the text is mended in the editor; the next edit is tried again.
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
