/**
 * published.db of a running server: the writer of the present file, and the way to put a sound file in the place of a
 * damaged one (D56). Nothing is in it that the store cannot give again.
 */
import { existsSync, realpathSync, renameSync } from 'node:fs';
import type { Logger } from 'pino';
import type { PublishedChange } from '../../published/change.js';
import { isPublishedDamage } from '../../published/damage.js';
import { removeDatabase } from '../../published/sqlite-driver.js';
import {
  checkPublished,
  type PublishedPosition,
  type PublishedStore,
  PublishedWriter,
} from '../../published/writer.js';

/** Has all readers let go of the file, does the work, and has them open the file again. */
export type WithoutReaders = (work: () => void) => Promise<void>;

/** `DataFolder` removes what a crash leaves of it. */
const asideSuffix = '.scratch';

export class PublishedFile {
  readonly #path: string;
  #writer: PublishedWriter;
  /** The file was damaged when the server started, and is empty now. */
  readonly wasDamaged: boolean;

  /**
   * Opens the file, and makes it empty where it is damaged: no process has it open yet.
   * @throws SQLite's own error when it cannot be opened at all
   */
  constructor(path: string, log: Pick<Logger, 'error'>) {
    this.#path = path;
    let wasDamaged = false;
    try {
      this.#writer = new PublishedWriter(path, Date.now);
    } catch (error) {
      if (!isPublishedDamage(error)) throw error;
      log.error(
        { event: 'published_damaged', err: error, path },
        'published.db is damaged; it is rebuilt from the store',
      );
      removeDatabase(path);
      this.#writer = new PublishedWriter(path, Date.now);
      wasDamaged = true;
    }
    this.wasDamaged = wasDamaged;
  }

  get sequence(): number {
    return this.#writer.sequence;
  }

  get position(): PublishedPosition {
    return this.#writer.position;
  }

  get storeId(): string {
    return this.#writer.storeId;
  }

  get servesNothing(): boolean {
    return this.#writer.servesNothing;
  }

  /** Of the present file. */
  get writer(): PublishedWriter {
    return this.#writer;
  }

  /** Whether what delivery processes read when they start is what was written. Bodies are compared as they are loaded. */
  isSound(): boolean {
    try {
      checkPublished(this.#path);
      return true;
    } catch (error) {
      if (isPublishedDamage(error)) return false;
      throw error;
    }
  }

  /**
   * Makes a new file beside the present one, which is read until the new one is complete; then puts it in its place
   * while no process reads it. The same numbers stand for the same edits in both.
   */
  async replace(
    to: PublishedPosition,
    store: PublishedStore,
    everything: AsyncIterable<PublishedChange>,
    withoutReaders: WithoutReaders,
  ): Promise<void> {
    // It may be a link to another disk: the new file is made there, and the link stays.
    const path = existsSync(this.#path) ? realpathSync(this.#path) : this.#path;
    const aside = path + asideSuffix;
    removeDatabase(aside);
    try {
      const writer = new PublishedWriter(aside, Date.now);
      try {
        await writer.rebuild(to, everything);
        writer.setStore(store);
      } finally {
        // The last to close it writes its log into it: what is renamed is the whole database.
        writer.close();
      }
      await withoutReaders(() => this.#swap(aside, path));
    } finally {
      removeDatabase(aside);
    }
  }

  #swap(aside: string, path: string): void {
    try {
      this.#writer.close();
    } finally {
      removeDatabase(path);
      renameSync(aside, path);
      this.#writer = new PublishedWriter(this.#path, Date.now);
    }
  }

  close(): void {
    this.#writer.close();
  }
}
