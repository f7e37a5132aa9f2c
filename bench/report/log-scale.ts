/** A logarithmic axis. */
export class LogScale {
  readonly #low: number;
  readonly #high: number;

  constructor(low: number, high: number) {
    this.#low = low;
    this.#high = high;
  }

  has(value: number): boolean {
    return value >= this.#low && value <= this.#high;
  }

  /** How far along the axis the value is: 0 at its low end, 1 at its high end. */
  share(value: number): number {
    return Math.log(value / this.#low) / Math.log(this.#high / this.#low);
  }
}
