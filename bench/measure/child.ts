/** Starts the processes of a measurement, each on its own core, and sees to it that none outlives it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import type { Cores } from '../bench.js';

/** Server and load generator must not take each other's time: a core each, where there are two. */
let cores: Cores = { server: [0], load: [1] };

/** `--cores`; before anything is started. Throws when this machine does not have them. */
export function chooseCores(chosen: Cores): void {
  cores = chosen;
  if (!canPin) return;
  const all = [...chosen.server, ...chosen.load];
  try {
    execFileSync('taskset', ['-c', all.join(','), 'true'], { stdio: 'ignore' });
    for (const core of all) {
      execFileSync('taskset', ['-c', String(core), 'true'], { stdio: 'ignore' });
    }
  } catch {
    throw new Error(`--cores: this machine does not have all of the cores ${all.join(', ')}.`);
  }
}

/** Of a contender's first process, or of a later one; they take turns where there are more of them than cores. */
export function serverCore(at = 0): number {
  return cores.server[at % cores.server.length]!;
}

export function serverCoreCount(): number {
  return cores.server.length;
}

export function loadCores(): readonly number[] {
  return cores.load;
}

/** The same young generation for every contender: that of a delivery process (management/processes/delivery-process.ts). */
const nodeFlags: readonly string[] = ['--max-semi-space-size=16'];

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(130));

/** Whether processes can be bound to cores here. */
export const canPin: boolean = availableParallelism() >= 2 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-pc', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface ChildOptions {
  /** Null: wherever the kernel likes. */
  readonly core: number | null;
  readonly env?: NodeJS.ProcessEnv;
  readonly flags?: readonly string[];
}

/** A fresh node process with an IPC channel; it is expected to end when that closes. */
export function startNode(
  script: string,
  args: readonly string[],
  { core, env = {}, flags = nodeFlags }: ChildOptions,
): ChildProcess {
  const command = [process.execPath, ...flags, script, ...args];
  const pinned = core !== null && canPin ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(pinned[0]!, pinned.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
  });
  child.stderr?.on('data', (chunk: Buffer) =>
    process.stderr.write(worthPrinting(chunk.toString())),
  );
  return remember(child);
}

/** Without the lines of a pino log that are no warning. */
function worthPrinting(log: string): string {
  return log.replaceAll(/^\{"level":[123]0,.*\n/gm, '');
}

/** A load generator of another project, on all of the load's cores. */
export function startTool(command: readonly string[]): ChildProcess {
  const pinned = canPin ? ['taskset', '-c', loadCores().join(','), ...command] : command;
  return remember(spawn(pinned[0]!, pinned.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] }));
}

/** It is killed when this process ends before it. */
export function remember(child: ChildProcess): ChildProcess {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/**
 * Moves every thread but the main one, the pool and what the engine runs beside it, off the main thread's core: to the
 * servers' second core, or where they have one only, to the load generators'.
 * @param behind there, the process that measures goes first
 */
export function moveHelpers(pid: number, behind: boolean): void {
  if (!canPin) return;
  const spare = cores.server.slice(1);
  const to = spare.length > 0 ? spare : cores.load;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    if (thread === String(pid)) continue;
    execFileSync('taskset', ['-pc', to.join(','), thread], { stdio: 'ignore' });
    if (behind && spare.length === 0) standBack(Number(thread));
  }
}

/** This process only drives the others: it keeps off the servers' cores. */
export function keepAside(): void {
  if (!canPin) return;
  execFileSync('taskset', ['-apc', loadCores().join(','), String(process.pid)], {
    stdio: 'ignore',
  });
}

/** A child has the cores of this process. One that is measured alone, with all of its threads, is given every core. */
export function onEveryCore(pid: number): void {
  if (!canPin) return;
  const every = [...cores.server, ...cores.load];
  execFileSync('taskset', ['-apc', every.join(','), String(pid)], { stdio: 'ignore' });
}

/** For a process or thread on the core of a load generator that measures latency: it must not make that one wait. */
export function standBack(thread: number): void {
  setPriority(thread, constants.priority.PRIORITY_LOW);
}

/** Resolves with the first message that `pick` takes; fails when the process ends before, or after `msMax`. */
export function messageOf<T>(
  child: ChildProcess,
  msMax: number,
  pick: (message: unknown) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (message: unknown): void => {
      const picked = pick(message);
      if (picked === undefined) return;
      settle();
      resolve(picked);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      settle();
      reject(new Error(`${child.spawnargs.join(' ')} ended early (${signal ?? code}).`));
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Error(`${child.spawnargs.join(' ')} sent no message for ${msMax} ms.`));
    }, msMax);
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}

/** Ends it; resolves when it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
