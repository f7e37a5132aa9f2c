/** Finds where a text stops being JSON, for values that are sent as part of a body and so cannot be asked about. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { ValidationIssue } from '../../contract/problems.js';

export function jsonFault(source: string, path: string): ValidationIssue | null {
  try {
    JSON.parse(source);
    return null;
  } catch (error) {
    const faults: ParseError[] = [];
    parse(source, faults, { disallowComments: true, allowTrailingComma: false });
    const [first] = faults;
    const words =
      first === undefined
        ? String(error instanceof Error ? error.message : error)
        : (wordsOf.get(printParseErrorCode(first.error)) ?? 'is no JSON here');
    return { path, message: `The ${path} ${words}.`, ...placeOf(source, first?.offset ?? 0) };
  }
}

const wordsOf: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'has a word here that is no JSON value'],
  ['InvalidNumberFormat', 'has a number here that is not spelled as JSON wants it'],
  ['PropertyNameExpected', 'wants a name in double quotes here'],
  ['ValueExpected', 'wants a value here'],
  ['ColonExpected', 'wants a colon here'],
  ['CommaExpected', 'wants a comma here'],
  ['CloseBraceExpected', 'lacks a closing brace'],
  ['CloseBracketExpected', 'lacks a closing bracket'],
  ['EndOfFileExpected', 'has something after its end'],
  ['InvalidCommentToken', 'must not have comments'],
  ['UnexpectedEndOfComment', 'has a comment that does not end'],
  ['UnexpectedEndOfString', 'has a string that does not end'],
  ['UnexpectedEndOfNumber', 'has a number that does not end'],
]);

const lineEnd = /\r\n|\n|\r/;

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split(lineEnd);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
