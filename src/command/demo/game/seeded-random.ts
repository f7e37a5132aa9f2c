/** Numbers that look random and are the same on every machine: the demo's hashes can be compared. Not for secrets. */

export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + (this.#next() % (max - min + 1));
  }

  /** One of `choices`, which must not be empty. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.#next() % choices.length] ?? choices[0];
  }

  // Mulberry32: 32 bits of state, well enough mixed for made-up levels.
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
