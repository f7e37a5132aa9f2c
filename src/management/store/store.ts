/** The store: opens it, runs reads and writes as transactions, and gives delivery's view of what changed. */
import type { Kysely } from 'kysely';
import type { PublishedChange } from '../../published/change.js';
import { replicaAwayMs } from '../limits/fleet.js';
import {
  appendChanges,
  changedAfter,
  findMark,
  type LogFrom,
  type LogPosition,
  moveLogBeyond,
  pruneLog,
  readLogFrom,
  readLogState,
} from './change-log.js';
import { inSnapshot, withConnection } from './connection.js';
import type { CommitEvent, Db, StoreDialect } from './dialect.js';
import { enqueueEvents } from './events/enqueue-events.js';
import { followLive } from './experiments/follow-live.js';
import { migrate, schemaNewest } from './migrate.js';
import { everything, findAnyLive, presentState } from './published-state.js';
import {
  isDiskError,
  StoreDamaged,
  StoreUnavailable,
  TextDamaged,
  UpgradeInProgress,
} from './store-errors.js';
import type { Tables } from './tables/tables.js';
import { type Actor, systemActor, UnitOfWork } from './unit-of-work.js';
import { ensureOwner, expectToken } from './users/ensure-owner.js';

/** What a write gave back, and the number delivery must have reached to show it. */
export interface Written<T> {
  readonly value: T;
  /** The write's own number, or the newest one when it changed nothing that delivery serves. */
  readonly sequence: number;
}

export interface PublishedChanges extends LogPosition {
  readonly changes: PublishedChange[];
}

export interface PublishedEverything extends LogPosition {
  /** One snapshot, read lazily, and once only. */
  readonly changes: AsyncIterableIterator<PublishedChange>;
}

/**
 * Why a log does not say what came after a position: it does not reach back to it (`lost`), or the position is of another
 * history and not older than the newest number, so that numbers would mean two edits (`ahead`).
 */
export type NoChanges = 'lost' | 'ahead';

/** Runs each write of a store inside of something else. */
export type AroundWrite = <T>(write: () => Promise<Written<T>>) => Promise<Written<T>>;

/** What this server serves has a say in what may be written. */
export interface WriteGuard {
  /** The number it serves: the next one must be beyond it. */
  readonly sequence: number;
  /** Why nothing may be written; null: it may. */
  readonly refusal: Error | null;
  /** Whether a store that went back in time may be empty. */
  readonly takesEmpty: boolean;
}

/** A replica has not got it yet. */
const late: unique symbol = Symbol('late');

/** What there is to read after a position. */
function stepFrom(after: LogPosition, log: LogFrom): 'none' | 'some' | NoChanges {
  const isThere = (log.markThere ?? '') === after.mark;
  if (log.sequence === after.sequence && isThere) return 'none';
  if (log.sequence <= after.sequence) return 'ahead';
  return after.sequence < log.prunedTo || !isThere ? 'lost' : 'some';
}

interface FollowOptions {
  readonly after: number;
  /** A replica that has not got this number yet is passed over. */
  readonly atLeast: number;
  /** On a connection of its own. */
  readonly alone: boolean;
}

/** May return `late` for a replica. */
type FollowWork<T> = (
  db: Db,
  log: LogFrom & { readonly isReplica: boolean },
) => Promise<T | typeof late>;

export class Store {
  readonly #dialect: StoreDialect;
  /** Writes take turns; readers have connections of their own, so a long write delays none of them. */
  readonly #writer: Kysely<Tables>;
  readonly #reader: Kysely<Tables>;
  /** Where the change log is followed: the reader's server, or a replica of it. */
  readonly #followed: Kysely<Tables>;
  readonly #now: () => number;
  #guard: () => WriteGuard = () => ({ sequence: 0, refusal: null, takesEmpty: true });
  #around: AroundWrite = (write) => write();
  readonly #commitListeners = new Set<(event: CommitEvent) => void>();
  #id: string;
  #streamKey = '';
  #opened: Promise<void> | null = null;
  /** The replica did not respond, which may take seconds to find out. */
  #replicaAwayUntilMs = 0;

  private constructor(dialect: StoreDialect, now: () => number, id: string) {
    this.#dialect = dialect;
    this.#writer = dialect.connect('write');
    this.#reader = dialect.connect('read');
    this.#followed = dialect.kind === 'postgres' ? dialect.connect('follow') : this.#reader;
    this.#now = now;
    this.#id = id;
  }

