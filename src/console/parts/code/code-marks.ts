/** Marks in an editor: what the server said of the text, and until it speaks, what the grammar says at once. */
import { type Diagnostic, forEachDiagnostic, setDiagnostics } from '@codemirror/lint';
import type { EditorState, Transaction, TransactionSpec } from '@codemirror/state';
import { printParseErrorCode, visit } from 'jsonc-parser';

export interface CodeMark {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value; text takes double quotes.',
  InvalidNumberFormat: 'This is no JSON number.',
  PropertyNameExpected: 'A key in double quotes is due here.',
  ValueExpected: 'A value is due here.',
  ColonExpected: 'A colon is due here.',
  CommaExpected: 'A comma is missing before this.',
  CloseBraceExpected: 'A closing brace "}" is missing.',
  CloseBracketExpected: 'A closing bracket "]" is missing.',
  EndOfFileExpected: 'The text should end here: it is one value.',
  UnexpectedEndOfComment: 'This comment is never closed.',
  UnexpectedEndOfString: 'This string is never closed.',
  UnexpectedEndOfNumber: 'Digits are missing from this number.',
  InvalidUnicode: 'Four hex digits are due after \\u.',
  InvalidEscapeCharacter: 'This is no escape that JSON knows.',
  InvalidCharacter: 'This character may not stand here as it is.',
};

export interface GrammarFault {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

/** The first fault of a text against JSON with comments and trailing commas; null: none, or the text is blank. */
export function grammarFault(text: string): GrammarFault | null {
  if (text.trim() === '') return null;
  let first: GrammarFault | null = null;
  try {
    visit(
      text,
      {
        onError(code, offset, length) {
          first ??= {
            offset,
            length,
            message: words[printParseErrorCode(code)] ?? 'This is not JSON.',
          };
        },
      },
      { allowTrailingComma: true },
    );
  } catch {
    // Nested deeper than the stack: the server has the say.
  }
  return first;
}

/** Shows the server's marks, and of the grammar's fault only what the server has not told better. */
export function showMarks(
  state: EditorState,
  marks: readonly CodeMark[],
  fault: GrammarFault | null,
): TransactionSpec {
  return setDiagnostics(state, [...marks.map((mark) => told(state, mark)), ...seen(marks, fault)]);
}

/** The same marks moved along with an edit; the ones of the lines that it touched are gone: they were of what was. */
export function keepMarks(edit: Transaction, marks: readonly CodeMark[]): readonly CodeMark[] {
  const { startState } = edit;
  const kept: CodeMark[] = [];
  for (const mark of marks) {
    const from = positionOf(startState, mark);
    const { from: start, to: end } = startState.doc.lineAt(from);
    if (edit.changes.touchesRange(start, end) !== false) continue;
    const at = edit.changes.mapPos(from, 1);
    const line = edit.newDoc.lineAt(at);
    kept.push({ ...mark, line: line.number, column: 1 + at - line.from });
  }
  return kept;
}

/** Where a mark stands in the document; as near as can be where the text is already another. */
export function positionOf(
  { doc }: EditorState,
  { line: number, column }: Pick<CodeMark, 'line' | 'column'>,
): number {
  const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
  return line.from + Math.max(0, Math.min(column - 1, line.length));
}

export function hasMarks(state: EditorState): boolean {
  let has = false;
  forEachDiagnostic(state, () => {
    has = true;
  });
  return has;
}

function told(state: EditorState, mark: CodeMark): Diagnostic {
  const from = positionOf(state, mark);
  const { message, severity } = mark;
  return { from, to: endOfToken(state, from), message, severity };
}

function seen(marks: readonly CodeMark[], fault: GrammarFault | null): Diagnostic[] {
  if (fault === null || marks.some(({ severity }) => severity === 'error')) return [];
  const { offset, length, message } = fault;
  return [{ from: offset, to: offset + length, message, severity: 'error' }];
}

const tokenEnd = /[\s,:[\]{}]/;
const tokenShownMax = 80;

function endOfToken({ doc }: EditorState, from: number): number {
  const line = doc.lineAt(from);
  const rest = doc.sliceString(from, Math.min(line.to, from + tokenShownMax));
  const length = rest.search(tokenEnd);
  if (rest === '') return from;
  return from + (length < 0 ? rest.length : Math.max(1, length));
}
