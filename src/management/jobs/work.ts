/** Work that may be too heavy for the control thread: which task, how, and where it runs. */
import { heavyBytesMin, workerHeapMegabytesMax } from '../limits/work.js';
import type { TaskInput, TaskName, TaskResult, Tasks } from '../worker/tasks.js';

/** Which queue a task waits in. */
export const WorkQueueName = { Ordinary: 'ordinary', Schema: 'schema' } as const;
export type WorkQueueName = (typeof WorkQueueName)[keyof typeof WorkQueueName];

/** Times in milliseconds. */
export interface WorkOptions {
  /** From its start, after which the worker is ended; left out: `workMsMax`. */
  readonly timeMsMax?: number | undefined;
  /** Left out: the ordinary one. */
  readonly queue?: WorkQueueName;
  /** 0: it must start at once. Left out: as the queue has it. */
  readonly waitMsMax?: number | undefined;
}

/** Runs tasks: in workers (work-pool.ts), or at once where a test wants it. */
export interface Work {
  /** The tasks themselves, for those that are done at once. */
  readonly tasks: Tasks;
  /**
   * @throws WorkFailed when the worker ended before it had done it: its memory is limited
   * @throws WorkTooLong, WorkOverloaded
   */
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    options?: WorkOptions,
  ): Promise<TaskResult<Name>>;
}

/**
 * Runs a small task at once, and a heavy one in a worker.
 * @param weightBytes what the task goes through
 * @throws WorkFailed, WorkTooLong
 */
export async function doWork<Name extends TaskName>(
  work: Work,
  name: Name,
  input: TaskInput<Name>,
  weightBytes: number,
  options: WorkOptions = {},
): Promise<TaskResult<Name>> {
  if (weightBytes >= heavyBytesMin) return work.run(name, input, options);
  const task = work.tasks[name] as (input: TaskInput<Name>) => TaskResult<Name>;
  return task(input);
}

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
