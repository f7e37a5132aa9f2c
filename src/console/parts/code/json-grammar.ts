/** Finds where a text breaks the grammar of JSON, and says how to fix it. Pure. */
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

export interface GrammarIssue {
  /** In UTF-16 code units, as is the length. */
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

export interface Grammar {
  /** Plain JSON, instead of JSON with comments and trailing commas. */
  readonly isStrict?: boolean;
}

/** @returns the first issue; null: there is none, or the text is blank or nested too deeply to check */
export function findGrammarIssue(
  text: string,
  { isStrict = false }: Grammar = {},
): GrammarIssue | null {
  if (text.trim() === '') return null;
  let first: GrammarIssue | null = null;
  const onError = (code: ParseErrorCode, offset: number, length: number): void => {
    const token = text.slice(offset, offset + Math.min(length, tokenShownMax));
    const message = messages[printParseErrorCode(code)]?.(token) ?? 'This is not JSON.';
    first ??= { offset, length, message };
  };
  try {
    visit(text, { onError }, { allowTrailingComma: !isStrict, disallowComments: isStrict });
  } catch {
    // Nested deeper than the stack: the server decides.
  }
  return first;
}

/** Line and column of an offset, both from 1; columns count UTF-16 code units. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const tokenShownMax = 40;

const messages: Readonly<Record<string, (token: string) => string>> = {
  InvalidSymbol: (token) => `${token} is not a JSON value. Text needs double quotes.`,
  InvalidNumberFormat: (token) => `${token} is not a number.`,
  PropertyNameExpected: () => 'Missing key in double quotes.',
  ValueExpected: () => 'Missing value.',
  ColonExpected: () => 'Missing colon.',
  CommaExpected: (token) => `Missing comma before ${token}.`,
  CloseBraceExpected: () => 'Missing closing brace "}".',
  CloseBracketExpected: () => 'Missing closing bracket "]".',
  EndOfFileExpected: () => 'The text must end here: it is one value.',
  InvalidCommentToken: () => 'Comments are not allowed here.',
  UnexpectedEndOfComment: () => 'This comment is never closed.',
  UnexpectedEndOfString: () => 'This string is never closed.',
  UnexpectedEndOfNumber: () => 'Digits are missing from this number.',
  InvalidUnicode: () => 'Missing four hex digits after \\u.',
  InvalidEscapeCharacter: () => 'This is not an escape sequence of JSON.',
  InvalidCharacter: () => 'This character must be escaped.',
};
