/**
 * Writes lines to standard output or standard error (D55). A disk that is full, a reader that is gone and a pipe that no process
 * empties neither end nor stall the process: lines that cannot be written are dropped and counted, nothing else happens.
 */
import { constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs';

/** Bytes that wait for a slow reader: some thousand lines. Beyond it lines are dropped. */
const waitingBytesMax: number = 256 * 1024;
/** How soon a pipe that was full is tried again, milliseconds. */
const retryMs = 50;

/** Who a dropped line is counted for. */
export interface DroppedLines {
  count: number;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly dropped: DroppedLines;
}

const streams = new Map<1 | 2, StandardStream>();

/** The one of this process. Writers to the same stream take turns by whole lines. */
export function standardStream(fd: 1 | 2): StandardStream {
  const known = streams.get(fd);
  if (known !== undefined) return known;
  const stream = new StandardStream(openWithoutWaiting(fd));
  streams.set(fd, stream);
  return stream;
}

export class StandardStream {
  readonly #fd: number;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Bytes of the first waiting line that are written already: the rest must come before any other line. */
  #written = 0;
  #retry: NodeJS.Timeout | null = null;
  /** Lines that could not be written, of those that `write` was not given another count for. */
  readonly dropped: DroppedLines = { count: 0 };

  /** @param fd writes to it never wait: a file, or open with O_NONBLOCK */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /**
   * Writes a line now, or keeps it while the reader is slow. Never throws.
   * @param line with its line break
   */
  write(line: string, dropped: DroppedLines = this.dropped): void {
    const bytes = Buffer.from(line);
    if (this.#waiting.length > 0 && this.#waitingBytes + bytes.byteLength > waitingBytesMax) {
      this.#flush();
      if (this.#waitingBytes + bytes.byteLength > waitingBytesMax) {
        dropped.count += 1;
        return;
      }
    }
    this.#waiting.push({ bytes, dropped });
    this.#waitingBytes += bytes.byteLength;
    this.#flush();
  }

  #flush(): void {
    try {
      for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
        this.#written += writeSync(this.#fd, first.bytes, this.#written);
        if (this.#written === first.bytes.byteLength) this.#shift();
      }
    } catch (error) {
      if (isFull(error)) this.#retryLater();
      else this.#dropWhole();
    }
  }

  #shift(): void {
    this.#waitingBytes -= this.#waiting.shift()?.bytes.byteLength ?? 0;
    this.#written = 0;
  }

  /** A line that is partly written stays: its rest comes first when there is room again, so no line is torn. */
  #dropWhole(): void {
    const kept = this.#written > 0 ? 1 : 0;
    for (const { bytes, dropped } of this.#waiting.splice(kept)) {
      dropped.count += 1;
      this.#waitingBytes -= bytes.byteLength;
    }
  }

  #retryLater(): void {
    if (this.#retry !== null) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#flush();
    }, retryMs).unref();
  }
}

/** The reader takes nothing for now. */
function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EINTR';
}

/**
 * Gives a descriptor that never waits. O_NONBLOCK belongs to the open file, which is shared with the parent process and
 * may confuse it, so a pipe or a terminal is opened a second time. A socket cannot be (journald's, say).
 */
function openWithoutWaiting(fd: 1 | 2): number {
  const stats = fstatSync(fd);
  // What is written to a file waits for no reader.
  if (stats.isFile()) return fd;
  return openAgain(fd, stats) ?? makeNonBlocking(fd);
}

function openAgain(fd: number, stats: Stats): number | null {
  if (process.platform !== 'linux' || stats.isSocket()) return null;
  try {
    const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  } catch {
    // It belongs to another user, or its reader is gone.
    return null;
  }
}

/** Node sets O_NONBLOCK on pipes and sockets when it makes its own stream of them. Nothing is written by that one. */
function makeNonBlocking(fd: 1 | 2): number {
  const stream = fd === 1 ? process.stdout : process.stderr;
  stream.on('error', () => undefined);
  return fd;
}
