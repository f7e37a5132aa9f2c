/** Reads what a parent responds, within bounds of length and of time. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import {
  followAnswerBytesMax,
  followLineCharsMax,
  followNextTextBytesMax,
} from '../limits/follow.js';
import { StoreUnavailable } from '../store/store-errors.js';

const newline = 0x0a;

/** @throws StoreUnavailable when it is too long */
export async function textOf(
  response: IncomingMessage,
  idleMs: number,
  bytesMax: number = followAnswerBytesMax,
): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of awaited(response, response, idleMs)) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) {
      throw new StoreUnavailable(null, 'The parent says more than a parent would.');
    }
    pieces.push(piece);
  }
  const sent = Buffer.concat(pieces);
  const isCompressed = response.headers['content-encoding'] === 'gzip';
  // At once: for what is this short a stream costs several times as much.
  const text = isCompressed ? gunzipSync(sent, { maxOutputLength: followNextTextBytesMax }) : sent;
  return text.toString('utf8');
}

/** Pieces of a response, which is given up when one is awaited for too long. The time that the reader takes does not count. */
export async function* awaited(
  read: Readable,
  response: IncomingMessage,
  idleMs: number,
  firstMs: number = idleMs,
): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<Buffer> = read[Symbol.asyncIterator]();
  let ms = firstMs;
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new Error('nothing moves')), ms);
      ms = idleMs;
      const piece = await pieces.next().finally(() => clearTimeout(timer));
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/** @throws StoreUnavailable when one is too long, or the last one has no end */
export async function* linesOf(read: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of read) {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      yield Buffer.concat([...pieces, piece.subarray(from, end)]).toString('utf8');
      pieces = [];
      bytes = 0;
      from = end + 1;
    }
    pieces.push(piece.subarray(from));
    bytes += piece.byteLength - from;
    if (bytes > followLineCharsMax) {
      throw new StoreUnavailable(null, 'The parent sends a line that is too long.');
    }
  }
  if (bytes > 0) throw new StoreUnavailable(null, 'A transfer from the parent broke off.');
}

/** @throws StoreUnavailable, in words */
export function parse<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StoreUnavailable(error, 'The parent sends what is not JSON.');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StoreUnavailable(
    parsed.error,
    'The parent sends what this version does not know: upgrade this server. It goes on serving.',
  );
}
