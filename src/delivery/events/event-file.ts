/** One open event file. Bytes are written to their place, not to the end: whatever is written again changes nothing. */
import { closeSync, fdatasyncSync, openSync, renameSync, writevSync } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { openEventsFolder, sealedEventsFolder } from '../../published/event-files.js';

/** Only the user of the server may read it. */
const fileMode = 0o600;

export class EventFile {
  readonly #handle: FileHandle;
  readonly #folder: string;
  readonly #name: string;
  readonly openedAtMs: number;
  /** Bytes that are written; whoever writes keeps it. */
  length = 0;
  /** Those of them that are known to be on the disk. */
  synced = 0;

  private constructor(handle: FileHandle, folder: string, name: string, openedAtMs: number) {
    this.#handle = handle;
    this.#folder = folder;
    this.#name = name;
    this.openedAtMs = openedAtMs;
  }

  /**
   * Makes the file, whose name is on the disk when this resolves.
   * @param folder of event files
   * @param nowMs performance.now()
   */
  static async make(folder: string, name: string, nowMs: number): Promise<EventFile> {
    const path = join(openEventsFolder(folder), name);
    const file = new EventFile(await open(path, 'wx', fileMode), folder, name, nowMs);
    const parent = await open(openEventsFolder(folder), 'r');
    try {
      await parent.sync();
    } finally {
      await parent.close();
    }
    return file;
  }

  /** Writes as much as the disk takes behind `length`. @returns bytes, which may be fewer than the pieces have */
  async write(pieces: readonly Buffer[]): Promise<number> {
    const { bytesWritten } = await this.#handle.writev(pieces, this.length);
    return bytesWritten;
  }

  /** Puts what is written on the disk. */
  async sync(): Promise<void> {
    const { length } = this;
    await this.#handle.datasync();
    this.synced = length;
  }

  /** Nothing is written to it afterwards. */
  async seal(): Promise<void> {
    try {
      if (this.synced < this.length) await this.sync();
    } finally {
      await this.#handle.close();
    }
    if (this.length === 0) await unlink(this.#openPath);
    else await rename(this.#openPath, this.#sealedPath);
  }

  /** Closes it where it is: it is sealed when the process has ended. */
  abandon(): Promise<void> {
    return this.#handle.close();
  }

  /**
   * Writes, syncs and seals without giving way: the process ends. A write that is under way writes the same bytes to the same
   * place.
   */
  sealNow(pieces: readonly Buffer[]): void {
    const { fd } = this.#handle;
    writeAllNow(fd, pieces, this.length);
    fdatasyncSync(fd);
    void this.#handle.close();
    renameSync(this.#openPath, this.#sealedPath);
  }

  get #openPath(): string {
    return join(openEventsFolder(this.#folder), this.#name);
  }

  get #sealedPath(): string {
    return join(sealedEventsFolder(this.#folder), this.#name);
  }
}

/** Makes a sealed file of the pieces without giving way. */
export function makeSealedNow(folder: string, name: string, pieces: readonly Buffer[]): void {
  const path = join(openEventsFolder(folder), name);
  const fd = openSync(path, 'wx', fileMode);
  try {
    writeAllNow(fd, pieces, 0);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(path, join(sealedEventsFolder(folder), name));
}

function writeAllNow(fd: number, pieces: readonly Buffer[], from: number): void {
  let at = from;
  for (const piece of pieces) {
    for (let written = 0; written < piece.byteLength; ) {
      const length = writevSync(fd, [piece.subarray(written)], at);
      written += length;
      at += length;
    }
  }
}
