/** The builder's controls except the operand: attribute, operator, how a bracket joins its conditions, and buttons. */
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
import { useState } from 'react';
import type {
  ActionProps,
  CombinatorSelectorProps,
  FieldSelectorProps,
  OperatorSelectorProps,
  ShiftActionsProps,
} from 'react-querybuilder';
import { IconArrowDown, IconArrowUp, IconFolderPlus, IconPlus, IconX } from '../icons/icons.js';
import { attributeCalled, attributeTitled, isFoundBy, titleOfAttribute } from './attributes.js';
import { type BuilderContext, formatPath } from './builder-context.js';
import styles from './condition-builder.module.css';
import { operatorGroups, operatorOf, playerFields } from './condition-operators.js';
import { addRuleMark, focusBracketAround } from './focus-after-removal.js';

/** What the title does not say. */
const aboutPlayer: ReadonlyMap<string, string> = new Map([['@mod', '0 to 999']]);

const findOptions: OptionsFilter = ({ options, search }) =>
  options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option))
      return isFoundBy(attributeTitled(option.value), search) ? [option] : [];
    const items = option.items.filter(({ value }) => isFoundBy(attributeTitled(value), search));
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
  const { attributes, doubtOf, added } = context as BuilderContext;
  const field = value ?? '';
  // A condition that was just added shows no error before it is edited.
  const [isFresh, setIsFresh] = useState(added.id === rule.id && field === '');
  const doubt = doubtOf(field);
  const leave = (): void => {
    setIsFresh(false);
    const called = attributes.includes(field) ? null : attributeCalled(field);
    if (called !== null && disabled !== true) handleOnChange(called);
  };
  return (
    <Autocomplete
      className={styles['field']}
      aria-label={`Attribute of condition ${formatPath(path)}`}
      placeholder="attribute"
      value={titleOfAttribute(field)}
      onChange={(shown) => handleOnChange(attributeTitled(shown))}
      onBlur={leave}
      filter={findOptions}
      readOnly={disabled === true}
      autoFocus={added.id === rule.id && field === ''}
      error={field === '' && !isFresh ? 'Name an attribute.' : undefined}
      description={doubt ?? aboutPlayer.get(field)}
      inputWrapperOrder={['input', 'description', 'error']}
      data={[
        ...(attributes.length > 0 ? [{ group: 'Attributes', items: [...attributes] }] : []),
        { group: 'Known for every player', items: playerFields.map(({ title }) => title) },
      ]}
      renderOption={({ option }) => <AttributeOption shown={option.value} />}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={260}
    />
  );
}

/** A title beside the name that conditions have, or the name alone. */
function AttributeOption({ shown }: { readonly shown: string }) {
  const name = attributeTitled(shown);
  if (name === shown) return <span className="mono">{name}</span>;
  return (
    <Group gap="xs" wrap="nowrap">
      <span>{shown}</span>
      <Text span size="xs" c="dimmed" className="mono">
        {name}
      </Text>
    </Group>
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
      aria-label={`Operator of condition ${formatPath(path)}`}
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
        aria-label={
          isRoot
            ? 'How the conditions join'
            : `How the conditions of bracket ${formatPath(path)} join`
        }
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
      aria-label={
        path.length === 0 ? 'Add condition' : `Add condition to bracket ${formatPath(path)}`
      }
      onClick={(event) => handleOnClick(event)}
    >
      Condition
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
      aria-label={path.length === 0 ? 'Add bracket' : `Add bracket to bracket ${formatPath(path)}`}
      onClick={(event) => handleOnClick(event)}
    >
      Bracket
    </Button>
  );
}

export function Remove({ handleOnClick, disabled, path, ruleOrGroup }: ActionProps) {
  if (disabled === true) return null;
  const isBracket = 'rules' in ruleOrGroup;
  return (
    <ActionIcon
      className={styles['remove']}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Remove ${nameOf(isBracket, path)}`}
      onClick={(event) => {
        focusBracketAround(event.currentTarget, isBracket);
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
  const name = nameOf('rules' in ruleOrGroup, path);
  return (
    <div className={styles['shift']}>
      <Move label={`Move ${name} up`} icon={IconArrowUp} isOff={shiftUpDisabled} move={shiftUp} />
      <Move
        label={`Move ${name} down`}
        icon={IconArrowDown}
        isOff={shiftDownDisabled}
        move={shiftDown}
      />
    </div>
  );
}

interface MoveProps {
  readonly label: string;
  readonly icon: typeof IconArrowUp;
  readonly isOff: boolean | undefined;
  readonly move: (() => void) | undefined;
}

/** It stays focusable when it is off, so that moving to the end does not lose the focus. */
function Move({ label, icon: Icon, isOff = false, move }: MoveProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      aria-disabled={isOff}
      data-disabled={isOff || undefined}
      onClick={() => !isOff && move?.()}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

function nameOf(isBracket: boolean, path: readonly number[]): string {
  return `${isBracket ? 'bracket' : 'condition'} ${formatPath(path)}`;
}
