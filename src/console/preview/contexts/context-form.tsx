/** A user context as a form: user id, app version, and the attributes as rows or as JSON. */
import {
  ActionIcon,
  Autocomplete,
  Box,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useId, useState } from 'react';
import { IconPlus, IconX } from '../../icons/icons.js';
import { CodeEditor } from '../../parts/code/code-editor.js';
import {
  type AttributeRow,
  attributesSource,
  contextIssues,
  kindOfValue,
  rowsOf,
  type UserContext,
} from './user-context.js';

export interface ContextFormProps {
  readonly value: UserContext;
  readonly onChange: (value: UserContext) => void;
  /** Suggested names of attributes. */
  readonly attributes?: readonly string[];
}

export function ContextForm({ value, onChange, attributes = [] }: ContextFormProps) {
  const issues = contextIssues(value);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          label="User id"
          placeholder="player-123"
          value={value.u}
          onChange={(event) => onChange({ ...value, u: event.currentTarget.value })}
        />
        <TextInput
          label="App version"
          placeholder="1.4.0"
          value={value.v}
          error={issues.v}
          onChange={(event) => onChange({ ...value, v: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Attributes
        source={value.p}
        issue={issues.p}
        offered={attributes}
        onChange={(p) => onChange({ ...value, p })}
      />
    </Stack>
  );
}

interface AttributesProps {
  readonly source: string;
  readonly issue: string | null;
  readonly offered: readonly string[];
  readonly onChange: (source: string) => void;
}

/** Rows with keys. Unfinished rows exist only here. */
interface TypedRows {
  readonly source: string;
  readonly rows: readonly (AttributeRow & { readonly key: number })[];
}

function Attributes({ source, issue, offered, onChange }: AttributesProps) {
  const [isJson, setIsJson] = useState(false);
  const labelId = useId();
  const [typed, setTyped] = useState<TypedRows>(() => withKeys(source));
  if (typed.source !== source) setTyped(withKeys(source));
  const mustBeJson = rowsOf(source) === null;
  const change = (rows: TypedRows['rows']): void => {
    const next = attributesSource(rows);
    setTyped({ source: next, rows });
    if (next !== source) onChange(next);
  };
  return (
    <Box role="group" aria-labelledby={labelId}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={500} id={labelId}>
          Attributes
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Attributes as"
          value={isJson || mustBeJson ? 'json' : 'rows'}
          onChange={(view) => setIsJson(view === 'json')}
          data={[
            { value: 'rows', label: 'Rows', disabled: mustBeJson },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {isJson || mustBeJson ? (
        <>
          <CodeEditor
            value={source}
            onChange={onChange}
            label="Attributes as JSON"
            minRows={3}
            maxRows={14}
          />
          <Box aria-live="polite">
            {issue !== null && (
              <Text size="xs" c="red">
                {issue}
              </Text>
            )}
          </Box>
        </>
      ) : (
        <Stack gap={6}>
          {typed.rows.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              place={index + 1}
              offered={offered}
              onChange={(changed) =>
                change(
                  typed.rows.map((one) => (one.key === row.key ? { ...one, ...changed } : one)),
                )
              }
              onRemove={() => change(typed.rows.filter(({ key }) => key !== row.key))}
            />
          ))}
          <Group>
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() =>
                setTyped({
                  source: typed.source,
                  rows: [...typed.rows, { name: '', value: '', key: nextKey(typed.rows) }],
                })
              }
            >
              Attribute
            </Button>
          </Group>
        </Stack>
      )}
    </Box>
  );
}

interface RowProps {
  readonly row: AttributeRow;
  readonly place: number;
  readonly offered: readonly string[];
  readonly onChange: (changed: Partial<AttributeRow>) => void;
  readonly onRemove: () => void;
}

/** Room for a name such as `daysSinceInstall` in a narrow column. */
const nearEdges = { input: { paddingInlineStart: 8 } };

function Row({ row: { name, value }, place, offered, onChange, onRemove }: RowProps) {
  const of = name === '' ? `attribute ${place}` : name;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Autocomplete
        flex="1 1 55%"
        miw={0}
        styles={nearEdges}
        size="sm"
        aria-label={`Name of attribute ${place}`}
        placeholder="name"
        value={name}
        title={name}
        autoFocus={name === '' && value === ''}
        data={[...offered]}
        onChange={(changed) => onChange({ name: changed })}
      />
      <TextInput
        flex="1 1 45%"
        miw={0}
        styles={nearEdges}
        aria-label={`Value of ${of}`}
        placeholder="value"
        value={value}
        rightSectionWidth={56}
        rightSectionPointerEvents="none"
        rightSection={
          value !== '' && (
            <Text size="xs" c="dimmed">
              {kindOfValue(value)}
            </Text>
          )
        }
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Remove ${of}`}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function withKeys(source: string): TypedRows {
  return { source, rows: (rowsOf(source) ?? []).map((row, key) => ({ ...row, key })) };
}

function nextKey(rows: TypedRows['rows']): number {
  return rows.reduce((most, { key }) => Math.max(most, key + 1), 0);
}
