/** Workers with a queue of their own: so many tasks at a time, so many that wait, each with its own time. */
import { Piscina } from 'piscina';
import type { NativeChoice } from '../../native/native-choice.js';
import { programFolder } from '../../program-folder.js';
import { workerHeapMegabytesMax, workIdleMsMax } from '../limits/work.js';
import type { TaskInput, TaskName, TaskResult } from '../worker/tasks.js';
import { WorkFailed, WorkOverloaded, WorkTooLong } from './work.js';

/** What a worker is started with. */
export interface WorkerChoice {
  readonly native: NativeChoice;
}

/** A task and its input, as they travel to the worker. */
export interface WorkMessage {
  readonly name: TaskName;
  readonly input: unknown;
}

export interface WorkQueueOptions {
  readonly native: NativeChoice;
  /** Receives what happened to a worker that had no task. */
  readonly failed: (error: unknown) => void;
  readonly threads: number;
  /** Tasks that may wait for a worker. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** Tasks under way; those beyond the workers wait, so that the time of each counts from its start. */
  #busy = 0;
  readonly #waiting = new Set<() => void>();
  #closed: Promise<void> | null = null;
  readonly #pool: Piscina;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    const workerData: WorkerChoice = { native: options.native };
    this.#pool = new Piscina({
      filename: new URL('management-worker.js', programFolder).href,
      name: 'run',
      minThreads: 0,
      maxThreads: options.threads,
      idleTimeout: workIdleMsMax,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMegabytesMax },
      workerData,
    });
    // Without a listener the process would end of it.
    this.#pool.on('error', options.failed);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws WorkFailed, WorkTooLong, WorkOverloaded */
  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    timeMsMax: number,
    waitMsMax: number = this.#options.waitMsMax,
  ): Promise<TaskResult<Name>> {
    await this.#start(waitMsMax);
    try {
      if (this.#closed !== null) throw new WorkOverloaded();
      return await this.#runNow(name, input, timeMsMax);
    } finally {
      // A task that ends hands its place over, so that no other can take it.
      const [next] = this.#waiting;
      if (next === undefined) this.#busy--;
      else next();
    }
  }

  /** Resolves when a worker is free for it. */
  #start(waitMsMax: number): Promise<void> {
    if (this.#busy < this.#options.threads) {
      this.#busy++;
      return Promise.resolve();
    }
    if (waitMsMax === 0 || this.#waiting.size >= this.#options.waitingMax) {
      return Promise.reject(new WorkOverloaded());
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(begin);
        reject(new WorkOverloaded());
      };
      const timer = Number.isFinite(waitMsMax) ? setTimeout(giveUp, waitMsMax) : undefined;
      this.#waiting.add(begin);
    });
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
      if (this.#closed !== null) throw new WorkOverloaded();
      throw deadline.signal.aborted ? new WorkTooLong(timeMsMax) : new WorkFailed(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the tasks under way; they, and those that wait, are rejected as those of a busy server are. */
  close(): Promise<void> {
    // Not `close`, which waits for a worker whose task is ended meanwhile.
    this.#closed ??= this.#pool.destroy();
    for (const begin of [...this.#waiting]) begin();
    return this.#closed;
  }
}
