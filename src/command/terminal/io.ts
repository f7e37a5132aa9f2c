/** What a command reads and writes: the process's own streams, or those of a test that runs it in its own process. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable, Writable } from 'node:stream';

export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Secrets (tokens, passwords); other variables are options (`Option.env`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For a command that succeeded only partly. */
  exitCode: number;
}

/** Getters: a process that never reads its standard input does not open it. */
class ProcessIo implements CommandIo {
  // biome-ignore lint/style/noProcessEnv: secrets.ts reads them by this.
  readonly env = process.env;
  get stdin(): CommandIo['stdin'] {
    return process.stdin;
  }
  get stdout(): CommandIo['stdout'] {
    return process.stdout;
  }
  get stderr(): CommandIo['stderr'] {
    return process.stderr;
  }
  get exitCode(): number {
    return Number(process.exitCode ?? 0);
  }
  set exitCode(code: number) {
    process.exitCode = code;
  }
}

const given = new AsyncLocalStorage<CommandIo>();
const ofProcess = new ProcessIo();

/** Of the command that runs. */
export function io(): CommandIo {
  return given.getStore() ?? ofProcess;
}

/** Runs something whose commands read and write `other`. */
export function withIo<T>(other: CommandIo, run: () => T): T {
  return given.run(other, run);
}
