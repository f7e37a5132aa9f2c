/** The visual builder of a condition: react-querybuilder over the tree of `condition-query.ts`. */
import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  type ControlElementsProp,
  type FullField,
  QueryBuilder,
  type RuleGroupType,
  type RuleType,
} from 'react-querybuilder';
import { type BuilderContext, formatPath } from './builder-context.js';
import {
  AddGroup,
  AddRule,
  FieldInput,
  JoinSelect,
  OperatorSelect,
  Remove,
  Shift,
} from './builder-controls.js';
import styles from './condition-builder.module.css';
import { operatorGroups, plainOperator, playerFields } from './condition-operators.js';
import {
  type ConditionGroup,
  isIssue,
  type Join,
  readCondition,
  writeCondition,
} from './condition-query.js';
import { ConditionRow } from './condition-row.js';
import { followChoices } from './follow-choices.js';
import { OperandInput } from './operand-input.js';
import { sameTokens } from './same-tokens.js';
import type { OfferedAttributes } from './use-attributes.js';

export interface ConditionBuilderProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly readOnly: boolean;
  readonly offered: OfferedAttributes;
}

interface Held {
  /** The source that the query was read from or written as. */
  readonly source: string;
  readonly query: ConditionGroup;
}

const controlElements: ControlElementsProp<FullField, string> = {
  rule: ConditionRow,
  combinatorSelector: JoinSelect,
  fieldSelector: FieldInput,
  operatorSelector: OperatorSelect,
  valueEditor: OperandInput,
  addRuleAction: AddRule,
  addGroupAction: AddGroup,
  removeRuleAction: Remove,
  removeGroupAction: Remove,
  shiftActions: Shift,
};

const controlClassnames = {
  queryBuilder: styles['builder'] ?? '',
  ruleGroup: styles['group'] ?? '',
  header: styles['header'] ?? '',
  body: styles['body'] ?? '',
  rule: styles['rule'] ?? '',
};

const combinators: { name: Join; label: string }[] = [
  { name: 'and', label: 'all of these' },
  { name: 'or', label: 'any of these' },
  { name: 'nor', label: 'none of these' },
  { name: 'not', label: 'not all of these' },
];

const operators = operatorGroups.map(({ label, operators: inGroup }) => ({
  label,
  options: inGroup.map((operator) => ({ name: operator.name, label: operator.label })),
}));

export function ConditionBuilder(props: ConditionBuilderProps) {
  const { value, onChange, readOnly, offered } = props;
  const { attributes, doubtOf, valuesOf } = offered;
  const [held, setHeld] = useState<Held>(() => ({ source: value, query: queryOf(value) }));
  const [added] = useState<{ id: string | null }>({ id: null });
  // A change from elsewhere. A different layout of the same tokens is not one, so that rows keep the focus.
  if (value !== held.source && !sameTokens(value, held.source)) {
    setHeld({ source: value, query: queryOf(value) });
  }
  const fields = useMemo(
    () => [...playerFields, ...attributes.map((name) => ({ name, label: name }))],
    [attributes],
  );
  const context = useMemo<BuilderContext>(
    () => ({ attributes, doubtOf, valuesOf, added }),
    [attributes, doubtOf, valuesOf, added],
  );

  const change = (changed: RuleGroupType): void => {
    const next = changed as unknown as ConditionGroup;
    if (next === held.query) return;
    const query = followChoices(held.query, next);
    const source = writeCondition(query);
    setHeld({ source, query });
    if (!sameTokens(source, value)) onChange(source);
  };

  return (
    <>
      <QueryBuilder
        query={held.query as unknown as RuleGroupType}
        onQueryChange={change}
        onAddRule={(rule: RuleType) => {
          added.id = rule.id ?? null;
          return { ...rule, field: '', operator: plainOperator, value: '""' };
        }}
        fields={fields}
        operators={operators}
        combinators={combinators}
        controlElements={controlElements}
        controlClassnames={controlClassnames}
        context={context}
        disabled={readOnly}
        showShiftActions={!readOnly}
        resetOnFieldChange={false}
        resetOnOperatorChange={false}
        enableMountQueryChange={false}
        suppressStandardClassnames
        accessibleDescriptionGenerator={({ path }) =>
          path.length === 0 ? 'Condition' : `Bracket ${formatPath(path)}`
        }
      />
      <WhoMatches query={held.query} />
    </>
  );
}

/** An empty condition matches all players, or none. */
function WhoMatches({ query: { combinator, rules } }: { readonly query: ConditionGroup }) {
  if (rules.length > 0) return null;
  const matchesAll = combinator === 'and' || combinator === 'or';
  return (
    <Text size="sm" aria-live="polite">
      {matchesAll
        ? 'Without a condition, all players match. Add one to narrow it down.'
        : 'Without a condition, no player matches. Add one, or choose “all of these”.'}
    </Text>
  );
}

/** The editor shows unreadable sources as JSON instead. */
function queryOf(source: string): ConditionGroup {
  const read = readCondition(source);
  return isIssue(read) ? { id: 'c0', combinator: 'and', rules: [] } : read;
}
