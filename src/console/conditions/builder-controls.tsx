/** The builder's controls beside the operand: attribute, operator, how a group joins its rules, and the buttons. */
import {
  ActionIcon,
  Autocomplete,
  Button,
  type ComboboxParsedItem,
  Group,
  NativeSelect,
  type OptionsFilter,
  Text,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconFolderPlus, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type {
  ActionProps,
  CombinatorSelectorProps,
  FieldSelectorProps,
  OperatorSelectorProps,
  ShiftActionsProps,
} from 'react-querybuilder';
import { attributeCalled, isFoundBy } from './attribute-search.js';
import { type BuilderContext, wordPath } from './builder-context.js';
import styles from './condition-builder.module.css';
import { operatorGroups, operatorOf, playerFields } from './condition-operators.js';
import { addRuleMark, focusGroupAround } from './focus-after-removal.js';

const playerLabels: ReadonlyMap<string, string> = new Map(
  playerFields.map(({ name, label }) => [name, label] as const),
);

const findOptions: OptionsFilter = ({ options, search }) =>
  options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFoundBy(option.value, search) ? [option] : [];
    const items = option.items.filter(({ value }) => isFoundBy(value, search));
    return items.length === 0 ? [] : [{ ...option, items }];
  });

export function FieldInput({
  value,
  handleOnChange,
  disabled,
  path,
  rule,
  context,
}: FieldSelectorProps) {
  const { attributes, isUsed, added } = context as BuilderContext;
  const field = value ?? '';
  // What was added just now is not wrong before somebody has been at it.
  const [isFresh, setIsFresh] = useState(added.id === rule.id && field === '');
  const about =
    playerLabels.get(field) ??
    (field === '' || isUsed(field) ? undefined : 'Not used elsewhere. Does your game send it?');
  const leave = (): void => {
    setIsFresh(false);
    const called = attributes.includes(field) ? null : attributeCalled(field);
    if (called !== null && disabled !== true) handleOnChange(called);
  };
  return (
    <Autocomplete
      className={styles['field']}
      aria-label={`Attribute of rule ${wordPath(path)}`}
      placeholder="attribute"
      value={field}
      onChange={handleOnChange}
      onBlur={leave}
      filter={findOptions}
      readOnly={disabled === true}
      autoFocus={added.id === rule.id && field === ''}
      error={field === '' && !isFresh ? 'Name an attribute.' : undefined}
      description={about}
      inputWrapperOrder={['input', 'description', 'error']}
      data={[
        ...(attributes.length > 0 ? [{ group: 'Attributes', items: [...attributes] }] : []),
        { group: 'Known of every player', items: playerFields.map(({ name }) => name) },
      ]}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          <span className="mono">{option.value}</span>
          {playerLabels.has(option.value) && (
            <Text span size="xs" c="dimmed">
              {playerLabels.get(option.value)}
            </Text>
          )}
        </Group>
      )}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={260}
    />
  );
}

const operatorData = operatorGroups.map(({ label, operators }) => ({
  group: label,
  items: operators.map((operator) => ({ value: operator.name, label: operator.label })),
}));

export function OperatorSelect({ value, handleOnChange, disabled, path }: OperatorSelectorProps) {
  return (
    <NativeSelect
      className={styles['operator']}
      aria-label={`Operator of rule ${wordPath(path)}`}
      title={operatorOf(value ?? '')?.label ?? ''}
      value={value ?? ''}
      onChange={(event) => handleOnChange(event.currentTarget.value)}
      disabled={disabled === true}
      data={operatorData}
    />
  );
}

export function JoinSelect(props: CombinatorSelectorProps) {
  const { value, handleOnChange, disabled, options, path } = props;
  const isRoot = path.length === 0;
  return (
    <Group gap={6} className={styles['join']}>
      {isRoot && <Text size="sm">Players who match</Text>}
      <NativeSelect
        size="xs"
        aria-label={isRoot ? 'How the rules join' : `How the rules of group ${wordPath(path)} join`}
        value={value ?? 'and'}
        onChange={(event) => handleOnChange(event.currentTarget.value)}
        disabled={disabled === true}
        data={options.flatMap((option) =>
          'options' in option ? [] : [{ value: String(option.name), label: String(option.label) }],
        )}
      />
    </Group>
  );
}

export function AddRule({ handleOnClick, disabled, path }: ActionProps) {
  if (disabled === true) return null;
  return (
    <Button
      size="compact-sm"
      {...addRuleMark}
      variant="light"
      leftSection={<IconPlus size={14} aria-hidden />}
      aria-label={path.length === 0 ? 'Add rule' : `Add rule to group ${wordPath(path)}`}
      onClick={(event) => handleOnClick(event)}
    >
      Rule
    </Button>
  );
}

export function AddGroup({ handleOnClick, disabled, path }: ActionProps) {
  if (disabled === true) return null;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<IconFolderPlus size={14} aria-hidden />}
      aria-label={path.length === 0 ? 'Add group' : `Add group to group ${wordPath(path)}`}
      onClick={(event) => handleOnClick(event)}
    >
      Group
    </Button>
  );
}

export function Remove({ handleOnClick, disabled, path, ruleOrGroup }: ActionProps) {
  if (disabled === true) return null;
  const noun = 'rules' in ruleOrGroup ? 'group' : 'rule';
  return (
    <ActionIcon
      className={styles['remove']}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Remove ${noun} ${wordPath(path)}`}
      onClick={(event) => {
        focusGroupAround(event.currentTarget, noun === 'group');
        handleOnClick(event);
      }}
    >
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
}

export function Shift(props: ShiftActionsProps) {
  const { shiftUp, shiftDown, shiftUpDisabled, shiftDownDisabled, path, ruleOrGroup } = props;
  if (path.length === 0 || (shiftUpDisabled === true && shiftDownDisabled === true)) return null;
  const name = `${'rules' in ruleOrGroup ? 'group' : 'rule'} ${wordPath(path)}`;
  return (
    <div className={styles['shift']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Move ${name} up`}
        // Still takes the focus, so that moving to the end does not lose it.
        aria-disabled={shiftUpDisabled === true}
        data-disabled={shiftUpDisabled === true ? true : undefined}
        onClick={() => shiftUpDisabled !== true && shiftUp?.()}
      >
        <IconArrowUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Move ${name} down`}
        aria-disabled={shiftDownDisabled === true}
        data-disabled={shiftDownDisabled === true ? true : undefined}
        onClick={() => shiftDownDisabled !== true && shiftDown?.()}
      >
        <IconArrowDown size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
