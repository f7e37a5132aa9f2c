/** Runs one `loadout` command to its end, as a shell does: arguments, environment, standard input; exit code and output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type LoadoutServer, ownerToken } from './server.js';

export const loadoutProgram = fileURLToPath(new URL('../../dist/loadout.js', import.meta.url));
const commandMillisMax = 20_000;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Added to an environment without any LOADOUT_ variable. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
}

export async function runLoadout(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [loadoutProgram, ...args], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ...options.env },
    cwd: options.cwd,
    timeout: commandMillisMax,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** Commands that talk to `server` as its owner; throws what a command said when it fails. */
export class CommandLine {
  readonly #env: Readonly<Record<string, string>>;

  constructor(server: LoadoutServer) {
    this.#env = { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
  }

  try(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return runLoadout(args, { ...options, env: { ...this.#env, ...options.env } });
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
