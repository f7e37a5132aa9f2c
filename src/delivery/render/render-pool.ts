/** The pool of render workers, which can let go of published.db while another file takes its place. */
import { Piscina } from 'piscina';
import { programFolder } from '../../program-folder.js';
import { batchMsMax, poolReleaseMsMax } from '../limits.js';
import type { PoolTask, WorkerOptions } from './render-task.js';

export interface RenderPoolParts {
  readonly workers: number;
  readonly workerData: WorkerOptions;
  /** Receives what befell a worker that had no task: another takes its place. */
  readonly failed: (error: unknown) => void;
  /** The module that the workers run; a test has another one. */
  readonly module?: URL;
}

const renderWorker = new URL('render-worker.js', programFolder);

export class RenderPool {
  readonly #parts: RenderPoolParts;
  #pool: Piscina | null = null;
  #underWay = 0;
  #idle: (() => void) | null = null;
  /** Tasks that came while there was no pool. */
  #waiting: (() => void)[] = [];

  constructor(parts: RenderPoolParts) {
    this.#parts = parts;
    this.#pool = this.#start();
  }

  /** Does a task. One that takes too long is ended, together with its worker. */
  async run(task: PoolTask): Promise<unknown> {
    if (this.#pool === null) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#pool === null) throw new Error('The pool is closed.');
    this.#underWay += 1;
    try {
      return await this.#pool.run(task, { signal: AbortSignal.timeout(batchMsMax) });
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#idle?.();
    }
  }

  /** Resolves when no worker has published.db open. Tasks wait from now on, until `reopen`. */
  async release(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    if (pool === null) return;
    await this.#finished();
    await pool.destroy();
  }

  /** Starts workers again; does nothing while there are some. */
  reopen(): void {
    this.#pool ??= this.#start();
    this.#letGo();
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    this.#letGo();
    await pool?.destroy();
  }

  /** Resolves when no task is under way; those of a worker that hangs are given up. */
  #finished(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, poolReleaseMsMax);
      this.#idle = () => {
        clearTimeout(timer);
        this.#idle = null;
        resolve();
      };
    });
  }

  #letGo(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #start(): Piscina {
    const { workers, workerData, failed, module = renderWorker } = this.#parts;
    const pool = new Piscina({
      filename: module.href,
      name: 'run',
      minThreads: workers,
      maxThreads: workers,
      concurrentTasksPerWorker: 1,
      maxQueue: Number.POSITIVE_INFINITY,
      workerData,
    });
    // Without a listener the process would end of it.
    pool.on('error', failed);
    return pool;
  }
}
