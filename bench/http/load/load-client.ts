/** One load generator, from outside: a process that is given a plan and runs it. */
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { heard, loadCores, startNode, stop } from '../../measure/child.js';
import type { FromLoad, LoadPlan, LoadResult, ToLoad } from './load-plan.js';

export class LoadProcess {
  readonly #child: ChildProcess;

  constructor(core: number = loadCores()[0]!) {
    const script = resolve(import.meta.dirname, 'load-process.js');
    this.#child = startNode(script, [], { core });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async plan(plan: LoadPlan): Promise<void> {
    this.#tell({ type: 'plan', plan });
    await this.#hear(30_000, (message) => (message.type === 'ready' ? true : undefined));
  }

  run(seconds: number): Promise<LoadResult> {
    this.#tell({ type: 'load', seconds });
    return this.#hear((seconds + 30) * 1000, (message) =>
      message.type === 'loaded' ? message.result : undefined,
    );
  }

  end(): Promise<void> {
    return stop(this.#child);
  }

  #tell(message: ToLoad): void {
    this.#child.send(message);
  }

  #hear<T>(msMax: number, pick: (message: FromLoad) => T | undefined): Promise<T> {
    return heard(this.#child, msMax, (message) => pick(message as FromLoad));
  }
}
