/** Makes the first owner as soon as the store can be reached, and keeps the token that is made from being lost. */
import type { Logger } from 'pino';
import type { DataFolder } from '../store/data-folder.js';
import type { Store } from '../store/store.js';
import { StoreUnavailable } from '../store/store-errors.js';

interface OwnerDeps {
  readonly store: Pick<Store, 'ensureOwner'>;
  readonly folder: Pick<DataFolder, 'keepOwnerToken'>;
  readonly log: Logger;
  /** LOADOUT_ADMIN_TOKEN. */
  readonly given: string | null;
  /** Whether a token goes to a file of the data folder; else the command that started the server prints it. */
  readonly toFile: boolean;
}

export class Owner {
  readonly #deps: OwnerDeps;
  #isEnsured = false;
  /** It was just made, is in no file, and is to be shown this once. */
  token: string | null = null;
  /** Path of the file with the token that was just made. */
  tokenFile: string | null = null;

  constructor(deps: OwnerDeps) {
    this.#deps = deps;
  }

  /** @param mayWait whether `ensureLate` does it when the store is away */
  async ensure(mayWait: boolean): Promise<void> {
    if (this.#isEnsured) return;
    try {
      await this.#ensure(this.#deps.toFile);
    } catch (error) {
      if (!mayWait || !(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** After the start, whose lines are printed: a token goes to the file, and the log says so. */
  async ensureLate(): Promise<void> {
    if (this.#isEnsured) return;
    await this.#ensure(true);
    if (this.tokenFile === null) return;
    this.#deps.log.warn(
      { event: 'owner_token_saved', file: this.tokenFile },
      "the owner's token is in this file: read it, then delete the file",
    );
  }

  async #ensure(toFile: boolean): Promise<void> {
    const { store, folder, given } = this.#deps;
    let path: string | null = null;
    // Within the transaction: what fails here, or is killed here, has made no owner.
    const token = await store.ensureOwner(given ?? undefined, (made) => {
      if (toFile) path = folder.keepOwnerToken(made);
    });
    this.#isEnsured = true;
    this.tokenFile = path;
    if (path === null) this.token = token;
  }
}
