/** The field of a value that is no section: a text, number, choice or switch, or whatever it is as JSON. */
import { Button, Input, NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { TextNode } from '../../../content/json/text-tree.js';
import { monoInput } from '../../parts/code/mono-input.js';
import { sourceOf, stringOf, typedSource } from '../table/cell-text.js';
import { type FieldPlan, numberSource, optionOf } from './field-plan.js';
import { useForm } from './form-context.js';
import { sourceAlone, withValue } from './form-edits.js';
import { isSame } from './schema-fit.js';
import { type TypedOptions, useTyped } from './use-typed.js';

export interface ScalarFieldProps {
  readonly node: TextNode;
  readonly plan: FieldPlan;
  readonly label: string;
  readonly description: string | null;
  /** What the server says; null: nothing. */
  readonly error: string | null;
  readonly isRequired: boolean;
}

export function ScalarField(props: ScalarFieldProps) {
  const { node, plan, label, description, error, isRequired } = props;
  const { tree, readOnly, change, goToText } = useForm();
  const { text } = tree;
  const take = (source: string): void => change(withValue(tree, node, source));
  const about = { label, description, error, size: 'sm', required: isRequired } as const;
  switch (plan.kind) {
    case 'options': {
      const known = optionOf(plan, text, node, isSame);
      const options = (plan.facts.options ?? []).map(({ source, label: name }) => ({
        value: source,
        label: name,
      }));
      const source = sourceOf(text, node);
      const own = { value: source, label: `${source.slice(0, 60)} (not in the schema)` };
      const chosen = options.find(({ value }) => value === known) ?? own;
      if (readOnly) return <TextInput {...about} readOnly value={chosen.label} />;
      return (
        <NativeSelect
          {...about}
          disabled={known !== null && options.length === 1}
          data={known === null ? [own, ...options] : options}
          value={known ?? source}
          onChange={(event) => take(event.currentTarget.value)}
        />
      );
    }
    case 'boolean':
      if (readOnly) return <TextInput {...about} readOnly value={sourceOf(text, node)} />;
      return (
        <Input.Wrapper {...about} required={false} labelElement="div">
          <Switch
            mt={4}
            aria-label={label}
            checked={sourceOf(text, node) === 'true'}
            label={sourceOf(text, node)}
            onChange={(event) => take(String(event.currentTarget.checked))}
          />
        </Input.Wrapper>
      );
    case 'null':
      return (
        <Input.Wrapper {...about} required={false} labelElement="div">
          <Text size="sm">null</Text>
        </Input.Wrapper>
      );
    case 'long':
      return (
        <Input.Wrapper {...about} required={false} labelElement="div">
          <Text size="sm">This value is too long to edit here.</Text>
          <Button variant="default" size="xs" onClick={() => goToText(node)}>
            {readOnly ? 'Show in text' : 'Edit in text'}
          </Button>
        </Input.Wrapper>
      );
    default:
      return <TypedField key={plan.kind} {...props} take={take} />;
  }
}

interface TypedFieldProps extends ScalarFieldProps {
  readonly take: (source: string) => void;
}

/** Its text is the value, or the source of it. */
function TypedField({ node, plan, take, isRequired, ...about }: TypedFieldProps) {
  const { tree, readOnly } = useForm();
  const { text } = tree;
  const { value, issue, onType, onKeyDown } = useTyped({
    shown: shownIn(plan, text, node),
    read: readerOf(plan),
    onSource: take,
  });
  const input = {
    ...about,
    value,
    readOnly,
    required: isRequired,
    onKeyDown,
    error: issue === null ? about.error : `${issue} The text keeps the previous value.`,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onType(event.currentTarget.value),
  };
  switch (plan.kind) {
    case 'number':
      return <TextInput {...input} inputMode="decimal" maw="16rem" autoComplete="off" />;
    case 'line':
      return <TextInput {...input} autoComplete="off" />;
    case 'paragraph':
      return <Textarea {...input} rows={rowsOf(value, 3)} />;
    default:
      return <Textarea {...input} rows={rowsOf(value, 1)} styles={monoInput} spellCheck={false} />;
  }
}

function shownIn({ kind }: FieldPlan, text: string, node: TextNode): string {
  if (kind === 'line' || kind === 'paragraph') return stringOf(text, node);
  // As a field of text gives it back.
  return sourceAlone(text, node).replaceAll('\r\n', '\n');
}

function readerOf({ kind, facts }: FieldPlan): TypedOptions['read'] {
  if (kind === 'line' || kind === 'paragraph') {
    return (typed) => ({ source: JSON.stringify(typed), shown: typed });
  }
  return (typed) => {
    const read =
      kind === 'number' ? numberSource(typed, facts.isInteger) : typedSource(typed, 'json');
    return 'source' in read ? { source: read.source, shown: read.source } : read;
  };
}

function rowsOf(value: string, least: number): number {
  return Math.max(least, Math.min(12, value.split('\n').length));
}
