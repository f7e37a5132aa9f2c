/** The store: opens it, runs reads and writes as transactions, and gives delivery's view of what changed. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { PublishedChange } from '../../published/change.js';
import { givenTokenCharsMax, givenTokenCharsMin } from '../limits.js';
import { enqueueEvents } from '../webhooks/enqueue-events.js';
import { appendChanges, changedAfter, pruneLog, readLogState } from './change-log.js';
import type { Reading, StoreDialect } from './dialect.js';
import { ensureOwner } from './ensure-owner.js';
import { migrate } from './migrate.js';
import { everything, presentState } from './published-state.js';
import { StagedTexts } from './staged-texts.js';
import type { Tables } from './tables.js';
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
  readonly #auditListeners = new Set<() => void>();
  readonly #deliveryListeners = new Set<(webhookIds: readonly string[]) => void>();
  readonly id: string;
  readonly staged: StagedTexts = new StagedTexts();

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
   * number, and what webhooks are to be told of it is queued. The work must decide before it writes: a refusal it
   * returns does not undo anything.
   * @throws StoreUnavailable when the disk is full or fails
   */
  async write<T>(actor: Actor, work: (write: Write) => Promise<T>): Promise<Written<T>> {
    try {
      const done = await this.#writer.transaction().execute(async (transaction) => {
        const write = new Write(transaction, actor, this.#now());
        const value = await work(write);
        const sequence =
          write.changed.length > 0
            ? await appendChanges(transaction, write.changed)
            : (await readLogState(transaction)).sequence;
        const webhookIds = await enqueueEvents(write, sequence);
        return { written: { value, sequence }, audited: write.audited.length > 0, webhookIds };
      });
      if (done.audited) for (const listener of this.#auditListeners) listener();
      if (done.webhookIds.length > 0) {
        for (const listener of this.#deliveryListeners) listener(done.webhookIds);
      }
      return done.written;
    } catch (error) {
      throw isDiskFault(error) ? new StoreUnavailable(error) : error;
    }
  }

  /**
   * Calls `listener` after each commit of this process that added to the audit.
   * @returns to be called when it is to end
   */
  onAudited(listener: () => void): () => void {
    this.#auditListeners.add(listener);
    return () => this.#auditListeners.delete(listener);
  }

  /**
   * Calls `listener` after each commit of this process that queued messages, with the ids of their webhooks.
   * @returns to be called when it is to end
   */
  onDeliveries(listener: (webhookIds: readonly string[]) => void): () => void {
    this.#deliveryListeners.add(listener);
    return () => this.#deliveryListeners.delete(listener);
  }

  /** The newest number given out; 0 when nothing was ever published. */
  async sequence(): Promise<number> {
    return (await readLogState(this.#reader)).sequence;
  }

  /**
   * The present state of everything that changed after a number, or `many` when that is more than `countMax` names.
   * Null: the log does not reach back to it, or it is of another time of this store; read everything instead.
   */
  async readChanges(after: number): Promise<PublishedChanges | null>;
  async readChanges(after: number, countMax: number): Promise<PublishedChanges | 'many' | null>;
  async readChanges(
    after: number,
    countMax: number = Number.POSITIVE_INFINITY,
  ): Promise<PublishedChanges | 'many' | null> {
    return this.read(async (db) => {
      const { sequence, prunedTo } = await readLogState(db);
      if (after < prunedTo || after > sequence) return null;
      const names = await changedAfter(db, after);
      if (names.length > countMax) return 'many';
      const changes: PublishedChange[] = [];
      for await (const change of presentState(db, names)) changes.push(change);
      return { sequence, changes };
    });
  }

  /**
   * The same for as long as `use` takes, read as it is asked for, on a connection of its own: after a large import
   * neither all of it is in memory, nor does anybody wait for it.
   */
  async readManyChanges<T>(
    after: number,
    use: (published: PublishedEverything) => Promise<T>,
  ): Promise<T> {
    return this.readSnapshot(async (db) => {
      const { sequence } = await readLogState(db);
      return use({ sequence, changes: presentState(db, await changedAfter(db, after)) });
    });
  }

  /**
   * Everything that is published, as of one number, for as long as `use` takes; on a connection of its own so that
   * nothing waits for it.
   */
  async readEverything<T>(use: (published: PublishedEverything) => Promise<T>): Promise<T> {
    return this.readSnapshot(async (db) => {
      const { sequence } = await readLogState(db);
      return use({ sequence, changes: everything(db) });
    });
  }

  /** A long read in one transaction, on a connection of its own: no other read waits for it. */
  async readSnapshot<T>(work: (db: Reading) => Promise<T>): Promise<T> {
    const connection = this.#dialect.connect('read');
    try {
      return await connection
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((transaction) => work(transaction));
    } finally {
      await connection.destroy();
    }
  }

  /** The same for what is read bit by bit: the snapshot lasts until the reader has all of it, or stops. */
  async *readStream<T>(read: (db: Reading) => AsyncGenerator<T>): AsyncGenerator<T> {
    const connection = this.#dialect.connect('read');
    try {
      const transaction = await connection
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .execute();
      try {
        yield* read(transaction);
      } finally {
        await transaction.rollback().execute();
      }
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

/** By SQLite's codes, which no driver wraps, and the system's. */
export function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    code.startsWith('SQLITE_FULL') ||
    code.startsWith('SQLITE_IOERR') ||
    code === 'ENOSPC' ||
    code === 'EDQUOT'
  );
}
