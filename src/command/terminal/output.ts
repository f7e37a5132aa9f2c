/** What a command writes: results on stdout, everything else on stderr, so that a pipe carries only the result. */

import { standardStream } from '../../published/standard-stream.js';
import { io } from './io.js';

// C0 and C1 control characters. Descriptions and notes are other people's text: on a terminal it must stay text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

let writeOut = (text: string): unknown => io().stdout.write(text);
let writeNote = (text: string): unknown => io().stderr.write(text);

/** A result, exactly as given. */
export function print(text: string): void {
  writeOut(text);
}

export function printLine(text: string): void {
  writeOut(`${text}\n`);
}

/** A remark that is not part of the result. */
export function printNote(text: string): void {
  writeNote(`${text}\n`);
}

/** From now on, output cannot end or stall the process: a server continues without a reader. */
export function outliveReaders(): void {
  writeOut = (text) => standardStream(1).write(text);
  writeNote = (text) => standardStream(2).write(text);
}

/** Lines of standard output that were lost since `outliveReaders`. */
export function linesLost(): number {
  return standardStream(1).dropped.count;
}

/** The text on one line, without anything that would steer a terminal. */
export function oneLine(text: string): string {
  return text.replace(controlCharacters, ' ');
}

/**
 * Ends quietly when the reader of stdout is gone (`loadout content list | head -1`): that is the
 * reader's decision, not an error.
 */
export function quitWhenReaderIsGone(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
