/** Copies a store in a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFolder } from '../../program-folder.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { isDiskError, StoreUnavailable } from '../store/store-errors.js';

export interface BackupThreadData {
  /** The embedded store's file, or the database that servers share. */
  readonly from: string | DatabaseUrl;
  readonly to: string;
}

/** What the thread says before it ends. SQLite's errors lose their message on the way to another thread. */
export type BackupThreadResult =
  | { readonly done: true }
  | { readonly done: false; readonly code: string; readonly message: string };

/** The copy failed, and not for want of room. */
export class BackupFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`The store could not be copied: ${message}`);
    this.name = 'BackupFailed';
    this.code = code;
  }
}

/**
 * As `copyStore` or `copyDatabase`, beside the event loop.
 * @throws StoreUnavailable when the disk is full or fails, or the database is away; BackupFailed
 */
export async function copyStoreInThread(from: BackupThreadData['from'], to: string): Promise<void> {
  const workerData: BackupThreadData = { from, to };
  const worker = new Worker(new URL('backup-thread.js', programFolder), { workerData });
  const [[message]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  const result = message as BackupThreadResult;
  if (result.done) return;
  const failed = new BackupFailed(result.code, result.message);
  if (result.code === 'store_unavailable') throw new StoreUnavailable(failed, result.message);
  throw isDiskError(failed) ? new StoreUnavailable(failed) : failed;
}
