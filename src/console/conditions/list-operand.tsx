/** The operand of a rule that takes several values: as pills of texts or numbers, or as JSON. */
import { Box, Group, NativeSelect, TagsInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { elementSources } from '../api/raw-json.js';
import styles from './condition-builder.module.css';
import { JsonOperand, type OperandProps } from './json-operand.js';
import {
  asListKind,
  jsonNumber,
  kindOfList,
  type ListKind,
  listSource,
  textOfSource,
} from './operand-source.js';

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
  const { source, onChange, disabled, name, isOfTexts } = props;
  const [refused, setRefused] = useState<string | null>(null);
  const pills = (elementSources(source) ?? []).map((element) =>
    isOfTexts ? textOfSource(element) : element,
  );
  return (
    <TagsInput
      aria-label={name}
      value={pills}
      allowDuplicates
      acceptValueOnBlur
      splitChars={[',', '\n', '\t']}
      placeholder={pills.length === 0 ? 'type, then Enter' : ''}
      readOnly={disabled}
      error={refused === null ? undefined : `“${refused}” is not a number.`}
      onChange={(next) => {
        const kept = isOfTexts ? next : next.filter((pill) => jsonNumber.test(pill.trim()));
        setRefused(next.find((pill) => !kept.includes(pill)) ?? null);
        // Elements that were there keep their spelling.
        const old = new Map((elementSources(source) ?? []).map((one) => [textOfSource(one), one]));
        onChange(
          listSource(
            kept.map((pill) => (isOfTexts ? (old.get(pill) ?? JSON.stringify(pill)) : pill.trim())),
          ),
        );
      }}
    />
  );
}