  /**
   * Opens the store, making or upgrading its schema.
   * @param now milliseconds since the epoch
   * @throws StoreTooNew when a newer version wrote it, StoreUnavailable
   */
  static async open(dialect: StoreDialect, now: () => number): Promise<Store> {
    const store = new Store(dialect, now, '');
    try {
      await store.#open();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /**
   * A store that does not respond yet: the first use after it does opens it.
   * @param id its identity when it responded last
   */
  static later(dialect: StoreDialect, now: () => number, id: string): Store {
    return new Store(dialect, now, id);
  }

  /** Identity of the store; a restored one is another. */
  get id(): string {
    return this.#id;
  }

  /** Its secret (`stream-key.ts`); '' before it has responded. */
  get streamKey(): string {
    return this.#streamKey;
  }

  /** Whether other nodes may write to it, too. */
  get isShared(): boolean {
    return this.#dialect.kind === 'postgres';
  }

  async close(): Promise<void> {
    const connections = new Set([this.#followed, this.#reader, this.#writer]);
    await Promise.all([...connections].map((connection) => connection.destroy()));
  }

  /** Resolves when it has responded once, with a schema of this version. */
  #open(): Promise<void> {
    this.#opened ??= this.#prepare().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #prepare(): Promise<void> {
    await migrate(this.#writer, this.#dialect, this.#now());
    const { storeId, streamKey } = await readLogFrom(this.#writer, 0);
    this.#id = storeId;
    this.#streamKey = streamKey;
  }

  /** Reads in one transaction: what it sees belongs together. */
  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    await this.#open();
    return inSnapshot(this.#reader, work);
  }

  /** The same, with the time that a write would have now, milliseconds since the epoch. */
  async readNow<T>(work: (db: Db, nowMs: number) => Promise<T>): Promise<T> {
    return this.read(async (db) => work(db, await this.#dialect.readClock(db, this.#now())));
  }

  /**
   * Writes in one transaction: all of it or nothing. What it changed is appended to the change log under one
   * number, and its messages to webhooks are queued. The work must decide before it writes: a problem that it
   * returns does not undo anything.
   * @throws StoreUnavailable, UpgradeInProgress
   */
  write<T>(actor: Actor, work: (write: UnitOfWork) => Promise<T>): Promise<Written<T>> {
    return this.#around(() => this.#write(actor, work));
  }

  async #write<T>(actor: Actor, work: (write: UnitOfWork) => Promise<T>): Promise<Written<T>> {
    try {
      await this.#open();
      const done = await this.#writer
        .transaction()
        .execute((transaction) => this.#writeIn(transaction, actor, work));
      this.#emit(done.event);
      return done.written;
    } catch (error) {
      throw isDiskError(error) ? new StoreUnavailable(error) : error;
    }
  }

  async #writeIn<T>(
    transaction: Db,
    actor: Actor,
    work: (write: UnitOfWork) => Promise<T>,
  ): Promise<{ readonly written: Written<T>; readonly event: CommitEvent }> {
    const log = await this.#dialect.lockWrites(transaction, this.#now());
    if (log.writersMin > schemaNewest) throw new UpgradeInProgress();
    const { refusal, sequence: served, takesEmpty } = this.#guard();
    if (refusal !== null) throw new StoreUnavailable(refusal, refusal.message);
    // The store went back in time, which is noticed only here: its next number must not be one that is served.
    const isMoved = log.sequence < served;
    if (isMoved && !takesEmpty && (await findAnyLive(transaction)) === null) {
      throw new StoreUnavailable(null, 'The store is empty: is it the right one?');
    }
    const before = isMoved ? await moveLogBeyond(transaction, served, log.atMs) : log.sequence;
    const write = new UnitOfWork(transaction, actor, log.atMs, before + 1);
    const value = await work(write);
    await followLive(write);
    const isPublished = write.takesSequence;
    const sequence = isPublished
      ? await appendChanges(transaction, write.changed, write.at)
      : before;
    const queued = await enqueueEvents(write, sequence);
    const webhooks = [...new Set([...queued, ...write.woken])];
    const event: CommitEvent = {
      ...(isPublished || isMoved ? { sequence } : {}),
      ...(write.audited.length > 0 ? { audited: true } : {}),
      ...(webhooks.length > 0 ? { webhooks } : {}),
    };
    if (Object.keys(event).length > 0) await this.#dialect.notify?.(transaction, event);
    return { written: { value, sequence }, event };
  }

  /** From now on every write asks this first. */
  guardWrites(guard: () => WriteGuard): void {
    this.#guard = guard;
  }

  /** From now on every write runs inside of this. */
  surroundWrites(around: AroundWrite): void {
    this.#around = around;
  }

  /**
   * Calls `listener` for each commit of this process and, as far as `receive` is called, of other nodes. Some commits are
   * reported twice, and some of other nodes are missed while the connection to the database is broken.
   * @returns ends it
   */
  onCommit(listener: (event: CommitEvent) => void): () => void {
    this.#commitListeners.add(listener);
    return () => this.#commitListeners.delete(listener);
  }

  /** A commit of another node. */
  receive(event: CommitEvent): void {
    this.#emit(event);
  }

  #emit(event: CommitEvent): void {
    for (const listener of this.#commitListeners) listener(event);
  }

  /** The newest number given out; 0 when nothing was ever published. */
  async sequence(): Promise<number> {
    await this.#open();
    return (await readLogState(this.#reader)).sequence;
  }

  /**
   * The present state of everything that changed after a position, or `many` when that is more than `countMax` names.
   * @param atLeast a number that the result must have; a replica that has not got it yet is passed over
   */
  async readChanges(
    after: LogPosition,
    countMax: number = Number.POSITIVE_INFINITY,
    atLeast = 0,
  ): Promise<PublishedChanges | 'many' | NoChanges> {
    return this.#follow({ after: after.sequence, atLeast, alone: false }, async (db, log) => {
      const { sequence, mark, isReplica } = log;
      const step = stepFrom(after, log);
      if (step === 'none') return { sequence, mark, changes: [] };
      if (step !== 'some') {
        // Only the primary knows whether it is late or of another history.
        if (!isReplica) return step;
        return step === 'ahead' && sequence < after.sequence ? { ...after, changes: [] } : late;
      }
      const names = await changedAfter(db, after.sequence);
      if (names.length > countMax) return 'many';
      const changes: PublishedChange[] = [];
      for await (const change of presentState(db, names)) changes.push(change);
      return { sequence, mark, changes };
    });
  }

  /**
   * The same for as long as `use` takes, read as it is asked for, on a connection of its own: after a large import
   * neither all of it is in memory, nor does any other read wait for it.
   * @throws StoreUnavailable also when the log does not reach back to it any more
   */
  async readManyChanges<T>(
    after: LogPosition,
    atLeast: number,
    use: (published: PublishedEverything) => Promise<T>,
  ): Promise<T> {
    return this.#follow({ after: after.sequence, atLeast, alone: true }, async (db, log) => {
      const { sequence, mark, isReplica } = log;
      if (stepFrom(after, log) !== 'some') {
        if (isReplica) return late;
        throw new StoreUnavailable(null, 'The log of changes has moved on meanwhile.');
      }
      const names = await changedAfter(db, after.sequence);
      return use({ sequence, mark, changes: presentState(db, names) });
    });
  }

  /**
   * Everything that is published, as of one number, for as long as `use` takes; on a connection of its own so that
   * nothing waits for it.
   * @param atLeast a number that it must be of; a replica that has not got it yet is passed over
   */
  async readEverything<T>(
    atLeast: number,
    use: (published: PublishedEverything) => Promise<T>,
  ): Promise<T> {
    return this.#follow({ after: 0, atLeast, alone: true }, async (db, { sequence, mark }) =>
      use({ sequence, mark, changes: everything(db) }),
    );
  }

  /** The error that says where the store is damaged, and what to do. */
  damaged(what: string): StoreDamaged {
    return new StoreDamaged(this.#dialect.place, what, this.#dialect.remedy);
  }

  /** Reads from where the log is followed; from the primary if the replica is late or unreachable. */
  async #follow<T>(options: FollowOptions, work: FollowWork<T>): Promise<T> {
    await this.#open();
    const { after, atLeast } = options;
    try {
      // A number that this server received from the primary is mostly not on the replica yet.
      const isReplicaAsked = this.#dialect.followsReplica && atLeast <= after;
      if (isReplicaAsked && this.#now() >= this.#replicaAwayUntilMs) {
        const found = await this.#followReplica(options, work);
        if (found !== late) return found;
      }
      return (await this.#followOne(false, options, work)) as T;
    } catch (error) {
      throw error instanceof TextDamaged ? this.damaged(error.message) : error;
    }
  }

  async #followReplica<T>(options: FollowOptions, work: FollowWork<T>): Promise<T | typeof late> {
    try {
      return await this.#followOne(true, options, work);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error instanceof StoreDamaged) throw error;
      this.#replicaAwayUntilMs = this.#now() + replicaAwayMs;
      return late;
    }
  }

  #followOne<T>(
    isReplica: boolean,
    { after, atLeast, alone }: FollowOptions,
    work: FollowWork<T>,
  ): Promise<T | typeof late> {
    const read = async (db: Db): Promise<T | typeof late> => {
      const log = await readLogFrom(db, after);
      if (isReplica && log.sequence < atLeast) return late;
      if (!isReplica) {
        this.#id = log.storeId;
        this.#streamKey = log.streamKey;
      }
      return work(db, { ...log, isReplica });
    };
    const use = isReplica || !this.#dialect.followsReplica ? 'follow' : 'read';
    if (alone) return this.#readAlone(use, read);
    return inSnapshot(isReplica ? this.#followed : this.#primary, read);
  }

  /** Where the log is read that must not be late. */
  get #primary(): Kysely<Tables> {
    return this.#dialect.followsReplica ? this.#reader : this.#followed;
  }

  /** Which store it is now, and whether no content is live in it. */
  async look(): Promise<{ readonly id: string; readonly servesNothing: boolean }> {
    return this.read(async (db) => {
      const { storeId } = await readLogState(db);
      this.#id = storeId;
      return { id: storeId, servesNothing: (await findAnyLive(db)) === null };
    });
  }

  /**
   * Moves the numbers beyond a position that is `ahead`: the store went back in time (a backup, a standby that had
   * not got everything), or is another one. Does nothing if it is not so any more.
   */
  async moveBeyond(position: LogPosition): Promise<void> {
    await this.#open();
    await this.#writer.transaction().execute(async (transaction) => {
      const { sequence, atMs } = await this.#dialect.lockWrites(transaction, this.#now());
      if (sequence > position.sequence) return;
      const mark = (await findMark(transaction, position.sequence)) ?? '';
      if (sequence === position.sequence && mark === position.mark) return;
      const moved = await moveLogBeyond(transaction, position.sequence, atMs);
      await this.#dialect.notify?.(transaction, { sequence: moved });
    });
  }

