/** Copies a store in a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BackupThreadData, BackupThreadResult } from './backup-thread.js';
import { isDiskFault, StoreUnavailable } from './store.js';

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
 * As `copyStore`, beside the event loop.
 * @throws StoreUnavailable when the disk is full or fails, BackupFailed
 */
export async function copyStoreInThread(from: string, to: string): Promise<void> {
  const workerData: BackupThreadData = { from, to };
  const worker = new Worker(new URL('./backup-thread.js', import.meta.url), { workerData });
  const [[message]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  const result = message as BackupThreadResult;
  if (result.done) return;
  const failed = new BackupFailed(result.code, result.message);
  throw isDiskFault(failed) ? new StoreUnavailable(failed) : failed;
}
