/**
 * One CodeMirror editor, without React: takes values and marks from outside, and emits what was typed a moment after
 * the last key, with the line breaks that the text came with.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  undo,
} from '@codemirror/commands';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import {
  Compartment,
  EditorState,
  type Extension,
  Text,
  type Transaction,
} from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderOf,
} from '@codemirror/view';
import { jsonc } from './code-language.js';
import { type CodeMark, keepMarks, positionOf, showMarks } from './code-marks.js';
import { changeBetween, indentOf, lineSeparatorOf } from './code-text.js';
import { codeTheme } from './code-theme.js';
import { findGrammarIssue, type GrammarIssue } from './json-grammar.js';
import { centredSearch } from './search-panel.js';

export interface CodeLook {
  readonly label: string;
  readonly describedBy: string;
  readonly isReadOnly: boolean;
  readonly placeholder: string;
  /** A few rows without gutters, or a whole text with line numbers and folding. */
  readonly isSmall: boolean;
  readonly isWrapped: boolean;
  readonly isJsonc: boolean;
}

// While the cursor moves on, nothing is looked up.
const cursorAfterMs = 200;
// Longer than the pause within a word, shorter than a noticeable delay.
const emitAfterMs = 150;
const checkAfterMs = 300;
// A check of a megabyte takes some 20 ms: it waits for a pause in which they go unnoticed.
const checkAfterMsOfLong = 900;
const longTextUnits = 256 * 1024;
// Some frames: what is shown in its place is painted first.
const takeAfterMsWhileHidden = 60;
// A character beyond the basic plane has two.
const typedUnitsMax = 2;
const anyBreak = /\r\n?|\n/g;
// Left to the page, which publishes with it.
const keysOfPage = new Set(['Mod-Enter']);

export class CodeSession {
  readonly view: EditorView;
  readonly #emit: (value: string) => void;
  readonly #separator = new Compartment();
  readonly #look = new Compartment();
  readonly #indent = new Compartment();
  #isJsonc: boolean;
  #isReadOnly: boolean;
  /** The value last taken or emitted; taking it again changes nothing. */
  #known: string;
  #marks: readonly CodeMark[] = [];
  #issue: GrammarIssue | null = null;
  /** Whether the editor may still show some: in its gutter they outlive the text that they were about. */
  #isMarked = false;
  #emitTimer: ReturnType<typeof setTimeout> | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  #takeTimer: ReturnType<typeof setTimeout> | undefined;
  #isShown = true;
  /** Taken, but not yet in the editor; null: it has what was taken last. */
  #waiting: string | null = null;
  /** Called when the cursor rests, with the text (each line break counts as one) and the cursor's offset in it. */
  onCursor: ((text: string, offset: number) => void) | undefined;

