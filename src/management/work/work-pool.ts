/** Workers for the heavy work of management: limited in memory, so that no edit takes the control process down. */
import { Piscina } from 'piscina';
import { workerHeapMegabytesMax, workIdleMsMax, workThreads } from '../limits.js';
import type { TaskInput, TaskName, TaskResult, Work } from './tasks.js';

/** The worker ended before its task was done: it needed more memory than it may have, or has a fault. */
export class WorkFailed extends Error {
  readonly code = 'work_failed';

  constructor(cause: unknown) {
    super('The work needs more memory than a worker may have, or the worker has a fault.', {
      cause,
    });
    this.name = 'WorkFailed';
  }
}

/** A task and its input, as they travel to the worker. */
export interface WorkMessage {
  readonly name: TaskName;
  readonly input: unknown;
}

export class WorkPool implements Work {
  readonly #pool = new Piscina({
    filename: new URL('../../management-worker.js', import.meta.url).href,
    name: 'run',
    minThreads: 0,
    maxThreads: workThreads,
    idleTimeout: workIdleMsMax,
    concurrentTasksPerWorker: 1,
    resourceLimits: { maxOldGenerationSizeMb: workerHeapMegabytesMax },
  });

  async run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<TaskResult<Name>> {
    const message: WorkMessage = { name, input };
    try {
      return (await this.#pool.run(message)) as TaskResult<Name>;
    } catch (error) {
      throw new WorkFailed(error);
    }
  }

  async close(): Promise<void> {
    await this.#pool.close({ force: true });
  }
}
