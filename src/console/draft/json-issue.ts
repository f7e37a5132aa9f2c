/** Finds where a text stops being JSON, for values that cannot be sent to the server as part of a JSON body. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { ValidationIssue } from '../../contract/problems.js';

export function jsonIssue(source: string, path: string): ValidationIssue | null {
  try {
    JSON.parse(source);
    return null;
  } catch (error) {
    const errors: ParseError[] = [];
    parse(source, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    const problem =
      first === undefined
        ? String(error instanceof Error ? error.message : error)
        : (problems.get(printParseErrorCode(first.error)) ?? 'is not JSON here');
    return { path, message: `The ${path} ${problem}.`, ...placeOf(source, first?.offset ?? 0) };
  }
}

const problems: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'has a word here that is not a JSON value'],
  ['InvalidNumberFormat', 'has a number here that is not valid JSON'],
  ['PropertyNameExpected', 'needs a name in double quotes here'],
  ['ValueExpected', 'needs a value here'],
  ['ColonExpected', 'needs a colon here'],
  ['CommaExpected', 'needs a comma here'],
  ['CloseBraceExpected', 'is missing a closing brace'],
  ['CloseBracketExpected', 'is missing a closing bracket'],
  ['EndOfFileExpected', 'has text after its end'],
  ['InvalidCommentToken', 'must not contain comments'],
  ['UnexpectedEndOfComment', 'has an unclosed comment'],
  ['UnexpectedEndOfString', 'has an unclosed string'],
  ['UnexpectedEndOfNumber', 'has an unfinished number'],
]);

const lineEnd = /\r\n|\n|\r/;

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split(lineEnd);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