  constructor(parent: HTMLElement, value: string, look: CodeLook, emit: (value: string) => void) {
    this.#emit = emit;
    this.#known = value;
    this.#isJsonc = look.isJsonc;
    this.#isReadOnly = look.isReadOnly;
    this.view = new EditorView({ parent, state: this.#stateOf(value, look) });
    this.#checkSoon();
  }

  /** What is in the editor, each line break as one unit. */
  get text(): string {
    this.#settle();
    return this.view.state.doc.toString();
  }

  /**
   * Takes a text from outside. Equal text at both ends keeps the cursor, folds and history. An editor that is not shown
   * takes it a moment later: with 352 KB it takes 15 ms, for which what is shown in its place should not wait.
   */
  take(value: string): void {
    // Each text is a step of the history.
    this.#settle();
    if (value === this.#known) return;
    this.#known = value;
    clearTimeout(this.#emitTimer);
    this.#emitTimer = undefined;
    this.#waiting = value;
    if (this.#isShown) this.#settle();
    else this.#takeTimer = setTimeout(() => this.#settle(), takeAfterMsWhileHidden);
  }

  /** While it is not shown, it neither checks its text nor says where its cursor rests. */
  show(isShown: boolean): void {
    if (this.#isShown === isShown) return;
    this.#isShown = isShown;
    if (!isShown) return;
    this.#settle();
    this.#checkSoon();
    this.#restSoon();
  }

  mark(marks: readonly CodeMark[]): void {
    this.#settle();
    this.#marks = marks;
    this.#showMarks();
  }

  look(look: CodeLook): void {
    this.#isJsonc = look.isJsonc;
    this.#isReadOnly = look.isReadOnly;
    this.view.dispatch({ effects: this.#look.reconfigure(looksOf(look)) });
    this.#checkSoon();
  }

  focus(): void {
    this.view.focus();
  }

  /** Emits now what was typed since the last time. */
  flush(): void {
    if (this.#emitTimer === undefined) return;
    clearTimeout(this.#emitTimer);
    this.#emitTimer = undefined;
    const value = this.view.state.sliceDoc();
    if (value === this.#known) return;
    this.#known = value;
    this.#emit(value);
  }

  /** @returns whether there was something to take back */
  undo(): boolean {
    this.#settle();
    const isDone = undo(this.view);
    this.flush();
    return isDone;
  }

  /** @returns whether there was something to do once more */
  redo(): boolean {
    this.#settle();
    const isDone = redo(this.view);
    this.flush();
    return isDone;
  }

  goTo(line: number, column: number, selectsRest = false): void {
    this.#settle();
    const at = positionOf(this.view.state, { line, column });
    this.select(at, selectsRest ? this.view.state.doc.lineAt(at).to : at);
  }

  /** Selects from one offset in the document to another; the cursor is at `from`, centred. */
  select(from: number, to: number): void {
    this.#settle();
    const { length } = this.view.state.doc;
    const head = Math.min(from, length);
    this.view.dispatch({
      selection: { anchor: Math.min(to, length), head },
      effects: EditorView.scrollIntoView(head, { y: 'center' }),
    });
    this.view.focus();
  }

  end(): void {
    this.flush();
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#cursorTimer);
    clearTimeout(this.#takeTimer);
    this.view.destroy();
  }

  /** Puts into the editor what was taken last. */
  #settle(): void {
    const value = this.#waiting;
    if (value === null) return;
    this.#waiting = null;
    clearTimeout(this.#takeTimer);
    if (this.view.state.sliceDoc() === value) return;
    const separator = separatedBy(lineSeparatorOf(value));
    this.view.dispatch({ effects: this.#separator.reconfigure(separator) });
    const { state } = this.view;
    // Both in positions of the document, where each line break counts as one.
    const change = changeBetween(state.doc.toString(), state.toText(value).toString());
    if (change === null) return;
    const { from, to, insert } = change;
    // What is typed into a field of a form comes by characters, which are one step together.
    const isTyped = Math.max(to - from, insert.length) <= typedUnitsMax;
    this.view.dispatch({
      changes: { from, to, insert: Text.of(insert.split('\n')) },
      annotations: isTyped ? [] : isolateHistory.of('full'),
    });
    clearTimeout(this.#emitTimer);
    this.#emitTimer = undefined;
  }

  #stateOf(value: string, look: CodeLook): EditorState {
    const extensions: Extension = [
      this.#separator.of(separatedBy(lineSeparatorOf(value))),
      this.#indent.of(indentUnit.of(indentOf(value.slice(0, 10_000)))),
      this.#look.of(looksOf(look)),
      codeTheme(),
      centredSearch(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      EditorState.allowMultipleSelections.of(true),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(({ key }) => key === undefined || !keysOfPage.has(key)),
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      EditorView.clipboardInputFilter.of((text, { lineBreak }) =>
        text.replace(anyBreak, lineBreak),
      ),
      EditorView.domEventHandlers({ blur: () => this.flush() }),
      EditorView.updateListener.of(({ docChanged, selectionSet, transactions }) => {
        if (docChanged) this.#changed(transactions);
        if (docChanged || selectionSet) this.#restSoon();
      }),
    ];
    return EditorState.create({ doc: value, extensions });
  }

  #changed(transactions: readonly Transaction[]): void {
    for (const edit of transactions) {
      if (!edit.docChanged) continue;
      this.#marks = keepMarks(edit, this.#marks);
      this.#issue = null;
    }
    clearTimeout(this.#emitTimer);
    this.#emitTimer = setTimeout(() => this.flush(), emitAfterMs);
    this.#checkSoon();
  }

  #restSoon(): void {
    clearTimeout(this.#cursorTimer);
    if (this.onCursor === undefined || !this.#isShown) return;
    this.#cursorTimer = setTimeout(() => {
      const { doc, selection } = this.view.state;
      this.onCursor?.(doc.toString(), selection.main.head);
    }, cursorAfterMs);
  }

  #checkSoon(): void {
    clearTimeout(this.#checkTimer);
    if (!this.#isShown) return;
    const isLong = this.view.state.doc.length > longTextUnits;
    const afterMs = isLong ? checkAfterMsOfLong : checkAfterMs;
    this.#checkTimer = setTimeout(() => {
      const isChecked = this.#isJsonc && !this.#isReadOnly;
      // In positions of the document, where each line break counts as one.
      this.#issue = isChecked ? findGrammarIssue(this.view.state.doc.toString()) : null;
      this.#showMarks();
    }, afterMs);
  }

  #showMarks(): void {
    const isMarked = this.#marks.length > 0 || this.#issue !== null;
    if (!isMarked && !this.#isMarked) return;
    this.#isMarked = isMarked;
    this.view.dispatch(showMarks(this.view.state, this.#marks, this.#issue));
  }
}

function separatedBy(separator: string | null): Extension {
  return separator === null ? [] : EditorState.lineSeparator.of(separator);
}

function looksOf(look: CodeLook): Extension {
  const { label, describedBy, isReadOnly, isSmall } = look;
  const attributes: Record<string, string> = {
    'aria-label': label,
    'aria-describedby': describedBy,
    spellcheck: 'false',
    tabindex: '0',
    // Escape lets Tab leave the editor; it should not close the dialog around it as well.
    'data-mantine-stop-propagation': String(!isReadOnly),
  };
  if (isReadOnly) attributes['aria-readonly'] = 'true';
  return [
    look.isJsonc ? jsonc() : [],
    look.isWrapped ? EditorView.lineWrapping : [],
    look.placeholder === '' ? [] : placeholderOf(look.placeholder),
    EditorView.contentAttributes.of(attributes),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    isReadOnly ? [] : [highlightActiveLine(), highlightActiveLineGutter()],
    isSmall ? [] : gutters(isReadOnly),
    codeFolding({ placeholderText: '…' }),
  ];
}

function gutters(isReadOnly: boolean): Extension {
  const folds = foldGutter({
    markerDOM(isOpen) {
      const marker = document.createElement('span');
      marker.textContent = isOpen ? '⌄' : '›';
      marker.title = isOpen ? 'Fold' : 'Unfold';
      return marker;
    },
  });
  return [isReadOnly ? [] : lintGutter(), lineNumbers(), folds];
}
