/** Finds what is due without looking at what is not. */

/**
 * Items lie in slots of equal width, and a tick takes the slots that have passed: adding, removing and taking cost the
 * same however many there are (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987, scheme 6, with a map
 * in the place of the ring, so that a time years ahead costs no more than the next second).
 */
export class TimerWheel<T> {
  readonly #slotMs: number;
  readonly #slots = new Map<number, Set<T>>();
  /** The last slot that was taken. */
  #passed: number;

  /** @param nowMs by the clock of all later times */
  constructor(slotMs: number, nowMs: number) {
    this.#slotMs = slotMs;
    this.#passed = Math.floor(nowMs / slotMs);
  }

  /** @returns the slot, by which `remove` finds the item */
  add(item: T, dueMs: number): number {
    const slot = Math.max(this.#passed + 1, Math.ceil(dueMs / this.#slotMs));
    const items = this.#slots.get(slot);
    if (items === undefined) this.#slots.set(slot, new Set([item]));
    else items.add(item);
    return slot;
  }

  remove(item: T, slot: number): void {
    const items = this.#slots.get(slot);
    if (items?.delete(item) && items.size === 0) this.#slots.delete(slot);
  }

  /** Everything that is due, each item once. After a step back of the clock what was due before it comes later. */
  take(nowMs: number): T[] {
    const now = Math.floor(nowMs / this.#slotMs);
    const due: T[] = [];
    // After a long sleep there are fewer slots than ticks.
    if (now - this.#passed > this.#slots.size) {
      for (const slot of [...this.#slots.keys()].sort((a, b) => a - b)) {
        if (slot <= now) this.#takeSlot(slot, due);
      }
    } else {
      for (let slot = this.#passed + 1; slot <= now; slot += 1) this.#takeSlot(slot, due);
    }
    this.#passed = now;
    return due;
  }

  #takeSlot(slot: number, due: T[]): void {
    const items = this.#slots.get(slot);
    if (items === undefined) return;
    this.#slots.delete(slot);
    for (const item of items) due.push(item);
  }
}
