/** What may become of a task besides its result. */
import { workerHeapMegabytesMax } from '../limits.js';

/** The worker ended before its task was done, or the task threw. */
export class WorkFailed extends Error {
  readonly code = 'work_failed';
  /** It needed more memory than a worker may have: the input is too large, and the server is sound. */
  readonly isMemory: boolean;

  constructor(cause: unknown) {
    const isMemory = cause instanceof Error && 'code' in cause && cause.code === outOfMemory;
    const message = isMemory
      ? `The work needs more memory than the ${workerHeapMegabytesMax} MiB that it may have.`
      : 'A worker failed at its task.';
    super(message, { cause });
    this.name = 'WorkFailed';
    this.isMemory = isMemory;
  }
}

const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';

/** The task did not end in its time, so its worker was ended. */
export class WorkTooLong extends Error {
  readonly code = 'work_too_long';

  constructor(timeMsMax: number) {
    super(`The work takes longer than the ${timeMsMax / 1000} s that it may.`);
    this.name = 'WorkTooLong';
  }
}

/** Too many tasks of its kind wait for a worker, or it waited too long. */
export class WorkOverloaded extends Error {
  readonly code = 'work_overloaded';

  constructor() {
    super('Too many checks are under way.');
    this.name = 'WorkOverloaded';
  }
}
