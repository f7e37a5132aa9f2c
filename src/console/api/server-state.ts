/** Whether the server answers. Once it does not, it is asked until it does. */
const askEveryMs = 1_500;

type Listener = () => void;

class ServerState {
  #away = false;
  readonly #listeners = new Set<Listener>();
  readonly #returns = new Set<Listener>();

  get isAway(): boolean {
    return this.#away;
  }

  noteAway(): void {
    if (this.#away) return;
    this.#away = true;
    this.#tell(this.#listeners);
    this.#askAgain();
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onReturn(listener: Listener): void {
    this.#returns.add(listener);
  }

  #askAgain(): void {
    setTimeout(() => {
      void fetch('/healthz', { cache: 'no-store' })
        .then((answer) => answer.ok)
        .catch(() => false)
        .then((isBack) => {
          if (!isBack) return this.#askAgain();
          this.#away = false;
          this.#tell(this.#listeners);
          this.#tell(this.#returns);
        });
    }, askEveryMs);
  }

  #tell(listeners: ReadonlySet<Listener>): void {
    for (const listener of listeners) listener();
  }
}

export const serverState = new ServerState();
