/** Why events could not be stored, as far as an operator can do something about it. */
import type { JobFailure } from '../process-messages.js';

export class StorageFailed extends Error {
  readonly code = 'storage_failed';
  readonly reason: JobFailure['reason'];
  readonly retrySeconds: number | null;
  /** What was to be stored may be the reason: without it, the rest could go on. */
  readonly mayBeBatch: boolean;

  constructor(
    reason: JobFailure['reason'],
    message: string,
    options: ErrorOptions & {
      readonly retrySeconds?: number | null;
      readonly mayBeBatch?: boolean;
    } = {},
  ) {
    super(message, options);
    this.name = 'StorageFailed';
    this.reason = reason;
    this.retrySeconds = options.retrySeconds ?? null;
    this.mayBeBatch = reason === 'failed' && options.mayBeBatch === true;
  }
}

/** Of Node, of DuckDB and of PostgreSQL. */
const noRoom = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|disk full/i;

/** What was thrown on the way, whatever it is. */
export function storageFailureOf(error: unknown): StorageFailed {
  if (error instanceof StorageFailed) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StorageFailed(noRoom.test(message) ? 'disk_full' : 'failed', message, {
    cause: error,
    mayBeBatch: !isOfDisk(error, message),
  });
}

/** A folder that cannot be written, or a disk that fails; an event file that cannot be read is another matter. */
function isOfDisk(error: unknown, message: string): boolean {
  const { errno, syscall } = error as NodeJS.ErrnoException;
  return (errno !== undefined && syscall !== 'read') || message.startsWith('IO Error');
}
