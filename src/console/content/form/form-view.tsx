/** A text as a form made from its JSON Schema. The text stays the only state: each edit changes one value of it. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { TextIssue } from '../../../content/json/text-issue.js';
import { parseTextTree, startOf, type TextTree } from '../../../content/json/text-tree.js';
import { noSchema } from '../../draft/content-query.js';
import { useDraft } from '../../draft/draft-context.js';
import { IconForms } from '../../icons/icons.js';
import type { EditedTextProps } from '../../parts/code/edited-text.js';
import { positionAt } from '../../parts/code/json-grammar.js';
import { TextError } from '../../parts/code/text-error.js';
import { EmptyState } from '../../parts/empty-state.js';
import { pathOf } from '../../parts/environments.js';
import styles from './form.module.css';
import { FormContext, type FormShared } from './form-context.js';
import { errorsByValue } from './form-errors.js';
import { useOpenSections } from './use-open-sections.js';
import { ValueField } from './value-field.js';

export interface FormViewProps extends EditedTextProps {
  readonly appVersion: string;
}

export function FormView(props: FormViewProps) {
  const { text, onGoTo } = props;
  const { state, saved } = useDraft();
  const tree = useMemo(() => parseTextTree(text), [text]);
  const schema = useMemo(() => parseTextTree(state.schema), [state.schema]);
  const icon = <IconForms size={26} />;
  const search = useSearch();
  // Without the query, a content item that was never saved would not be found.
  const settings = `${pathOf.content(saved.env, saved.id, 'settings')}${search && `?${search}`}`;
  if (tree instanceof TextIssue) {
    return <TextError icon={icon} issue={tree} onGoTo={onGoTo} />;
  }
  if (state.schema === noSchema || schema instanceof TextIssue) {
    const isNone = state.schema === noSchema;
    return (
      <EmptyState
        icon={icon}
        title={isNone ? 'There is no schema' : 'The schema has an error'}
        action={
          <Button component={Link} href={settings} variant="default">
            Open the settings
          </Button>
        }
      >
        {isNone
          ? 'The form is built from the JSON Schema of the content item, which has none. “Make a schema from the text” in the settings derives one from the text.'
          : `${schema instanceof TextIssue ? `Line ${schema.line}: ${schema.message} ` : ''}The form appears once the schema is valid JSON.`}
      </EmptyState>
    );
  }
  return <TextForm {...props} tree={tree} schema={schema} settings={settings} />;
}

interface TextFormProps extends FormViewProps {
  readonly tree: TextTree;
  readonly schema: TextTree;
  readonly settings: string;
}

function TextForm({ tree, schema, settings, ...props }: TextFormProps) {
  const { readOnly, text, onText, onGoTo } = props;
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  /** JSON Pointer of the field in which an edit was taken back: it may be gone then. */
  const left = useRef<string | null>(null);
  const errors = useErrors(props.appVersion);
  const sections = useOpenSections(props.pointer, props.onPointer);

  useEffect(() => {
    const { current } = wanted;
    if (current === null) return;
    const place = frame.current?.querySelector(`[data-pointer="${CSS.escape(current)}"]`);
    if (place === null || place === undefined) return;
    wanted.current = null;
    const field = place.querySelector<HTMLElement>(fields);
    // A menu gives the focus back to its button first.
    requestAnimationFrame(() => field?.focus());
  });

  useEffect(() => {
    const { current } = left;
    if (current === null || document.activeElement !== document.body) return;
    left.current = null;
    nearestField(frame.current, current)?.focus();
  });

  const shared: FormShared = {
    tree,
    schema,
    readOnly,
    errors,
    ...sections,
    change: (next, focus) => {
      if (focus !== undefined) wanted.current = focus;
      if (next !== text) onText(next);
    },
    goToText: (node) => {
      const { line, column } = positionAt(text, startOf(node));
      onGoTo(line, column);
    },
  };
  const press = (event: KeyboardEvent): void => {
    if (readOnly || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    left.current = event.target instanceof Element ? pointerAt(event.target) : null;
    if (key === 'y' || event.shiftKey) props.onRedo();
    else props.onUndo();
  };
  return (
    <FormContext value={shared}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its fields have the focus. */}
      <div ref={frame} className={styles['form']} onKeyDown={press}>
        <Stack gap="xs">
          <ValueField
            node={tree.root}
            schemas={[schema.root]}
            name="The whole text"
            level={0}
            acts={[]}
          />
          <Text size="xs" c="dimmed">
            {readOnly
              ? 'The form follows the schema in the '
              : 'Each edit changes only its value in the text. Ctrl+Z undoes; Alt+↑ and Alt+↓ move an element. The form follows the schema in the '}
            <Anchor component={Link} href={settings} inherit underline="always">
              settings
            </Anchor>
            .
          </Text>
        </Stack>
      </div>
    </FormContext>
  );
}

const fields = 'input, textarea, select, [aria-expanded], button';

function pointerAt(element: Element): string | null {
  return element.closest('[data-pointer]')?.getAttribute('data-pointer') ?? null;
}

/** The field of the value, or of the nearest one that holds it and is still there. */
function nearestField(frame: Element | null, pointer: string): HTMLElement | null {
  const place = frame?.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
  const field = place?.querySelector<HTMLElement>(fields) ?? null;
  if (field !== null || pointer === '') return field;
  return nearestField(frame, pointer.slice(0, pointer.lastIndexOf('/')));
}

/** What the server found in the text, by value. */
function useErrors(appVersion: string) {
  const { validation } = useDraft();
  return useMemo(() => {
    const lines = validation?.state.lines ?? [];
    const checked = lines.find((line) => line.appVersion === appVersion);
    const issues = (validation?.errors ?? []).filter(
      ({ path, appVersion: at, line }) =>
        path === 'text' && line !== undefined && (at === appVersion || lines.length === 1),
    );
    return errorsByValue(checked?.text ?? '', issues);
  }, [validation, appVersion]);
}
