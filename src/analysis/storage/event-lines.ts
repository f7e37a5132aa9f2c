/** Reads event files, a part at a time. What a damaged disk has made of a line is told apart from an event, whatever it is. */
import { open } from 'node:fs/promises';
import { type EventLine, parseEventLine } from '../../published/event-line.js';

const lineBreak = 0x0a;
const partBytes = 1024 * 1024;
/** A line is smaller than the body that it came in; in what is longer, a line break was lost. */
export const lineBytesMax: number = 1024 * 1024;

/**
 * The lines of a file, some at a time, in order. A line that is too long is given as the empty text, which is no event.
 */
export async function* linesOf(path: string): AsyncGenerator<readonly string[]> {
  const file = await open(path, 'r');
  const part = Buffer.allocUnsafe(partBytes);
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  try {
    for (;;) {
      const { bytesRead } = await file.read(part, 0, partBytes);
      if (bytesRead === 0) break;
      const known = Buffer.concat([rest, part.subarray(0, bytesRead)]);
      const end = known.lastIndexOf(lineBreak);
      rest = known.subarray(end + 1);
      const lines = end < 0 ? [] : known.toString('utf8', 0, end).split('\n');
      if (isTooLong && end >= 0) {
        lines[0] = '';
        isTooLong = false;
      }
      if (rest.byteLength > lineBytesMax) {
        isTooLong = true;
        rest = Buffer.alloc(0);
      }
      yield lines;
    }
  } finally {
    await file.close();
  }
  // A sealed file ends with a line break, unless it was cut.
  if (rest.byteLength > 0 || isTooLong) yield [rest.toString('utf8')];
}

/**
 * What stands in a file that waits in the place of a line of a user who was forgotten. The lines behind it keep their numbers, by
 * which a sink knows how far the file was sent.
 */
export const forgottenLine = '-';

const environmentId = /^(?!\.{1,2}$)[a-z0-9._-]{1,100}$/;

/** @returns null for what is no event */
export function readEvent(text: string): EventLine | null {
  const line = parseEventLine(text);
  return line !== null && isEvent(line) ? line : null;
}

function isEvent({ r, env, u, e }: EventLine): boolean {
  const isTimed = Number.isSafeInteger(r) && Number.isSafeInteger(e.at) && r > 0 && e.at > 0;
  // It becomes the name of a folder.
  if (!isTimed || r > latestMs || e.at > r || u === '') return false;
  if (typeof env !== 'string' || !environmentId.test(env)) return false;
  return e.t === 'metric'
    ? typeof e.n === 'string' && Number.isFinite(e.x)
    : e.t === 'exposure' && typeof e.id === 'string' && Array.isArray(e.seg);
}

/** 9999-12-31: later years have five digits, which no column takes. */
const latestMs = Date.UTC(9999, 11, 31);
