/** Compares the responses of one connection as they arrive: every byte of them, or their lengths. */
import type { LoadPlan } from './load-plan.js';
import type { Answers } from './request-source.js';

export class AnswerCheck {
  readonly #answers: Answers;
  readonly #byBytes: boolean;
  #expected: Uint8Array = new Uint8Array(0);
  #seen = 0;
  #equal = true;

  constructor(answers: Answers, compare: LoadPlan['compare']) {
    this.#answers = answers;
    this.#byBytes = compare === 'bytes';
  }

  begin(request: number): void {
    this.#expected = this.#answers.expected(request);
    this.#seen = 0;
    this.#equal = true;
  }

  take(chunk: Buffer): void {
    const to = this.#seen + chunk.byteLength;
    if (to > this.#expected.byteLength) this.#equal = false;
    else if (this.#equal && this.#byBytes)
      this.#equal = chunk.equals(this.#expected.subarray(this.#seen, to));
    this.#seen = to;
  }

  /** Whether the whole answer was the expected one. */
  matched(): boolean {
    return this.#equal && this.#seen === this.#expected.byteLength;
  }
}
