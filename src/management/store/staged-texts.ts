/**
 * Texts that were stored ahead of the transaction that will use them, so that it is short. Until then nothing refers to
 * them: housekeeping asks here before it removes a text.
 */
export class StagedTexts {
  readonly #holders = new Map<string, number>();

  /** Asked for in the transaction that would remove the text. */
  has(digest: string): boolean {
    return this.#holders.has(digest);
  }

  /** Call it before the text is stored; each call asks for one `release`. */
  hold(digest: string): void {
    this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
  }

  release(digest: string): void {
    const holders = (this.#holders.get(digest) ?? 0) - 1;
    if (holders > 0) this.#holders.set(digest, holders);
    else this.#holders.delete(digest);
  }
}
