/** Tells who wants to know that the server no longer knows the session: whatever is open stays, and sign-in comes over it. */
type Listener = () => void;

class SessionEnded {
  readonly #listeners = new Set<Listener>();

  note(): void {
    for (const listener of this.#listeners) listener();
  }

  /** @returns how to stop listening */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const sessionEnded = new SessionEnded();
