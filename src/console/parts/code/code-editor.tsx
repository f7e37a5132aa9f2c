/** A text editor for JSON with comments: CodeMirror, with the console's colours in both schemes. */
import { VisuallyHidden } from '@mantine/core';
import {
  type CSSProperties,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import styles from './code.module.css';
import type { CodeMark } from './code-marks.js';
import { type CodeLook, CodeSession } from './code-session.js';

export type { CodeMark } from './code-marks.js';

export interface CodeEditorHandle {
  /** Calls `onChange` now with what was typed since the last call. */
  flush(): void;
  focus(): void;
  /** Takes back the last edit of the text, also one from outside. @returns whether there was one */
  undo(): boolean;
  /** @returns whether there was an edit to do once more */
  redo(): boolean;
  /**
   * Puts the cursor there, in sight, with the focus. Both from 1, as in a `CodeMark`.
   * @param selectsRest selects the rest of the line: a read-only text shows no cursor
   */
  goTo(line: number, column: number, selectsRest?: boolean): void;
  /** What is typed now; each line break counts as one. */
  text(): string;
  /** Selects from one offset in that text to another, centred, with the focus. */
  select(from: number, to: number): void;
}

export interface CodeEditorProps {
  readonly value: string;
  /** Called a moment after the last key, when the focus leaves, and before the editor goes away. */
  readonly onChange?: (value: string) => void;
  /** Called when the cursor rests, with the text (each line break counts as one) and the cursor's offset in it. */
  readonly onCursor?: (text: string, offset: number) => void;
  readonly readOnly?: boolean;
  /** Whether it is in sight; another view of the same text may stand in its place. */
  readonly isShown?: boolean;
  /** For screen readers. */
  readonly label: string;
  /**
   * The server's issues; a new array replaces the marks, so keep it while they stay the same. Errors of the grammar are
   * marked without it.
   */
  readonly marks?: readonly CodeMark[];
  /** Rows of a small editor; left out, it takes the height of what it is in, with a scroll bar of its own. */
  readonly minRows?: number;
  readonly maxRows?: number;
  readonly placeholder?: string;
  /** 'text' has neither colours nor grammar marks: for text that is not one JSON value. */
  readonly language?: 'jsonc' | 'text';
  /** Id of an element that says more about it. */
  readonly describedBy?: string;
  readonly handle?: Ref<CodeEditorHandle>;
}

const noMarks: readonly CodeMark[] = [];
const rowsDefault = 3;
// From so many rows on, line numbers and folding help more than they take.
const rowsOfTall = 8;
const widthOfPhone = '(max-width: 48em)';

export function CodeEditor(props: CodeEditorProps) {
  const { value, onChange, onCursor, marks = noMarks, minRows, maxRows } = props;
  const { describedBy, handle } = props;
  const { readOnly = false, isShown = true, label, placeholder = '', language = 'jsonc' } = props;
  const host = useRef<HTMLDivElement>(null);
  const session = useRef<CodeSession | null>(null);
  const helpId = useId();
  const isInRows = minRows !== undefined || maxRows !== undefined;
  const rows = maxRows ?? Math.max(minRows ?? 0, rowsDefault * 4);
  const look: CodeLook = {
    label,
    describedBy: describedBy === undefined ? helpId : `${describedBy} ${helpId}`,
    isReadOnly: readOnly,
    placeholder,
    isSmall: isInRows && rows < rowsOfTall,
    isWrapped: (isInRows && rows < rowsOfTall) || window.matchMedia(widthOfPhone).matches,
    isJsonc: language === 'jsonc',
  };
  const lookKey = JSON.stringify(look);
  const latest = useRef({ value, onChange, look, lookKey });

  useLayoutEffect(() => {
    latest.current.onChange = onChange;
  }, [onChange]);

  useLayoutEffect(() => {
    if (host.current === null) return;
    const { value: first, look: firstLook } = latest.current;
    const made = new CodeSession(host.current, first, firstLook, (text) =>
      latest.current.onChange?.(text),
    );
    session.current = made;
    return () => {
      made.end();
      session.current = null;
    };
  }, []);

  useEffect(() => {
    if (session.current !== null) session.current.onCursor = onCursor;
  }, [onCursor]);
  useEffect(() => session.current?.show(isShown), [isShown]);
  useEffect(() => session.current?.take(value), [value]);
  useEffect(() => session.current?.mark(marks), [marks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the look by its values, not its identity.
  useEffect(() => {
    if (latest.current.lookKey === lookKey) return;
    latest.current.lookKey = lookKey;
    session.current?.look(look);
  }, [lookKey]);

  useImperativeHandle(
    handle,
    () => ({
      flush: () => session.current?.flush(),
      focus: () => session.current?.focus(),
      undo: () => session.current?.undo() ?? false,
      redo: () => session.current?.redo() ?? false,
      goTo: (line, column, selectsRest) => session.current?.goTo(line, column, selectsRest),
      text: () => session.current?.text ?? '',
      select: (from, to) => session.current?.select(from, to),
    }),
    [],
  );

  const heights = {
    '--rows-min': minRows ?? Math.min(rowsDefault, rows),
    '--rows-max': rows,
  } as CSSProperties;
  const classes = [
    styles['colours'],
    styles['editor'],
    isInRows ? styles['rows'] : styles['fills'],
    readOnly ? styles['readOnly'] : '',
  ];
  return (
    <div className={classes.join(' ')} style={isInRows ? heights : {}}>
      <div ref={host} className={styles['host']} />
      <VisuallyHidden id={helpId}>
        {readOnly
          ? 'Read only. Control F searches.'
          : 'Tab indents. To leave with Tab, press Escape first, twice while text is selected. Control F searches, F8 goes to the next error.'}
      </VisuallyHidden>
    </div>
  );
}
