/** What following the rules of a mapping has cost, so that a hostile one ends. */

export class Steps {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  take(count: number): void {
    this.#left -= count;
  }

  /** The result is not to be used: it may be incomplete. */
  get areSpent(): boolean {
    return this.#left < 0;
  }
}
