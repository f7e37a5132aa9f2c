/** SIGHUP, which asks a server to load renewed files. It would end a process without a handler. */

export class HangUps {
  #asked = false;
  #obey: (() => void) | null = null;

  /** From now on none ends the process; one that comes before `obey` is kept for it. */
  constructor() {
    process.on('SIGHUP', this.#received);
  }

  /** Is called for each, one call for all that came before. */
  obey(obey: () => void): void {
    this.#obey = obey;
    if (this.#asked) obey();
    this.#asked = false;
  }

  /** For a start that failed. */
  close(): void {
    process.off('SIGHUP', this.#received);
  }

  readonly #received = (): void => {
    if (this.#obey === null) this.#asked = true;
    else this.#obey();
  };
}
