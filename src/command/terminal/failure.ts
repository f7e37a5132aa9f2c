/** What ends a command early: the message on stderr, and the exit code. */

/** 1: rejected or failed. 2: wrong usage. */
type FailureCode = 1 | 2;

export class CommandFailure extends Error {
  readonly exitCode: FailureCode;
  /** Code of the server's problem; null: the server has not rejected anything. */
  readonly problem: string | null;

  constructor(message: string, exitCode: FailureCode = 1, problem: string | null = null) {
    super(message);
    this.problem = problem;
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

/** Wrong usage that the parser cannot see, such as two options that exclude each other. */
export function misuse(message: string): CommandFailure {
  return new CommandFailure(message, 2);
}

/** What an error says, in words for the common errors of files. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'permission denied';
  return error instanceof Error ? error.message : String(error);
}

export function unreadable(name: string, error: unknown): CommandFailure {
  return new CommandFailure(`${name} cannot be read: ${reasonOf(error)}.`);
}
