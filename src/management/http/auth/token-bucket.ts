/** A token bucket: what may happen so often at once, and so often per second. No clock of its own. */

export class TokenBucket {
  readonly #atOnceMax: number;
  readonly #perSecond: number;
  #level: number;
  #levelAtMs: number;

  constructor(atOnceMax: number, perSecond: number, nowMs: number) {
    this.#atOnceMax = atOnceMax;
    this.#perSecond = perSecond;
    this.#level = atOnceMax;
    this.#levelAtMs = nowMs;
  }

  /** Whether it would give one now. */
  has(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#level >= 1;
  }

  /** Nothing was taken from it for so long that it is as new. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#level === this.#atOnceMax;
  }

  /** Takes one if there is one. */
  take(nowMs: number): boolean {
    if (!this.has(nowMs)) return false;
    this.#level -= 1;
    return true;
  }

  /** Takes back what was taken. */
  giveBack(): void {
    this.#level = Math.min(this.#atOnceMax, this.#level + 1);
  }

  /** Whole seconds until it has one again; 0 when it has one. */
  secondsToWait(nowMs: number): number {
    this.#refill(nowMs);
    return Math.ceil(Math.max(0, 1 - this.#level) / this.#perSecond);
  }

  /** A clock that steps back refills nothing. */
  #refill(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.#levelAtMs) / 1_000;
    this.#level = Math.min(this.#atOnceMax, this.#level + seconds * this.#perSecond);
    this.#levelAtMs = nowMs;
  }
}
