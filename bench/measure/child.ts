/** Starts the processes of a measurement, each on its own core, and sees to it that none outlives it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';

/** Server and load generator must not take each other's time: a core each, where there are two. */
export const serverCore = 0;
export const clientCore = 1;

/** The same young generation for every contender: that of a delivery process (management/listener.ts). */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=64'];

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

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

export interface ChildOptions {
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
  child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(worthTelling(chunk.toString())));
  return remember(child);
}

/** Without the lines of a pino log that are no warning. */
function worthTelling(log: string): string {
  return log.replaceAll(/^\{"level":[123]0,.*\n/gm, '');
}

export function startTool(command: readonly string[], core: number): ChildProcess {
  const pinned = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return remember(spawn(pinned[0]!, pinned.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function remember(child: ChildProcess): ChildProcess {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/**
 * Moves every thread but the main one, the pool and what the engine runs beside it, to the load generators' core,
 * where whoever measures goes first.
 */
export function moveHelpers(pid: number): void {
  if (!canPin) return;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    if (thread === String(pid)) continue;
    execFileSync('taskset', ['-pc', String(clientCore), thread], { stdio: 'ignore' });
    standBack(Number(thread));
  }
}

/** This process only drives the others: it keeps off the server's core. */
export function keepAside(): void {
  if (!canPin) return;
  execFileSync('taskset', ['-apc', String(clientCore), String(process.pid)], { stdio: 'ignore' });
}

/** For a process or thread on the core of a load generator that measures latency: it must not make that one wait. */
export function standBack(thread: number): void {
  setPriority(thread, constants.priority.PRIORITY_LOW);
}

/** Resolves with the first message that `pick` takes; fails when the process ends before, or after `msMax`. */
export function heard<T>(
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
      reject(new Error(`${child.spawnargs.join(' ')} said nothing for ${msMax} ms.`));
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
