/** Runs one `loadout` command to its end, as a shell does: arguments, environment, standard input; exit code and output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../../src/command/program.js';
import { withIo } from '../../../src/command/terminal/io.js';
import { ownerToken, type RunningServer } from './server-process.js';

export const loadoutProgram = fileURLToPath(new URL('../../../dist/loadout.js', import.meta.url));
const commandMillisMax = 60_000;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Added to an environment without any LOADOUT_ variable. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** As a person at a terminal, who types this where the command asks. */
  readonly typed?: string;
}

/** The end of the command before: they take turns, since the variables of their options are the process's. */
let turn: Promise<unknown> = Promise.resolve();

/** In this process, from the sources: for all that is not about a process of its own. */
export function runLoadout(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const ran = turn.then(() => within(args, runHere(args, options)));
  turn = ran.catch(() => undefined);
  return ran;
}

/** A command that does not end must not keep the next ones waiting. */
async function within(args: readonly string[], ran: Promise<Ran>): Promise<Ran> {
  const ended = new AbortController();
  const late = pause(commandMillisMax, null, { signal: ended.signal });
  const first = await Promise.race([ran, late.catch(() => null)]).finally(() => ended.abort());
  if (first === null) throw new Error(`loadout ${args.join(' ')} did not end`);
  return first;
}

async function runHere(args: readonly string[], options: RunOptions): Promise<Ran> {
  const env = { PATH: process.env['PATH'], ...options.env };
  const [stdout, stderr] = [new Collected(), new Collected()];
  const isTTY = options.typed !== undefined;
  const input = isTTY ? `${options.typed}\n` : options.stdin;
  const stdin = Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), {
    isTTY,
  });
  const own = process.env;
  process.env = env;
  try {
    const io = { stdin, stdout, stderr: Object.assign(stderr, { isTTY }), env, exitCode: 0 };
    const code = await withIo(io, () => runProgram(args));
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.env = own;
  }
}

class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

export interface SpawnOptions extends Omit<RunOptions, 'typed'> {
  readonly cwd?: string;
  /** Of another build. */
  readonly program?: string;
}

/** In a process of its own, as it is built: exit codes, signals, pipes, folders. */
export async function spawnLoadout(
  args: readonly string[],
  { env, stdin = '', cwd, program = loadoutProgram }: SpawnOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ...env },
    cwd,
    timeout: commandMillisMax,
    killSignal: 'SIGKILL',
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [[code], [stdout, stderr]] = await Promise.all([once(child, 'close'), output]);
  return { code, stdout, stderr };
}

/** Commands that talk to `server` as its owner; throws what a command said when it fails. */
export class CommandLine {
  readonly #env: Readonly<Record<string, string>>;
  readonly #run: typeof runLoadout;

  constructor(server: RunningServer, run: typeof runLoadout = runLoadout) {
    this.#run = run;
    this.#env = { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
  }

  try(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.#run(args, { ...options, env: { ...this.#env, ...options.env } });
  }

  /** The stdout of a command that must succeed. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const ran = await this.try(args, options);
    if (ran.code !== 0) throw new Error(`${args.join(' ')}: code ${ran.code}\n${ran.stderr}`);
    return ran.stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every shape; a wrong one fails the assertion.
  async json(args: readonly string[], options: RunOptions = {}): Promise<any> {
    return JSON.parse(await this.run([...args, '--json'], options));
  }
}
