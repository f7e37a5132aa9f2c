/** Receives an export, writes it to a file that is complete or not there, and reports what was written. */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailure, reasonOf } from '../terminal/failure.js';
import { printLine, printNote } from '../terminal/output.js';

/** Writes under another name until the file is whole: what has the name `out` is a complete export. */
export async function writeWhole(chunks: AsyncIterable<Uint8Array>, out: string): Promise<void> {
  const partial = `${out}.partial`;
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(partial));
    renameSync(partial, out);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * The body of a response, piece by piece.
 * @throws CommandFailure when the connection is lost
 */
export async function* received(
  body: AsyncIterable<Uint8Array> | Iterable<never>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw cutOff(` (${reasonOf(error)})`);
  }
}

/** @param why in brackets, behind a space; '' where it is not known */
export function cutOff(why = ''): CommandFailure {
  return new CommandFailure(`The export was cut off before its end${why}: try again.`);
}

export function reportExport(json: boolean, facts: object, words: string): void {
  if (json) printLine(JSON.stringify(facts));
  else printNote(words);
}
