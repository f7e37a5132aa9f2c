/** White space and comments between the tokens of a JSONC text. Pure. */

/** Up to the line break that ends it; at least one comment. */
const restOfLine = /(?:[\t ]*(?:\/\*(?:[^*\n\r]|\*(?!\/))*\*\/|\/\/[^\n\r]*))+[\t ]*(?=[\n\r]|$)/y;
const stringOrComment = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;
const endsWithBreak = /[\n\r][\t ]*$/;

/** The comments that follow on the same line and end it, which belong to what is before them; '' if there are none. */
export function commentsOnLine(text: string, at: number): string {
  restOfLine.lastIndex = at;
  return restOfLine.exec(text)?.[0] ?? '';
}

/** Whether what follows would become part of a comment. */
export function endsInLineComment(trivia: string): boolean {
  return commentsOf(trivia).at(-1)?.startsWith('//') === true && !endsWithBreak.test(trivia);
}

/** The comments of a text, in its order. */
export function commentsOf(text: string): string[] {
  if (!text.includes('/')) return [];
  return (text.match(stringOrComment) ?? []).filter((found) => found.startsWith('/'));
}

/** Comments that `after` has and `before` has not. */
export function commentsAdded(before: string, after: string): string[] {
  const had = new Map<string, number>();
  for (const comment of commentsOf(before)) had.set(comment, (had.get(comment) ?? 0) + 1);
  return commentsOf(after).filter((comment) => {
    const left = had.get(comment) ?? 0;
    had.set(comment, left - 1);
    return left <= 0;
  });
}
