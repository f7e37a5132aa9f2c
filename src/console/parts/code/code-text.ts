/** The line breaks and indentation of a text, which an editor must keep. Pure. */

const anyBreak = /\r\n|\r|\n/g;
const firstIndent = /^(?:\t| {1,8}(?=\S))/m;

/**
 * What separates the lines of a text, for an editor that gives back what it was given. Null: line feeds, which editors
 * assume. Where several kinds are mixed, only line feeds separate, and carriage returns stay characters, which show.
 */
export function lineSeparatorOf(text: string): '\n' | '\r\n' | null {
  if (!text.includes('\r')) return null;
  for (const [found] of text.matchAll(anyBreak)) if (found !== '\r\n') return '\n';
  return '\r\n';
}

/** One step of indentation, as the text has it; two spaces where it has none. */
export function indentOf(text: string): string {
  return firstIndent.exec(text)?.[0] ?? '  ';
}

export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The one change that makes `after` of `before`, as short as can be: what is equal at both ends stays. */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end++;
  }
  return {
    from: start,
    to: before.length - end,
    insert: after.slice(start, after.length - end),
  };
}
