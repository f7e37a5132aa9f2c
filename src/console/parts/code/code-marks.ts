/** Marks in an editor: the server's issues, and until they arrive, the first issue of the grammar. */
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import type { EditorState, Transaction, TransactionSpec } from '@codemirror/state';
import type { GrammarIssue } from './json-grammar.js';

export interface CodeMark {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** Shows the server's marks, and the grammar's issue only if the server reports no error. */
export function showMarks(
  state: EditorState,
  marks: readonly CodeMark[],
  issue: GrammarIssue | null,
): TransactionSpec {
  const diagnostics = marks.map((mark) => diagnosticOf(state, mark));
  if (issue !== null && !marks.some(({ severity }) => severity === 'error')) {
    const { offset, length, message } = issue;
    diagnostics.push({ from: offset, to: offset + length, message, severity: 'error' });
  }
  return setDiagnostics(state, diagnostics);
}

/** Moves marks along with an edit, and drops those of the lines that it changed. */
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

/** The position of a mark, or the nearest one if the text has changed since. */
export function positionOf(
  { doc }: EditorState,
  { line: number, column }: Pick<CodeMark, 'line' | 'column'>,
): number {
  const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
  return line.from + Math.max(0, Math.min(column - 1, line.length));
}

function diagnosticOf(state: EditorState, mark: CodeMark): Diagnostic {
  const from = positionOf(state, mark);
  const { message, severity } = mark;
  return { from, to: endOfToken(state, from), message, severity };
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
