/** Passes on what a child process writes to its standard error, by whole lines. */
import type { Readable } from 'node:stream';

/** A line without an end is passed on in parts of this many characters: a native crash may write anything. */
const lineCharsMax: number = 256 * 1024;

/** Calls `pass` with each line and its line break, the last one also when the process ended in the middle of it. */
export function relayLines(from: Readable, pass: (line: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (piece: string) => {
    const whole = rest + piece;
    const lines = whole.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) pass(`${line}\n`);
    if (rest.length < lineCharsMax) return;
    pass(`${rest}\n`);
    rest = '';
  });
  from.on('end', () => {
    if (rest !== '') pass(`${rest}\n`);
  });
  // The process is gone, which its end says better.
  from.on('error', () => undefined);
}
