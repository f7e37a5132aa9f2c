/** Formats JSON with comments. Only white space changes: every value and comment keeps its spelling. */
import { format } from 'jsonc-parser';
import { indentOf } from './code-text.js';

/** Keeps the text's indentation, or uses two spaces. Broken text is formatted as far as possible. */
export function formatJsonc(text: string): string {
  const indent = indentOf(text);
  const edits = format(text, undefined, {
    insertSpaces: indent !== '\t',
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    keepLines: false,
  });
  // The library's own way of applying edits copies the text once for each of them.
  const pieces: string[] = [];
  let at = 0;
  for (const { offset, length, content } of edits.sort((a, b) => a.offset - b.offset)) {
    pieces.push(text.slice(at, offset), content);
    at = offset + length;
  }
  pieces.push(text.slice(at));
  return pieces.join('').trim();
}
