/** Workers for the heavy work of management: limited in memory, so that no edit takes the control process down. */
import { Piscina } from 'piscina';
import type { NativeChoice } from '../../native/native-choice.js';
import { workerHeapMegabytesMax, workIdleMsMax, workMsMax, workThreads } from '../limits.js';
import type { TaskInput, TaskName, TaskResult, Work } from './tasks.js';

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

/** What a worker is started with. */
export interface WorkerChoice {
  readonly native: NativeChoice;
}

/** A task and its input, as they travel to the worker. */
export interface WorkMessage {
  readonly name: TaskName;
  readonly input: unknown;
}

export class WorkPool implements Work {
  /** Tasks under way; those beyond `workThreads` wait, so that the time of each counts from its start. */
  #busy = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #pool: Piscina;

  constructor(native: NativeChoice) {
    const workerData: WorkerChoice = { native };
    this.#pool = new Piscina({
      filename: new URL('../../management-worker.js', import.meta.url).href,
      name: 'run',
      minThreads: 0,
      maxThreads: workThreads,
      idleTimeout: workIdleMsMax,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMegabytesMax },
      workerData,
    });
  }

  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    timeMsMax: number = workMsMax,
  ): Promise<TaskResult<Name>> {
    if (this.#busy === workThreads) {
      // Whoever ends hands its place over, so nobody can come in between.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#busy++;
    }
    try {
      return await this.#runNow(name, input, timeMsMax);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy--;
      else next();
    }
  }

  async #runNow<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    timeMsMax: number,
  ): Promise<TaskResult<Name>> {
    const message: WorkMessage = { name, input };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeMsMax);
    try {
      return (await this.#pool.run(message, { signal: deadline.signal })) as TaskResult<Name>;
    } catch (error) {
      throw deadline.signal.aborted ? new WorkTooLong(timeMsMax) : new WorkFailed(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#pool.close({ force: true });
  }
}
