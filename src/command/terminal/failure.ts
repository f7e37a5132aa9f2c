/** What ends a command early: the message on stderr, and the exit code. */

/** 1: rejected or failed. 2: wrong usage. */
export type FailureCode = 1 | 2;

export class CommandFailure extends Error {
  readonly exitCode: FailureCode;

  constructor(message: string, exitCode: FailureCode = 1) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

/** Wrong usage that the parser cannot see, such as two options that exclude each other. */
export function misuse(message: string): CommandFailure {
  return new CommandFailure(message, 2);
}
