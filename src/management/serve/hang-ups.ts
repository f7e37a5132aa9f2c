/** SIGHUP, which asks a server to take up renewed files. It would end a process that does not listen for it. */

export class HangUps {
  #asked = false;
  #obey: (() => void) | null = null;

  /** From now on none ends the process; one that comes before `obey` is kept for it. */
  constructor() {
    process.on('SIGHUP', this.#hear);
  }

  /** Is called for each, one call for all that came before. */
  obey(obey: () => void): void {
    this.#obey = obey;
    if (this.#asked) obey();
    this.#asked = false;
  }

  /** For a start that failed. */
  close(): void {
    process.off('SIGHUP', this.#hear);
  }

  readonly #hear = (): void => {
    if (this.#obey === null) this.#asked = true;
    else this.#obey();
  };
}
