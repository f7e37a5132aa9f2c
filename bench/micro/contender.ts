/** What a micro benchmark's contenders look like: one file each, measured in a process of its own. */

/** Does the work once. What it returns is compared with the other contenders' answers, outside of the clock. */
export type Work<Output> = () => Output;

/** A contender that cannot take part here. */
export class Skipped {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * What a contender's file exports as `contender`. It is given the input and the root of the build to measure
 * (build.ts), does what is done once beforehand, and returns the work.
 */
export type Contender<Input, Output> = (
  input: Input,
  root: string,
) => Promise<Work<Output> | Skipped>;

/** What a question's `question.ts` exports as `question`. */
export interface MicroQuestion<Input, Output> {
  /** `micro/<folder>`. */
  readonly name: string;
  readonly contenders: readonly ContenderFile[];
  /** The same in every process. */
  readonly input: (caseName: string) => Input;
  /** Bytes that one operation goes through, for GB/s; 0: a rate in bytes means nothing here. */
  readonly bytes: (input: Input) => number;
  /** What every contender must answer, and a contender's answer in the same form. */
  readonly expected: (input: Input) => string | Uint8Array;
  readonly answer: (output: Output) => string | Uint8Array;
}

export interface ContenderFile {
  /** Its file, without `.ts`. */
  readonly name: string;
  /** Part of Loadout: measured for both builds when two are compared. */
  readonly ours: boolean;
  /** Does other work: a bound to compare with, whose answers are its own affair. */
  readonly isYardstick?: boolean;
}
