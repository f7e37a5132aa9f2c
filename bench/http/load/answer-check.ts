/** Compares the answers of one connection, every byte of them, as they arrive. */
import type { Answers } from './request-source.js';

export class AnswerCheck {
  readonly #answers: Answers;
  #expected: Uint8Array = new Uint8Array(0);
  #seen = 0;
  #equal = true;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  begin(request: number): void {
    this.#expected = this.#answers.expected(request);
    this.#seen = 0;
    this.#equal = true;
  }

  take(chunk: Buffer): void {
    const to = this.#seen + chunk.byteLength;
    if (to > this.#expected.byteLength) this.#equal = false;
    else if (this.#equal) this.#equal = chunk.equals(this.#expected.subarray(this.#seen, to));
    this.#seen = to;
  }

  /** Whether the whole answer was the expected one. */
  matched(): boolean {
    return this.#equal && this.#seen === this.#expected.byteLength;
  }
}
