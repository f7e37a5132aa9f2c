/** Remembers when counters last rose, so that people see for an hour that something was wrong. Pure: its caller has the clock. */

const rememberedMs = 3_600_000;

interface Seen {
  readonly value: number;
  /** When it was found to have risen; null: it has not, since the server started. */
  readonly roseMs: number | null;
}

export class RecentIncreases<Name extends string> {
  readonly #seen = new Map<Name, Seen>();

  /** @param value of a counter that begins at 0 with the server. @param nowMs milliseconds since the epoch */
  note(name: Name, value: number, nowMs: number): void {
    const before = this.#seen.get(name);
    if (value > (before?.value ?? 0)) this.#seen.set(name, { value, roseMs: nowMs });
    else if (before === undefined) this.#seen.set(name, { value, roseMs: null });
  }

  /** When it last rose, if that was within the hour; null otherwise. */
  roseAt(name: Name, nowMs: number): number | null {
    const roseMs = this.#seen.get(name)?.roseMs ?? null;
    return roseMs !== null && nowMs - roseMs <= rememberedMs ? roseMs : null;
  }
}
