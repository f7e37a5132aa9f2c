/** Announces that the server no longer knows the session. What is open stays, and sign-in appears above it. */
type Listener = () => void;

const listeners = new Set<Listener>();

export const sessionEnded = {
  note(): void {
    for (const listener of listeners) listener();
  },

  /** @returns a function that stops listening */
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
