/** One PostgreSQL server as processes: started, stopped, killed and held still; what is in it is the cluster's matter. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { eventually } from '../eventually.js';
import { cpuSecondsOf } from '../server/process-cpu.js';
import { childrenOf, isAlive } from '../server/process-tree.js';
import type { PostgresFolder } from './folder.js';

export const startMillisMax = 30_000;
const stopMillisMax = 30_000;

export class PostgresProcess {
  readonly port: number;
  readonly #folder: PostgresFolder;
  readonly #settings: Readonly<Record<string, string>>;
  #postmaster: ChildProcess | null = null;

  /** A stopped server on the data that `folder` holds, with `settings` over those of its own file. */
  constructor(folder: PostgresFolder, port: number, settings: Readonly<Record<string, string>>) {
    this.port = port;
    this.#folder = folder;
    this.#settings = settings;
  }

  /** The process id of the running postmaster; throws when the server is stopped. */
  get pid(): number {
    if (this.#postmaster?.pid === undefined) throw new Error('this PostgreSQL is stopped');
    return this.#postmaster.pid;
  }

  get isRunning(): boolean {
    return this.#postmaster !== null;
  }

  /** Starts the stopped or killed server again, on its port; resolved when it takes connections. */
  async start(): Promise<void> {
    if (this.isRunning) throw new Error('this PostgreSQL runs');
    const all = { ...this.#settings, port: String(this.port) };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(this.#folder.log, 'a');
    const child = this.#folder.spawn(
      { name: 'postgres', args: ['-D', this.#folder.data, ...args] },
      log,
    );
    closeSync(log);
    this.#postmaster = child;
    child.once('exit', () => {
      if (this.#postmaster === child) this.#postmaster = null;
    });
    // What pg_ctl goes by: the eighth line says `ready`, or `standby` where only reads are taken.
    await this.until('PostgreSQL starts', startMillisMax, () => {
      if (this.#postmaster !== child) throw new Error('PostgreSQL did not start');
      const isOurs = Number(this.#folder.lockLine(1)) === child.pid;
      return isOurs && /^(ready|standby)$/.test(this.#folder.lockLine(8));
    });
  }

  /** Stops the server: `fast` ends every session first, `immediate` is a crash that it recovers from. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const processes = this.#processes();
    process.kill(this.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await this.#gone(processes);
  }

  /** `kill -9` of the postmaster; resolved when its last process is gone and `start` may follow. */
  async kill(): Promise<void> {
    // Held still, it starts no process that would not be waited for.
    process.kill(this.pid, 'SIGSTOP');
    const processes = this.#processes();
    const sharedMemory = this.#folder.lockLine(7).split(/\s+/).at(-1) ?? '';
    process.kill(this.pid, 'SIGKILL');
    // Its processes go when they see it gone, which those that `suspend` holds still do not.
    for (const pid of processes) signal(pid, 'SIGCONT');
    await this.#gone(processes);
    // A killed server leaves it to the system, and without a next start for ever.
    spawnSync('ipcrm', ['-m', sharedMemory], { stdio: 'ignore' });
  }

  /** Holds the whole server still, as a machine that no longer answers; `resume` lets it go on. */
  suspend(): void {
    process.kill(this.pid, 'SIGSTOP');
    for (const pid of this.#processes()) signal(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGCONT');
  }

  /** Seconds of processor time of the running postmaster and all its processes, those that have ended included. */
  cpuSeconds(): number {
    return cpuSecondsOf(this.pid);
  }

  logTail(): string {
    return this.#folder.logTail();
  }

  /** Ends the server in whatever state it is, and removes its folder. */
  async end(): Promise<void> {
    const child = this.#postmaster;
    if (child !== null) this.resume();
    await this.#folder.end();
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      await once(child, 'exit');
    }
  }

  /** `eventually`, with the end of the log in what it throws. */
  async until(
    what: string,
    millisMax: number,
    ask: () => boolean | Promise<boolean>,
  ): Promise<void> {
    try {
      await eventually(what, millisMax, ask);
    } catch (fault) {
      throw new Error(`${fault instanceof Error ? fault.message : fault}\n${this.logTail()}`);
    }
  }

  #processes(): number[] {
    return [this.pid, ...childrenOf(this.pid)];
  }

  async #gone(processes: readonly number[]): Promise<void> {
    await this.until('PostgreSQL ends', stopMillisMax, () => {
      return !processes.some(isAlive) && !this.isRunning;
    });
  }
}

/** To a process that may have ended by now. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has.
  }
}
