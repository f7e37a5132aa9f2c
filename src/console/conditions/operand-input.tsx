/** The operand of a rule, with an input for each kind of value. It is kept as its source: numbers stay as typed. */
import { Box, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ValueEditorProps } from 'react-querybuilder';
import { wordPath } from './builder-context.js';
import styles from './condition-builder.module.css';
import { type OperandKind, operatorOf, typeNames } from './condition-operators.js';
import { JsonOperand, type OperandProps } from './json-operand.js';
import { ListOperand } from './list-operand.js';
import {
  asKind,
  jsonNumber,
  kindOfSource,
  type SourceKind,
  textOfSource,
} from './operand-source.js';

export function OperandInput(props: ValueEditorProps) {
  const { value, handleOnChange, disabled, operator, path } = props;
  const operand: OperandProps = {
    source: String(value),
    onChange: handleOnChange,
    disabled: disabled === true,
    name: `Value of rule ${wordPath(path)}`,
  };
  return (
    <Box className={styles['operand']}>
      <OperandOfKind kind={operatorOf(operator)?.kind ?? 'json'} {...operand} />
    </Box>
  );
}

function OperandOfKind({ kind, ...operand }: OperandProps & { readonly kind: OperandKind }) {
  const { source } = operand;
  const isText = kindOfSource(source) === 'text';
  switch (kind) {
    case 'plain':
      return <PlainOperand {...operand} />;
    case 'list':
      return <ListOperand {...operand} />;
    case 'version':
      return isText ? (
        <TextOperand {...operand} placeholder="1.4.0" />
      ) : (
        <PlainOperand {...operand} />
      );
    case 'pattern':
      return isText ? (
        <TextOperand {...operand} placeholder="regular expression" mono />
      ) : (
        <PlainOperand {...operand} />
      );
    case 'presence':
      return kindOfSource(source) === 'boolean' ? (
        <ChoiceOperand {...operand} choices={presences} />
      ) : (
        <JsonOperand {...operand} />
      );
    case 'type':
      return types.some((type) => type.value === source) ? (
        <ChoiceOperand {...operand} choices={types} />
      ) : (
        <JsonOperand {...operand} />
      );
    case 'size':
      return kindOfSource(source) === 'number' ? (
        <NumberOperand {...operand} />
      ) : (
        <JsonOperand {...operand} />
      );
    case 'json':
      return <JsonOperand {...operand} />;
  }
}

const presences = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];
const types = typeNames.map((name) => ({ value: `"${name}"`, label: name }));

const sourceKinds: { value: SourceKind; label: string }[] = [
  { value: 'text', label: 'text' },
  { value: 'number', label: 'number' },
  { value: 'boolean', label: 'yes/no' },
  { value: 'null', label: 'nothing' },
  { value: 'json', label: 'JSON' },
];

function PlainOperand(operand: OperandProps) {
  const { source, onChange, disabled, name } = operand;
  // A list or an object is JSON by itself; other values are, only while somebody wants to type one.
  const [wantsJson, setWantsJson] = useState(false);
  const kind = wantsJson ? 'json' : kindOfSource(source);
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <NativeSelect
        className={styles['kind']}
        aria-label={`Kind of the ${name.toLowerCase()}`}
        value={kind}
        disabled={disabled}
        data={sourceKinds}
        onChange={(event) => {
          const next = event.currentTarget.value as SourceKind;
          setWantsJson(next === 'json');
          if (next !== 'json') onChange(asKind(source, next));
        }}
      />
      <Box flex={1} miw={0}>
        {kind === 'text' && <TextOperand {...operand} />}
        {kind === 'number' && <NumberOperand {...operand} />}
        {kind === 'boolean' && <ChoiceOperand {...operand} choices={booleans} />}
        {kind === 'null' && (
          <Text size="sm" pt={7}>
            null, or not there
          </Text>
        )}
        {kind === 'json' && <JsonOperand {...operand} />}
      </Box>
    </Group>
  );
}

const booleans = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
];

interface TextOperandProps extends OperandProps {
  readonly placeholder?: string;
  readonly mono?: boolean;
}

function TextOperand({ source, onChange, disabled, name, placeholder, mono }: TextOperandProps) {
  return (
    <TextInput
      aria-label={name}
      value={textOfSource(source)}
      placeholder={placeholder ?? ''}
      readOnly={disabled}
      classNames={mono === true ? { input: 'mono' } : {}}
      onChange={(event) => onChange(JSON.stringify(event.currentTarget.value))}
    />
  );
}

/** Kept as typed; what is no number yet is shown as such and not passed on. */
function NumberOperand({ source, onChange, disabled, name }: OperandProps) {
  const [typed, setTyped] = useState({ source, text: source });
  if (typed.source !== source) setTyped({ source, text: source });
  const isNumber = jsonNumber.test(typed.text);
  return (
    <TextInput
      aria-label={name}
      inputMode="decimal"
      value={typed.text}
      readOnly={disabled}
      error={isNumber ? undefined : `Not a number; ${source} still counts.`}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        const next = jsonNumber.test(text) ? text : source;
        setTyped({ source: next, text });
        if (next !== source) onChange(next);
      }}
    />
  );
}

interface ChoiceOperandProps extends OperandProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

function ChoiceOperand({ source, onChange, disabled, name, choices }: ChoiceOperandProps) {
  return (
    <NativeSelect
      aria-label={name}
      value={source}
      disabled={disabled}
      data={[...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
