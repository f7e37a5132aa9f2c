/**
 * Bounds the memory that request bodies hold together: a large body is read only once it has a share of the budget, and
 * keeps it until the response is sent. A request that waits is not read from, so its body stays with the sender.
 */

interface BodyBudgetLimits {
  /** Bytes of all bodies that are being read or worked on. A larger body counts as this many: it has its turn alone. */
  readonly bytesMax: number;
  /** Requests that may wait for a share. */
  readonly waitersMax: number;
  readonly waitMsMax: number;
}

/** Room for one body, until it is released. */
export interface BodyShare {
  /** The body makes no progress: if others wait, `cutOff` is called. null: it does. */
  setOverdue(cutOff: (() => void) | null): void;
  /** Gives the room back; the second time it does nothing. */
  release(): void;
}

interface Waiter {
  readonly bytes: number;
  readonly admit: (share: BodyShare | null) => void;
}

export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  /** In order of arrival: a small body behind a large one waits, or the large one would never have its turn. */
  readonly #waiters = new Set<Waiter>();
  readonly #overdue = new Map<BodyShare, () => void>();
  #heldBytes = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves with room for that many bytes; null: too many wait, it took too long, or `signal` was aborted.
   * @param signal the request is gone
   */
  take(bytes: number, signal?: AbortSignal): Promise<BodyShare | null> {
    const room = Math.min(bytes, this.#limits.bytesMax);
    if (this.#waiters.size === 0 && this.#hasRoom(room)) return Promise.resolve(this.#share(room));
    if (this.#waiters.size >= this.#limits.waitersMax || signal?.aborted === true) {
      return Promise.resolve(null);
    }
    return this.#wait(room, signal);
  }

  #wait(bytes: number, signal: AbortSignal | undefined): Promise<BodyShare | null> {
    return new Promise((resolve) => {
      const admit = (share: BodyShare | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiters.delete(waiter);
        resolve(share);
      };
      const giveUp = (): void => {
        admit(null);
        this.#admitNext();
      };
      const waiter: Waiter = { bytes, admit };
      const timer = setTimeout(giveUp, this.#limits.waitMsMax);
      signal?.addEventListener('abort', giveUp);
      this.#waiters.add(waiter);
      this.#cutOffOverdue();
    });
  }

  #admitNext(): void {
    for (const { bytes, admit } of this.#waiters) {
      if (!this.#hasRoom(bytes)) return;
      admit(this.#share(bytes));
    }
  }

  #hasRoom(bytes: number): boolean {
    return this.#heldBytes + bytes <= this.#limits.bytesMax;
  }

  #share(bytes: number): BodyShare {
    this.#heldBytes += bytes;
    let isHeld = true;
    const share: BodyShare = {
      setOverdue: (cutOff) => {
        if (cutOff === null || !isHeld) {
          this.#overdue.delete(share);
          return;
        }
        this.#overdue.set(share, cutOff);
        this.#cutOffOverdue();
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#overdue.delete(share);
        this.#heldBytes -= bytes;
        this.#admitNext();
      },
    };
    return share;
  }

  /** Bodies that make no progress keep their room only while no other request waits for it. */
  #cutOffOverdue(): void {
    if (this.#waiters.size === 0) return;
    for (const [share, cutOff] of [...this.#overdue]) {
      this.#overdue.delete(share);
      cutOff();
    }
  }
}
