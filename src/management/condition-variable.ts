/** Waits for conditions over a state that others change, and say so. */
export class ConditionVariable {
  readonly #watchers = new Set<() => void>();

  /** The state changed: every condition is asked again. */
  notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Resolves once the condition holds; rejects with what it throws. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const watcher = (): void => {
        try {
          if (!holds()) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        this.#watchers.delete(watcher);
      };
      this.#watchers.add(watcher);
      watcher();
    });
  }

  /** Whether the condition came to hold within `msMax`. */
  async untilOrTimeout(holds: () => boolean, msMax: number): Promise<boolean> {
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      this.notify();
    }, msMax);
    await this.until(() => expired || holds());
    clearTimeout(timer);
    return !expired;
  }
}
