/** The operand of a condition, with an input for each kind of value. It is kept as its source: numbers stay as typed. */
import { Box, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import type { ValueEditorProps } from 'react-querybuilder';
import { type BuilderContext, formatPath } from './builder-context.js';
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
import { SuggestedInput } from './suggested-input.js';
import { useTypedSource } from './use-typed-source.js';
import { optionsOf } from './value-options.js';
import { describeWhenMissing } from './when-missing.js';

export function OperandInput(props: ValueEditorProps) {
  const { value, handleOnChange, disabled, operator, path, field } = props;
  const { valuesOf } = props.context as BuilderContext;
  const missing = describeWhenMissing(field, operator, String(value));
  const operand: OperandProps = {
    source: String(value),
    onChange: handleOnChange,
    disabled: disabled === true,
    name: `Value of condition ${formatPath(path)}`,
    frequent: valuesOf(field),
  };
  return (
    <Box className={styles['operand']}>
      <OperandOfKind kind={operatorOf(operator)?.kind ?? 'json'} {...operand} />
      {missing !== null && (
        <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {missing}
        </Text>
      )}
    </Box>
  );
}

/** Values that do not fit the operator, which only JSON can contain, get an input that can show them. */
function OperandOfKind({ kind, ...operand }: OperandProps & { readonly kind: OperandKind }) {
  const { source } = operand;
  const found = kindOfSource(source);
  if (kind === 'list') return <ListOperand {...operand} />;
  if (kind === 'version' && found === 'text') {
    return <TextOperand {...operand} placeholder="1.4.0" />;
  }
  if (kind === 'pattern' && found === 'text') {
    return <TextOperand {...operand} frequent={[]} placeholder="regular expression" mono />;
  }
  if (kind === 'plain' || kind === 'version' || kind === 'pattern') {
    return <PlainOperand {...operand} />;
  }
  if (kind === 'presence' && found === 'boolean') {
    return <ChoiceOperand {...operand} choices={presences} />;
  }
  if (kind === 'type' && types.some((type) => type.value === source)) {
    return <ChoiceOperand {...operand} choices={types} />;
  }
  if (kind === 'size' && found === 'number') return <NumberOperand {...operand} />;
  return <JsonOperand {...operand} />;
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
  // Lists and objects are always JSON; other values only after JSON was chosen.
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
            null, or missing
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

function TextOperand({ source, onChange, frequent, ...props }: TextOperandProps) {
  return (
    <SuggestedInput
      {...props}
      value={textOfSource(source)}
      onText={(text) => onChange(JSON.stringify(text))}
      offered={optionsOf(frequent, 'string')}
      frequent={frequent}
    />
  );
}

function NumberOperand({ source, onChange, frequent, ...props }: OperandProps) {
  const [typed, type] = useTypedSource(source, (text) => jsonNumber.test(text), onChange);
  return (
    <SuggestedInput
      {...props}
      isDecimal
      value={typed}
      onText={(text) => type(text.trim())}
      offered={optionsOf(frequent, 'number')}
      frequent={frequent}
      error={jsonNumber.test(typed) ? undefined : `Not a number. ${source} is used.`}
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
