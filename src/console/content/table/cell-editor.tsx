/** Edits the value of one cell, as text or as JSON. Enter and Tab take it, Escape leaves it as it was. */
import { SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { TextKind, TextNode } from '../../../content/json/text-tree.js';
import { type CellForm, editedText, formOf, typedSource } from './cell-text.js';
import styles from './table.module.css';

/** Where the active cell goes when the editor is left. */
export type Leave = 'stay' | 'up' | 'down' | 'left' | 'right';

export interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  readonly node: TextNode | null;
  /** What most cells of the column are. */
  readonly kind: TextKind;
  /** What was typed to begin with; null: the value. */
  readonly typed: string | null;
  readonly onTake: (source: string, leave: Leave) => void;
  readonly onLeave: (leave: Leave) => void;
}

const forms = [
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
];

export function CellEditor({ label, text, node, kind, ...props }: CellEditorProps) {
  const [form, setForm] = useState<CellForm>(() => formOf(node, kind));
  const begun = useRef(editedText(text, node, form));
  const [typed, setTyped] = useState(props.typed ?? begun.current);
  const [issue, setIssue] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const issueId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it takes the focus once.
  useEffect(() => {
    const { current } = field;
    current?.focus();
    if (props.typed === null) current?.select();
    else current?.setSelectionRange(typed.length, typed.length);
  }, []);

  /** @param isLast the focus has left already: what is no value is given up */
  const take = (leave: Leave, isLast = false): void => {
    if (typed === begun.current && form === formOf(node, kind)) {
      props.onLeave(leave);
      return;
    }
    const result = typedSource(typed, form);
    if ('source' in result) props.onTake(result.source, leave);
    else if (isLast) props.onLeave('stay');
    else setIssue(result.issue);
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      props.onLeave('stay');
    } else if (event.key === 'Enter' && !event.altKey) {
      // A page's own shortcut saves what is visible.
      const isShortcut = event.ctrlKey || event.metaKey;
      if (!isShortcut) event.preventDefault();
      take(isShortcut ? 'stay' : event.shiftKey ? 'up' : 'down');
    } else if (event.key === 'Tab' && event.target === field.current) {
      event.preventDefault();
      take(event.shiftKey ? 'left' : 'right');
    } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      take('stay');
    } else if (event.altKey && event.key.toLowerCase() === 'j') {
      event.preventDefault();
      setForm(form === 'text' ? 'json' : 'text');
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its field takes the keys.
    <div
      className={styles['editor']}
      onKeyDown={press}
      onMouseDown={(event) => event.stopPropagation()}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) take('stay', true);
      }}
    >
      <textarea
        ref={field}
        className={`${styles['field']} ${form === 'json' ? 'mono' : ''}`}
        rows={Math.min(8, typed.split('\n').length)}
        aria-label={label}
        aria-invalid={issue !== null}
        aria-describedby={issueId}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIssue(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !event.altKey) return;
          event.preventDefault();
          document.execCommand('insertText', false, '\n');
        }}
      />
      <SegmentedControl
        size="xs"
        className={styles['forms'] ?? ''}
        data={forms}
        value={form}
        onChange={(value) => {
          setForm(value as CellForm);
          setIssue(null);
          field.current?.focus();
        }}
        aria-label="The value is typed as"
      />
      <div id={issueId} role={issue === null ? undefined : 'alert'} className={styles['hint']}>
        {issue ?? 'Enter saves, Escape cancels. Alt+J switches between text and JSON.'}
      </div>
    </div>
  );
}
