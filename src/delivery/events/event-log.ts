/**
 * The events of one delivery process on their way to the disk: a bounded queue, and one file at a time, which is sealed when it
 * is old or long enough (D96). No request waits for it. A disk that takes nothing stops the taking of events, and nothing else.
 */
import { statfs } from 'node:fs/promises';
import { eventFileName } from '../../published/event-files.js';
import {
  eventDiskReserveBytes,
  eventFileBytesMax,
  eventFileMsMax,
  eventRetryMs,
  eventSyncMs,
  eventWriteMs,
} from '../limits.js';
import { EventFile, makeSealedNow } from './event-file.js';
import { EventQueue } from './event-queue.js';

interface EventLogParts {
  /** Of event files, with its folders `open` and `sealed`. */
  readonly folder: string;
  readonly pid: number;
  /** When the process started, milliseconds since the epoch. */
  readonly epochMs: number;
  /** The disk takes nothing; called once until it does again. */
  readonly failed: (error: unknown) => void;
  /** The disk takes events again. */
  readonly resumed: () => void;
}

/** Of these, tests choose others. */
export interface EventLogLimits {
  readonly queueBytesMax?: number;
  readonly fileMsMax?: number;
  readonly fileBytesMax?: number;
  readonly diskReserveBytes?: number;
  readonly retryMs?: number;
}

export class EventLog {
  readonly #parts: EventLogParts;
  readonly #fileMsMax: number;
  readonly #fileBytesMax: number;
  readonly #diskReserveBytes: number;
  readonly #retryMs: number;
  readonly #queue: EventQueue;
  #file: EventFile | null = null;
  #filesMade = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The next turn writes what was taken last. */
  #isWriteDue = false;
  /** The turn of work that is under way. */
  #turn: Promise<void> | null = null;
  #syncing: Promise<void> | null = null;
  /** Null, or what a sync that no turn waits for has failed with. */
  #syncFailure: { readonly error: unknown } | null = null;
  /** When the first of the bytes that are not on the disk was written, performance.now(). */
  #unsyncedSinceMs = 0;
  #roomCheckedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** The disk takes nothing for now. */
  isBlocked = false;

  constructor(parts: EventLogParts, limits: EventLogLimits = {}) {
    this.#parts = parts;
    this.#fileMsMax = limits.fileMsMax ?? eventFileMsMax;
    this.#fileBytesMax = limits.fileBytesMax ?? eventFileBytesMax;
    this.#diskReserveBytes = limits.diskReserveBytes ?? eventDiskReserveBytes;
    this.#retryMs = limits.retryMs ?? eventRetryMs;
    this.#queue = new EventQueue(limits.queueBytesMax);
  }

  /** What waits to be written, bytes. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /**
   * Takes lines, which are written soon.
   * @returns false: it takes none now, and none of these
   */
  append(lines: string): boolean {
    if (this.isBlocked || this.#isClosed || !this.#queue.add(lines)) return false;
    if (!this.#isWriteDue && this.#turn === null) {
      this.#isWriteDue = true;
      this.#wakeIn(eventWriteMs);
    }
    return true;
  }

  /** Writes what waits and seals the file. @returns lines that could not be written, which are lost */
  async close(): Promise<number> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#turn;
    try {
      await this.#write();
      await this.#seal();
    } catch (error) {
      this.#block(error);
      await this.#file?.abandon();
    }
    return this.#queue.count;
  }

  /** The same at the end of a process that goes no further. Does nothing after `close`. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pieces = this.#queue.pieces();
    try {
      if (this.#file !== null) this.#file.sealNow(pieces);
      else if (pieces.length > 0) makeSealedNow(this.#parts.folder, this.#nextName(), pieces);
    } catch {
      // The control process seals what is there, and the process that fails has said why.
    }
  }

  #wakeIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), delayMs).unref();
  }

  #begin(): void {
    this.#isWriteDue = false;
    this.#turn = this.#work().finally(() => {
      this.#turn = null;
      const delayMs = this.#isClosed ? null : this.#nextTurnInMs();
      if (delayMs !== null) this.#wakeIn(delayMs);
    });
  }

  async #work(): Promise<void> {
    try {
      await this.#checkRoom();
      await this.#write();
      this.#syncIfDue();
      if (this.#isSealDue()) await this.#seal();
      if (this.isBlocked) this.#parts.resumed();
      this.isBlocked = false;
    } catch (error) {
      this.#block(error);
    }
  }

  /** How soon there is something to do; null: nothing is. */
  #nextTurnInMs(): number | null {
    if (this.isBlocked) return this.#retryMs;
    this.#isWriteDue = this.#queue.bytes > 0;
    if (this.#isWriteDue || this.#syncing !== null) return eventWriteMs;
    const file = this.#file;
    if (file === null) return null;
    const isSynced = file.synced === file.length;
    const atMs = isSynced ? file.openedAtMs + this.#fileMsMax : this.#unsyncedSinceMs + eventSyncMs;
    return Math.max(0, atMs - performance.now());
  }

  async #write(): Promise<void> {
    if (this.#queue.bytes === 0) return;
    this.#file ??= await this.#makeFile();
    const file = this.#file;
    if (file.synced === file.length) this.#unsyncedSinceMs = performance.now();
    while (this.#queue.bytes > 0) {
      const length = await file.write(this.#queue.pieces());
      // Both at once: `closeNow` may come at any turn.
      file.length += length;
      this.#queue.written(length);
    }
  }

  #makeFile(): Promise<EventFile> {
    return EventFile.make(this.#parts.folder, this.#nextName(), performance.now());
  }

  #nextName(): string {
    const { pid, epochMs } = this.#parts;
    this.#filesMade += 1;
    return eventFileName(pid, epochMs, this.#filesMade - 1);
  }

  /** Writing goes on meanwhile. */
  #syncIfDue(): void {
    if (this.#syncFailure !== null) {
      const { error } = this.#syncFailure;
      this.#syncFailure = null;
      throw error;
    }
    const file = this.#file;
    if (file === null || file.synced === file.length || this.#syncing !== null) return;
    if (performance.now() < this.#unsyncedSinceMs + eventSyncMs) return;
    this.#unsyncedSinceMs = performance.now();
    this.#syncing = file
      .sync()
      .catch((error: unknown) => {
        this.#syncFailure = { error };
      })
      .finally(() => {
        this.#syncing = null;
      });
  }

  #isSealDue(): boolean {
    const file = this.#file;
    if (file === null) return false;
    const isOld = performance.now() >= file.openedAtMs + this.#fileMsMax;
    return isOld || file.length >= this.#fileBytesMax;
  }

  async #seal(): Promise<void> {
    await this.#syncing;
    const file = this.#file;
    this.#file = null;
    await file?.seal();
  }

  /** Events leave the store and the log some room on a disk that they share. */
  async #checkRoom(): Promise<void> {
    const nowMs = performance.now();
    if (!this.isBlocked && nowMs < this.#roomCheckedAtMs + eventRetryMs) return;
    this.#roomCheckedAtMs = nowMs;
    const { bavail, bsize } = await statfs(this.#parts.folder);
    if (bavail * bsize >= this.#diskReserveBytes) return;
    throw new Error('The disk of the event files is full but for what is kept for other files.');
  }

  #block(error: unknown): void {
    if (!this.isBlocked) this.#parts.failed(error);
    this.isBlocked = true;
  }
}
