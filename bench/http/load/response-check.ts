/** Compares the responses of one connection as they arrive: every byte of them, or their lengths. */
import type { LoadPlan } from './load-plan.js';
import type { ExpectedResponses } from './request-source.js';

export class ResponseCheck {
  readonly #responses: ExpectedResponses;
  readonly #byBytes: boolean;
  #expected: Uint8Array = new Uint8Array(0);
  #seen = 0;
  #equal = true;

  constructor(responses: ExpectedResponses, compare: LoadPlan['compare']) {
    this.#responses = responses;
    this.#byBytes = compare === 'bytes';
  }

  begin(request: number): void {
    this.#expected = this.#responses.expected(request);
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

  /** Whether the whole response was the expected one. */
  matched(): boolean {
    return this.#equal && this.#seen === this.#expected.byteLength;
  }
}
