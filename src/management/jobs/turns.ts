/** Lets a few at a time do what takes much of one resource. The others wait in the order of their arrival. */

interface TurnLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export class Turns {
  readonly #limits: TurnLimits;
  /** Each begins the work of one that waits. */
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves with what the work gives; null: too many wait, it waited too long, or the signal aborted before its turn.
   * @param signal the request is gone
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    if (!(await this.#begin(signal))) return null;
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Resolves when it has its turn: true. */
  #begin(signal: AbortSignal): Promise<boolean> {
    const { atOnceMax, waitingMax, waitMsMax } = this.#limits;
    if (signal.aborted) return Promise.resolve(false);
    if (this.#underWay < atOnceMax) {
      this.#underWay++;
      return Promise.resolve(true);
    }
    if (this.#waiting.size >= waitingMax) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (hasTurn: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(begin);
        resolve(hasTurn);
      };
      const giveUp = (): void => settle(false);
      const begin = (): void => settle(true);
      const timer = setTimeout(giveUp, waitMsMax);
      signal.addEventListener('abort', giveUp);
      this.#waiting.add(begin);
    });
  }

  /** Its place goes to the next one. */
  #end(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#underWay--;
    else next();
  }
}
