/** The fields of one guard. */
import {
  ActionIcon,
  Autocomplete,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  type NumberInputProps,
  Paper,
  Select,
  Stack,
  TagsInput,
  Text,
  Tooltip,
} from '@mantine/core';
import { useState } from 'react';
import { guardEnumMax, guardPathCharsMax } from '../../../contract/limits.js';
import type { GuardInput } from '../../../contract/schemas/guard.js';
import { IconTrash } from '../../icons/icons.js';
import { monoInput } from '../../parts/code/mono-input.js';
import { editGuard, editMaxChange, enumOf, enumTexts, type GuardEdit } from './guard-fields.js';

const severities = [
  { value: 'warn', label: 'Warn' },
  { value: 'block', label: 'Block until confirmed' },
  { value: 'approve', label: 'Ask for a second person' },
] as const;

const jsonTypes = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;
/** As many as fit without scrolling: the list has no keyboard focus of its own. */
const pathsShownMax = 5;

export interface GuardRowProps {
  /** Its place, from 1. */
  readonly number: number;
  readonly guard: GuardInput;
  readonly readOnly: boolean;
  /** Paths of the content item. */
  readonly paths: readonly string[];
  /** The server's error about a field; '' is about the guard as a whole. */
  readonly errorAt: (field: string) => string | null;
  readonly onGuard: (guard: GuardInput) => void;
  readonly onRemove: () => void;
}

export function GuardRow(props: GuardRowProps) {
  const { number, guard, readOnly, paths, errorAt, onGuard, onRemove } = props;
  const { path, min, max, type, maxChange, severity } = guard;
  const edit = (change: GuardEdit): void => onGuard(editGuard(guard, change));
  const numbers = { readOnly, hideControls: true, w: { base: '46%', xs: 130 } } as const;
  const whole = errorAt('');
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Guard ${number}`}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <Autocomplete
            label="Path"
            description="A JSON Pointer; * is any name or element, ** any depth."
            value={path}
            onChange={(text) => edit({ path: text })}
            data={[...paths]}
            limit={pathsShownMax}
            readOnly={readOnly}
            maxLength={guardPathCharsMax}
            spellCheck={false}
            autoCapitalize="off"
            styles={monoInput}
            style={{ flex: 1, minWidth: 0 }}
            error={errorAt('path')}
          />
          {!readOnly && (
            <Tooltip label={`Remove guard ${number}`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="input-sm"
                aria-label={`Remove guard ${number}: ${path}`}
                onClick={onRemove}
                data-remove-guard
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
        <Group gap="xs" align="flex-start">
          <NumberField
            {...numbers}
            label="Min"
            value={min}
            onNumber={(value) => edit({ min: value })}
            error={errorAt('min')}
          />
          <NumberField
            {...numbers}
            label="Max"
            value={max}
            onNumber={(value) => edit({ max: value })}
            error={errorAt('max')}
          />
          <NumberField
            {...numbers}
            label="Moves at most by"
            value={maxChange?.by}
            onNumber={(by) => edit({ maxChange: editMaxChange(maxChange, { by }) })}
            error={errorAt('maxChange.by')}
          />
          <NumberField
            {...numbers}
            label="At most times"
            value={maxChange?.factor}
            onNumber={(factor) => edit({ maxChange: editMaxChange(maxChange, { factor }) })}
            error={errorAt('maxChange.factor') ?? errorAt('maxChange')}
          />
          <Select
            label="Otherwise"
            data={severities}
            value={severity}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={(value) => edit({ severity: (value as GuardInput['severity']) ?? severity })}
            error={errorAt('severity')}
            w={{ base: '100%', xs: 220 }}
          />
        </Group>
        <Group gap="xs" align="flex-start">
          <MultiSelect
            label="Types"
            data={jsonTypes}
            value={[type ?? []].flat()}
            readOnly={readOnly}
            onChange={(types) =>
              edit({
                type: types.length === 0 ? undefined : (types as (typeof jsonTypes)[number][]),
              })
            }
            error={errorAt('type')}
            style={{ flex: '1 1 14rem' }}
          />
          <TagsInput
            label="Only these values"
            value={enumTexts(guard.enum)}
            readOnly={readOnly}
            maxTags={guardEnumMax}
            onChange={(texts) => edit({ enum: enumOf(texts) })}
            error={errorAt('enum')}
            style={{ flex: '1 1 14rem' }}
          />
        </Group>
        <Checkbox
          label="Every player has a value there"
          checked={guard.required === true}
          disabled={readOnly}
          onChange={(event) => edit({ required: event.currentTarget.checked || undefined })}
          error={errorAt('required')}
        />
        {whole !== null && (
          <Text size="sm" c="red" role="status">
            {whole}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | undefined;
  readonly onNumber: (value: number | undefined) => void;
}

/** Empty is undefined; what is no number yet, such as a minus sign, stays in the field. */
function NumberField({ value, onNumber, ...props }: NumberFieldProps) {
  const [typed, setTyped] = useState('');
  return (
    <NumberInput
      {...props}
      value={value ?? typed}
      onChange={(next) => {
        setTyped(typeof next === 'string' ? next : '');
        onNumber(typeof next === 'number' ? next : undefined);
      }}
    />
  );
}
