/** Reads a text from a file or from standard input: UTF-8 or rejected, without a byte-order mark. */

import { createReadStream } from 'node:fs';
import { CommandFailure, misuse, unreadable } from './failure.js';
import { io } from './io.js';
import { inputBytesMax } from './limits.js';

/** The name for standard input where a file is asked for. */
export const standardInput = '-';

/**
 * The text of `path`, or of standard input for `-`. A leading byte-order mark is dropped: it is no
 * part of the text, and JSON does not allow it.
 * @throws CommandFailure when it cannot be read, is too large or is not UTF-8
 */
export async function readText(path: string): Promise<string> {
  const name = path === standardInput ? 'standard input' : path;
  if (path === standardInput && io().stdin.isTTY) {
    throw misuse('Nothing is piped into standard input: name a file, or pipe the text in.');
  }
  const bytes = await readBytes(path, name);
  const text = decodeText(bytes, name);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

async function readBytes(path: string, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const input = path === standardInput ? io().stdin : createReadStream(path);
    for await (const chunk of input as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > inputBytesMax) {
        throw new CommandFailure(`${name} is larger than ${inputBytesMax / 1024 / 1024} MiB.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw unreadable(name, error);
  }
  return Buffer.concat(chunks, length);
}

/** The text of UTF-8 bytes, a byte-order mark included. `name` is for the error message. */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const first = bytes[0];
    const second = bytes[1];
    const wide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    const hint = wide ? ' It looks like UTF-16.' : '';
    const line = lineOfInvalidByte(bytes);
    throw new CommandFailure(`${name} is not UTF-8 (line ${line}).${hint} Save it as UTF-8.`);
  }
}

/** The line, from 1, of the first byte that is not UTF-8; by halving, which is fast enough for an error message. */
function lineOfInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isValidPrefix(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  let line = 1;
  for (let at = 0; at < valid; at += 1) if (bytes[at] === 0x0a) line += 1;
  return line;
}

function isValidPrefix(prefix: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(prefix, { stream: true });
    return true;
  } catch {
    return false;
  }
}