  /** A long read in one transaction, on a connection of its own: no other read waits for it. */
  async readSnapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#readAlone('read', work);
  }

  async #readAlone<T>(use: 'read' | 'follow', work: (db: Db) => Promise<T>): Promise<T> {
    await this.#open();
    return withConnection(this.#dialect, use, (db) => inSnapshot(db, work));
  }

  /** The same for what is read bit by bit: the snapshot lasts until the reader has all of it, or stops. */
  async *readStream<T>(read: (db: Db) => AsyncGenerator<T>): AsyncGenerator<T> {
    await this.#open();
    const connection = this.#dialect.connect('read');
    try {
      const begin = connection.startTransaction().setIsolationLevel('repeatable read');
      const transaction = await begin.execute();
      try {
        yield* read(transaction);
      } finally {
        await transaction.rollback().execute();
      }
    } finally {
      await connection.destroy();
    }
  }

  /** Forgets what numbers below `before` changed; followers that are further behind read everything. */
  async pruneChanges(before: number): Promise<void> {
    await this.#open();
    await this.#writer.transaction().execute(async (transaction) => {
      await this.#dialect.lockWrites(transaction, this.#now());
      await pruneLog(transaction, before);
    });
  }

  /**
   * Ensures that an owner can sign in.
   * @param given LOADOUT_ADMIN_TOKEN, which replaces the one given before
   * @param keep receives a token that is made, within the transaction
   * @returns a token that was just made, to be shown this once; null when there was no need
   * @throws GivenTokenInvalid, and what `keep` throws
   */
  async ensureOwner(given?: string, keep?: (token: string) => void): Promise<string | null> {
    if (given !== undefined) expectToken(given);
    const { value } = await this.write(systemActor, (write) => ensureOwner(write, given, keep));
    return value;
  }
}
