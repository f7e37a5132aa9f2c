/** The store: opens it, runs reads and writes as transactions, and gives delivery's view of what changed. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { PublishedChange } from '../../published/change.js';
import { givenTokenCharsMax, givenTokenCharsMin } from '../limits.js';
import { appendChanges, changedAfter, pruneLog, readLogState } from './change-log.js';
import type { Reading, StoreDialect } from './dialect.js';
import { migrate } from './migrate.js';
import { everything, presentState } from './published-state.js';
import type { Tables } from './tables.js';
import { ensureOwner } from './users.js';
import { type Actor, systemActor, Write } from './write.js';

/** What a write gave back, and the number delivery must have reached to show it. */
export interface Written<T> {
  readonly value: T;
  /** The write's own number, or the newest one when it changed nothing that delivery serves. */
  readonly sequence: number;
}

export interface PublishedChanges {
  readonly sequence: number;
  readonly changes: PublishedChange[];
}

export interface PublishedEverything {
  readonly sequence: number;
  /** One snapshot, read as it is asked for. Reading it twice is not possible. */
  readonly changes: AsyncIterableIterator<PublishedChange>;
}

/** The database cannot take a write now: its disk is full or fails. Nothing of the write was kept. */
export class StoreUnavailable extends Error {
  readonly code = 'store_unavailable';

  constructor(cause: unknown) {
    super('The store cannot write: its disk is full or fails.', { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The operator's own token cannot be one. */
export class GivenTokenInvalid extends Error {
  readonly code = 'given_token_invalid';

  constructor() {
    super(
      `An admin token must be ${givenTokenCharsMin} to ${givenTokenCharsMax} visible ASCII characters without spaces.`,
    );
    this.name = 'GivenTokenInvalid';
  }
}

export class Store {
  readonly #dialect: StoreDialect;
  /** Writes take turns on one connection; readers have their own, so a long write delays none of them. */
  readonly #writer: Kysely<Tables>;
  readonly #reader: Kysely<Tables>;
  readonly #now: () => number;
  readonly id: string;

  private constructor(
    dialect: StoreDialect,
    writer: Kysely<Tables>,
    now: () => number,
    id: string,
  ) {
    this.#dialect = dialect;
    this.#writer = writer;
    this.#reader = dialect.connect('read');
    this.#now = now;
    this.id = id;
  }

  /**
   * Opens the store, making or upgrading its schema.
   * @param now milliseconds since the epoch
   * @throws StoreTooNew when a newer version wrote it
   */
  static async open(dialect: StoreDialect, now: () => number): Promise<Store> {
    const writer = dialect.connect('write');
    try {
      await migrate(writer, dialect, now());
      await writer
        .insertInto('storeState')
        .values({ id: 1, storeId: randomUUID(), sequence: 0, prunedTo: 0 })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      const { storeId } = await readLogState(writer);
      return new Store(dialect, writer, now, storeId);
    } catch (error) {
      await writer.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#reader.destroy();
    await this.#writer.destroy();
  }

  /** Reads in one transaction: what it sees belongs together. */
  async read<T>(work: (db: Reading) => Promise<T>): Promise<T> {
    return this.#reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((transaction) => work(transaction));
  }

  /**
   * Writes in one transaction: all of it or nothing. What it touched is appended to the change log under one
   * number. The work must decide before it writes: a refusal it returns does not undo anything.
   * @throws StoreUnavailable when the disk is full or fails
   */
  async write<T>(actor: Actor, work: (write: Write) => Promise<T>): Promise<Written<T>> {
    try {
      return await this.#writer.transaction().execute(async (transaction) => {
        const write = new Write(transaction, actor, this.#now());
        const value = await work(write);
        const sequence =
          write.changed.length > 0
            ? await appendChanges(transaction, write.changed)
            : (await readLogState(transaction)).sequence;
        return { value, sequence };
      });
    } catch (error) {
      throw isDiskFault(error) ? new StoreUnavailable(error) : error;
    }
  }

  /** The newest number given out; 0 when nothing was ever published. */
  async sequence(): Promise<number> {
    return (await readLogState(this.#reader)).sequence;
  }

  /**
   * The present state of everything that changed after a number.
   * Null: the log does not reach back to it, or it is of another time of this store; read everything instead.
   */
  async readChanges(after: number): Promise<PublishedChanges | null> {
    return this.read(async (db) => {
      const { sequence, prunedTo } = await readLogState(db);
      if (after < prunedTo || after > sequence) return null;
      const changes = await presentState(db, await changedAfter(db, after));
      return { sequence, changes };
    });
  }

  /**
   * Everything that is published, as of one number, for as long as `use` takes; on a connection of its own so that
   * nothing waits for it.
   */
  async readEverything<T>(use: (published: PublishedEverything) => Promise<T>): Promise<T> {
    const connection = this.#dialect.connect('read');
    try {
      return await connection
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          const { sequence } = await readLogState(transaction);
          return use({ sequence, changes: everything(transaction) });
        });
    } finally {
      await connection.destroy();
    }
  }

  /** Forgets what numbers below `before` changed; whoever is further behind reads everything. */
  async pruneChanges(before: number): Promise<void> {
    await this.#writer.transaction().execute((transaction) => pruneLog(transaction, before));
  }

  /**
   * Sees to it that somebody can sign in as owner.
   * @param given LOADOUT_ADMIN_TOKEN, which replaces the one given before
   * @returns a token that was just made, to be shown this once; null when there was no need
   * @throws GivenTokenInvalid
   */
  async ensureOwner(given?: string): Promise<string | null> {
    if (given !== undefined && !isToken(given)) throw new GivenTokenInvalid();
    const { value } = await this.write(systemActor, (write) => ensureOwner(write, given));
    return value;
  }
}

const visible = /^[\x21-\x7e]+$/;

function isToken(text: string): boolean {
  return (
    text.length >= givenTokenCharsMin && text.length <= givenTokenCharsMax && visible.test(text)
  );
}

/** By SQLite's codes; a driver wraps none of them. */
function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR');
}
