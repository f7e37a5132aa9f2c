/**
 * Estimates how large a regular expression becomes before it is compiled: `(a{30}){30}` is short to write, and
 * compiling a thousand characters of such can take half a second. Too low an estimate costs time, never correctness:
 * the program that comes out is measured too.
 */

const countedRepeat = /\{(\d+)(?:(,)(\d*))?\}/y;

/** The number of characters and classes that `pattern` spells once its counted repetitions are written out. */
export function estimatePatternSize(pattern: string): number {
  // The sizes of the groups that are still open, the whole pattern being the outermost.
  const open: number[] = [];
  let total = 0;
  let last = 0; // The part of `total` that a repetition would multiply.
  for (let i = 0; i < pattern.length; i++) {
    switch (pattern[i]) {
      case '\\':
        i++;
        last = 1;
        total += 1;
        break;
      case '[':
        i = classEnd(pattern, i);
        last = 1;
        total += 1;
        break;
      case '(':
        open.push(total);
        total = 0;
        last = 0;
        break;
      case ')': {
        const before = open.pop() ?? 0;
        last = total + 1;
        total = before + last;
        break;
      }
      case '{': {
        countedRepeat.lastIndex = i;
        const repeat = countedRepeat.exec(pattern);
        if (repeat === null) {
          last = 1;
          total += 1;
          break;
        }
        const repeated = last * Math.max(1, Number(repeat[3] || repeat[1]));
        total += repeated - last;
        last = repeated;
        i += repeat[0].length - 1;
        break;
      }
      case '*':
      case '+':
      case '?':
        break;
      default:
        last = 1;
        total += 1;
    }
  }
  for (const before of open) total += before;
  return total;
}

/** The index of the `]` that closes the class at `start`, or the last index of the pattern. */
function classEnd(pattern: string, start: number): number {
  // A `]` that comes first is a member of the class in RE2, and closes it in JavaScript; either reading will do here.
  for (let i = start + 2; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === ']') return i;
  }
  return pattern.length - 1;
}
