/** Work that may be too heavy for the control thread: which task, how, and where it runs. */
import { heavyBytesMin } from '../limits.js';
import type { TaskInput, TaskName, TaskResult, Tasks } from '../worker/tasks.js';

/** Which queue a task waits in. */
export const WorkQueueName = { Ordinary: 'ordinary', Schema: 'schema' } as const;
export type WorkQueueName = (typeof WorkQueueName)[keyof typeof WorkQueueName];

/** Times in milliseconds. */
export interface WorkOptions {
  /** From its start, after which the worker is ended; left out: `workMsMax`. */
  readonly timeMsMax?: number | undefined;
  /** Left out: the ordinary one. */
  readonly lane?: WorkQueueName;
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
