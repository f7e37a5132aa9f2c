/** Edits one value of the grid in its cell, with its type. Numbers stay as they are typed. */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { WantedValue } from '../../../content/derive/set-cell.js';
import { ErrorText } from '../../parts/error-text.js';
import { CellField } from './cell-field.js';
import styles from './grid.module.css';
import { startTyping, typedSource, typeIssues, typeOptions, withType } from './typed-value.js';
import type { AfterEdit } from './use-grid-focus.js';

export interface CellEditorProps {
  /** Of the value, for screen readers. */
  readonly label: string;
  /** JSON source to start with; null: there is no value yet. */
  readonly source: string | null;
  /** JSON source of what the value is like, whose type a new one takes; null: there is nothing to go by. */
  readonly like: string | null;
  /** Typed over a cell that was not open: it replaces the value. */
  readonly typed: string | null;
  readonly mayReset: boolean;
  readonly mayRemove: boolean;
  readonly onDone: (wanted: WantedValue | null, after: AfterEdit) => void;
}

export function CellEditor(props: CellEditorProps) {
  const { label, source, like, typed, mayReset, mayRemove, onDone } = props;
  const [value, setValue] = useState(() => startTyping(source, like, typed));
  const [isTried, setIsTried] = useState(false);
  const field = useRef<HTMLElement>(null);
  const isOver = useRef(false);
  const errorId = useId();
  const issue = isTried && typedSource(value) === null ? (typeIssues[value.kind] ?? null) : null;
  const isTyped = typed !== null;
  useEffect(() => {
    const { current: input } = field;
    input?.focus();
    if (!(input instanceof HTMLInputElement)) return;
    // What was typed over a cell goes on behind its first character.
    if (isTyped) input.setSelectionRange(input.value.length, input.value.length);
    else input.select();
  }, [isTyped]);

  const finish = (wanted: WantedValue | null, after: AfterEdit): void => {
    if (isOver.current) return;
    isOver.current = true;
    onDone(wanted, after);
  };
  const keep = (after: AfterEdit): void => {
    const next = typedSource(value);
    if (next === null) setIsTried(true);
    else finish(next === source ? null : { kind: 'value', source: next }, after);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') finish(null, 'stay');
    else if (event.key === 'Tab' && event.target === field.current) {
      keep(event.shiftKey ? 'previous' : 'next');
    } else if (event.key === 'Enter' && keepsValue(event)) {
      keep('stay');
    } else {
      // Shortcuts of the page save what is visible.
      if (event.ctrlKey || event.metaKey) keepForShortcut(event.key);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const keepForShortcut = (key: string): void => {
    if (key === 's' || key === 'Enter') keep('stay');
  };
  const onBlur = (event: FocusEvent): void => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    // Otherwise the window lost the focus, not the cell.
    if (event.relatedTarget !== null || document.hasFocus()) keep('left');
  };

  return (
    <Stack gap={6} className={styles['editing']} onKeyDown={onKeyDown} onBlur={onBlur}>
      <CellField
        value={value}
        onText={(text) => setValue({ kind: value.kind, text })}
        label={label}
        describedBy={issue === null ? undefined : errorId}
        field={field}
      />
      {issue !== null && <ErrorText id={errorId}>{issue}</ErrorText>}
      <Group gap={4}>
        <NativeSelect
          size="xs"
          aria-label={`Type of ${label}`}
          data={[...typeOptions]}
          value={value.kind}
          onChange={(event) => {
            const wanted = event.currentTarget.value;
            const kind = typeOptions.find((option) => option.value === wanted)?.value;
            if (kind !== undefined) setValue(withType(value, kind));
          }}
          className={styles['kind']}
        />
        {mayReset && (
          <SmallButton onClick={() => finish({ kind: 'base' }, 'stay')}>As base</SmallButton>
        )}
        {mayRemove && (
          <SmallButton onClick={() => finish({ kind: 'removed' }, 'stay')}>Remove</SmallButton>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {value.kind === 'json' ? 'Ctrl+Enter' : 'Enter'} keeps it, Escape discards it.
      </Text>
    </Stack>
  );
}

interface SmallButtonProps {
  readonly onClick: () => void;
  readonly children: string;
}

function SmallButton({ onClick, children }: SmallButtonProps) {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick}>
      {children}
    </Button>
  );
}

/** Enter makes a line break in JSON of several lines; with Control it belongs to the page elsewhere. */
function keepsValue({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isWithControl = ctrlKey || metaKey;
  if (target instanceof HTMLTextAreaElement) return isWithControl;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  return isField && !isWithControl;
}
