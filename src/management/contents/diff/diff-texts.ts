/** The unified diff of two texts with their comments, for people to read: bounded in lines, in their length and in work. */
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

export interface TextDiff {
  /** In unified form, without file headers; '' where the texts are the same. */
  readonly text: string;
  /** There is more than is shown: more lines, longer lines, or more differences than are looked for. */
  readonly cut: boolean;
}

/** More than anybody reads at once. */
const linesShownMax = 1_000;
/** A minified text is one line of megabytes. */
const lineCharsMax = 400;
/** Looking for the shortest diff takes the square of the differences: beyond this, or this long, none is shown. */
const editsMax = 4_000;
const searchMsMax = 2_000;
const contextLines = 3;

export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return { text: '', cut: false };
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: contextLines,
    maxEditLength: editsMax,
    timeout: searchMsMax,
  });
  if (patch === undefined) return { text: '', cut: true };
  const lines = formatPatch(patch, OMIT_HEADERS).trimEnd().split('\n');
  const shown = lines.slice(0, linesShownMax);
  const isLong = shown.some((line) => line.length > lineCharsMax);
  return {
    text: shown.map(shortened).join('\n'),
    cut: isLong || lines.length > linesShownMax,
  };
}

function shortened(line: string): string {
  return line.length <= lineCharsMax ? line : `${line.slice(0, lineCharsMax)}…`;
}
