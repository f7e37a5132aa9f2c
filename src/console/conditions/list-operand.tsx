/** The operand of a condition with several values: as pills of texts or numbers, or as JSON. */
import { Box, Group, NativeSelect, TagsInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import styles from './condition-builder.module.css';
import { JsonOperand, type OperandProps } from './json-operand.js';
import { pillsOf, typedPills } from './list-pills.js';
import { asListKind, kindOfList, type ListKind } from './operand-source.js';
import { optionsOf, renderValue } from './value-options.js';

const listKinds: { value: ListKind; label: string }[] = [
  { value: 'texts', label: 'texts' },
  { value: 'numbers', label: 'numbers' },
  { value: 'json', label: 'JSON' },
];

export function ListOperand(operand: OperandProps) {
  const { source, onChange, disabled, name } = operand;
  const [wanted, setWanted] = useState<ListKind | null>(null);
  const found = useMemo(() => kindOfList(source), [source]);
  // An empty list is of any kind.
  const isOpen = wanted === 'json' || (source === '[]' && wanted !== null);
  const kind = isOpen ? wanted : found;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <NativeSelect
        className={styles['kind']}
        aria-label={`Kind of the ${name.toLowerCase()}`}
        value={kind}
        disabled={disabled}
        data={listKinds}
        onChange={(event) => {
          const next = event.currentTarget.value as ListKind;
          setWanted(next);
          onChange(asListKind(source, next));
        }}
      />
      <Box flex={1} miw={0}>
        {kind === 'json' ? (
          <JsonOperand {...operand} />
        ) : (
          <PillsOperand {...operand} isOfTexts={kind === 'texts'} />
        )}
      </Box>
    </Group>
  );
}

function PillsOperand(props: OperandProps & { readonly isOfTexts: boolean }) {
  const { source, onChange, disabled, name, frequent, isOfTexts } = props;
  const [invalid, setInvalid] = useState<string | null>(null);
  const pills = pillsOf(source);
  return (
    <TagsInput
      aria-label={name}
      value={pills}
      allowDuplicates
      data={[...optionsOf(frequent, isOfTexts ? 'string' : 'number')]}
      renderOption={renderValue(frequent)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      acceptValueOnBlur
      splitChars={[',', '\n', '\t']}
      placeholder={pills.length === 0 ? 'type, then Enter' : ''}
      readOnly={disabled}
      error={invalid === null ? undefined : `“${invalid}” is not a number.`}
      onChange={(next) => {
        const typed = typedPills(source, next, isOfTexts ? 'texts' : 'numbers');
        setInvalid(typed.invalid);
        onChange(typed.source);
      }}
    />
  );
}
