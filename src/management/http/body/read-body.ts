/** Reads a request's body whole, within its route's limit, once there is room for it in the budget of all bodies. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../../../contract/problems.js';
import { bodyBytesPerSecondMin, bodyGraceMsMax, bodyStalledMsMax } from '../../limits/bodies.js';
import { RequestRejected } from '../request-rejected.js';
import type { BodyShare } from './body-budget.js';
import type { BodyBudgets } from './body-budgets.js';

/** What of a budget a request holds; given back with the response. */
interface BodyHolder {
  bodyShare: BodyShare | null;
}

/** The body cannot be taken; the sender may still be sending it. */
export class BodyRejected extends RequestRejected {}

/** When a body that holds room counts as overdue, milliseconds; a test has shorter ones. */
export interface BodyDeadlines {
  /** Without a byte. */
  readonly stalledMsMax: number;
  /** For all of it, with that many bytes a second besides. */
  readonly graceMsMax: number;
  readonly bytesPerSecondMin: number;
}

export const defaultBodyDeadlines: BodyDeadlines = {
  stalledMsMax: bodyStalledMsMax,
  graceMsMax: bodyGraceMsMax,
  bytesPerSecondMin: bodyBytesPerSecondMin,
};

export interface BodyReader {
  readonly budgets: BodyBudgets;
  readonly deadlines: BodyDeadlines;
}

/**
 * All bytes of the body. One whose size is not declared is read up to `freeBytes`, and then waits for as much room as
 * its route may need.
 * @throws BodyRejected
 */
export async function readBody(
  reader: BodyReader,
  stream: IncomingMessage,
  holder: BodyHolder,
  bytesMax: number,
): Promise<Buffer> {
  const declared = declaredBytes(stream);
  if (declared !== null && declared > bytesMax) throw rejectLarge(stream, bytesMax);
  const { budgets } = reader;
  if (declared !== null && declared > budgets.freeBytes) {
    holder.bodyShare = await takeShare(budgets, stream, declared);
  }
  return new BodyRead(reader, stream, holder, bytesMax, declared).done;
}

/** From `Content-Length`, which Node's parser has checked; null: the body is chunked. */
export function declaredBytes({ headers }: IncomingMessage): number | null {
  const declared = headers['content-length'];
  return declared === undefined ? null : Number(declared);
}

/** @throws BodyRejected */
export async function takeShare(
  budgets: BodyBudgets,
  stream: IncomingMessage,
  bytes: number,
): Promise<BodyShare> {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  stream.once('close', abort);
  const share = await budgets.take(bytes, gone.signal);
  stream.off('close', abort);
  if (share !== null) return share;
  readAway(stream);
  throw new BodyRejected(
    new Problem('overloaded', 'Too many large requests are under way; try again later.'),
  );
}

function rejectLarge(stream: IncomingMessage, bytesMax: number): BodyRejected {
  readAway(stream);
  return new BodyRejected(
    new Problem('body_too_large', `This route takes at most ${bytesMax} bytes.`),
  );
}

/** A sender that is not read from never reads the problem. What it sends is discarded; its time is limited. */
function readAway(stream: IncomingMessage): void {
  stream.removeAllListeners('data');
  stream.resume();
}

class BodyRead {
  readonly done: Promise<Buffer>;
  readonly #reader: BodyReader;
  readonly #stream: IncomingMessage;
  readonly #holder: BodyHolder;
  readonly #bytesMax: number;
  /** Where the bytes go once it is known how many there may be; until then they are in `#pieces`. */
  #bytes: Buffer | null = null;
  #pieces: Buffer[] = [];
  #length = 0;
  #isLate = false;
  #settled = false;
  #resolve: (body: Buffer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #stalled: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(
    reader: BodyReader,
    stream: IncomingMessage,
    holder: BodyHolder,
    bytesMax: number,
    declared: number | null,
  ) {
    this.#reader = reader;
    this.#stream = stream;
    this.#holder = holder;
    this.#bytesMax = bytesMax;
    // Memory that is not written to takes no room yet, and joining pieces would take twice the room.
    if (declared !== null) this.#bytes = Buffer.allocUnsafeSlow(declared);
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (holder.bodyShare !== null) this.#watchProgress(declared ?? bytesMax);
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.once('end', () => this.#end());
    stream.once('error', () => this.#breakOff());
    stream.once('close', () => this.#breakOff());
    // The client went away while it waited for room, and no event says so any more.
    if (stream.destroyed) this.#breakOff();
  }

  #take(chunk: Buffer): void {
    if (this.#settled) return;
    const start = this.#length;
    this.#length += chunk.byteLength;
    if (this.#length > this.#bytesMax) {
      this.#fail(rejectLarge(this.#stream, this.#bytesMax));
      return;
    }
    this.#progressed();
    if (this.#bytes !== null) {
      chunk.copy(this.#bytes, start);
      return;
    }
    this.#pieces.push(chunk);
    if (this.#length > this.#reader.budgets.freeBytes) this.#grow();
  }

  /** More than is free, and it is unknown how much more: room for the most there may be. */
  #grow(): void {
    this.#stream.pause();
    takeShare(this.#reader.budgets, this.#stream, this.#bytesMax).then(
      (share) => {
        if (this.#settled) {
          share.release();
          return;
        }
        this.#holder.bodyShare = share;
        const bytes = Buffer.allocUnsafeSlow(this.#bytesMax);
        let at = 0;
        for (const piece of this.#pieces) at += piece.copy(bytes, at);
        this.#bytes = bytes;
        this.#pieces = [];
        this.#watchProgress(this.#bytesMax);
        this.#stream.resume();
      },
      (error: Error) => this.#fail(error),
    );
  }

  #watchProgress(bytes: number): void {
    const { stalledMsMax, graceMsMax, bytesPerSecondMin } = this.#reader.deadlines;
    const overdue = (): void => {
      this.#holder.bodyShare?.setOverdue(() => this.#fail(tooSlow()));
    };
    this.#stalled = setTimeout(overdue, stalledMsMax);
    this.#late = setTimeout(
      () => {
        this.#isLate = true;
        overdue();
      },
      graceMsMax + (bytes / bytesPerSecondMin) * 1_000,
    );
  }

  #progressed(): void {
    this.#stalled?.refresh();
    if (!this.#isLate) this.#holder.bodyShare?.setOverdue(null);
  }

  #end(): void {
    const whole = this.#bytes ?? Buffer.concat(this.#pieces, this.#length);
    if (this.#settle()) this.#resolve(whole.subarray(0, this.#length));
  }

  #breakOff(): void {
    const detail = 'The body ended before it was complete.';
    this.#fail(new BodyRejected(new Problem('invalid_request', detail)));
  }

  #fail(error: Error): void {
    if (this.#settle()) this.#reject(error);
  }

  /** False: it was before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#stalled);
    clearTimeout(this.#late);
    this.#holder.bodyShare?.setOverdue(null);
    this.#bytes = null;
    this.#pieces = [];
    return true;
  }
}

function tooSlow(): BodyRejected {
  const detail = 'The body came too slowly, and others wait for the memory that it holds.';
  return new BodyRejected(new Problem('request_timeout', detail));
}
