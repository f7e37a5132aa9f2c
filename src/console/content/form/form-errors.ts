/** What the server found in a text, by the value that it is about. Pure. */
import { TextIssue } from '../../../content/json/text-issue.js';
import { nodeAt, parseTextTree, pointerOf } from '../../../content/json/text-tree.js';
import type { ValidationIssue } from '../../../contract/problems.js';

/** Messages by JSON Pointer. */
export type FormErrors = ReadonlyMap<string, readonly string[]>;

/**
 * @param text that was checked, which may be older than the one that is edited
 * @param issues of this text, with line and column
 */
export function errorsByValue(text: string, issues: readonly ValidationIssue[]): FormErrors {
  const found = new Map<string, string[]>();
  const tree = issues.length === 0 ? null : parseTextTree(text);
  if (tree === null || tree instanceof TextIssue) return found;
  const lines = lineStarts(text);
  for (const { line, column, message, appVersion } of issues) {
    const start = lines[(line ?? 1) - 1] ?? 0;
    const node = nodeAt(tree, start + (column ?? 1) - 1) ?? tree.root;
    const pointer = pointerOf(node);
    const known = found.get(pointer) ?? [];
    known.push(withoutPlace(message, pointer, appVersion));
    found.set(pointer, known);
  }
  return found;
}

/** How many of them are within a value, its own not counted. */
export function errorsWithin(errors: FormErrors, pointer: string): number {
  let count = 0;
  for (const [place, messages] of errors) {
    if (place.startsWith(`${pointer}/`)) count += messages.length;
  }
  return count;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: found } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + found.length);
  return starts;
}

/** The field stands where the message says it is. */
function withoutPlace(message: string, pointer: string, version: string | undefined): string {
  const named = `In the line ${version}, ${pointer === '' ? 'the whole document' : pointer} `;
  if (!message.startsWith(named)) return message;
  const rest = message.slice(named.length);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}
