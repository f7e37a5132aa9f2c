/** The filters of the activity: environment, action, person, name, time. */
import { Autocomplete, Button, Group, Select, type SelectProps, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';
import { IconFilter, IconX } from '../icons/icons.js';
import { useEnvironments } from '../parts/environments.js';
import { useIsOwner, useSession } from '../session/session.js';
import classes from './activity.module.css';
import { type ActivityFilter, paramsOf, periods } from './activity-filter.js';
import { ActivitySearch } from './activity-search.js';
import { actionGroupsOf } from './audit-actions.js';
import { useTyped } from './use-typed.js';

export interface ActivityFiltersProps {
  readonly filter: ActivityFilter;
  readonly onChange: (change: Partial<ActivityFilter>) => void;
  readonly onClear: () => void;
}

export function ActivityFilters({ filter, onChange, onClear }: ActivityFiltersProps) {
  const { data: environments = [] } = useEnvironments();
  const people = usePeople();
  const isOwner = useSession().role === 'owner';
  const count = paramsOf(filter).size;
  // On small screens the events come first.
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <search aria-label="Filter the activity" className={classes['search']}>
      <ActivitySearch filter={filter} onChange={onChange} />
      <Button
        hiddenFrom="xs"
        variant="default"
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <Group gap="xs" align="flex-end" className={classes['filters']} data-open={isOpen}>
        <Choice
          label="Environment"
          placeholder="All"
          data={withValue(
            environments.map(({ id }) => id),
            filter.environment,
          )}
          value={filter.environment}
          onChoose={(environment) => onChange({ environment })}
          w={{ base: 'calc(50% - 5px)', xs: 145 }}
        />
        <Choice
          label="Action"
          placeholder="All actions"
          data={actionsWith(filter.action, isOwner)}
          value={filter.action}
          onChoose={(action) => onChange({ action })}
          searchable
          nothingFoundMessage="No such action"
          maxDropdownHeight={360}
          w={{ base: 'calc(50% - 5px)', xs: 185 }}
        />
        <TypedPerson value={filter.user} people={people} onChange={(user) => onChange({ user })} />
        <TypedName value={filter.name} onChange={(name) => onChange({ name })} />
        <Choice
          label="When"
          placeholder="Any time"
          data={[
            ...Object.entries(periods).map(([value, { label }]) => ({ value, label })),
            { value: 'custom', label: 'Custom time' },
          ]}
          value={filter.period}
          onChoose={(period) => onChange({ period: period as ActivityFilter['period'] })}
          w={{ base: 'calc(50% - 5px)', xs: 150 }}
        />
        {filter.period === 'custom' &&
          (['from', 'until'] as const).map((end) => (
            <TextInput
              key={end}
              type="datetime-local"
              label={end === 'from' ? 'From' : 'Until'}
              value={filter[end]}
              max={(end === 'from' && filter.until) || undefined}
              min={(end === 'until' && filter.from) || undefined}
              onChange={(event) => onChange({ [end]: event.currentTarget.value })}
              w={{ base: '100%', xs: 210 }}
            />
          ))}
        {count > 0 && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={onClear}
          >
            Clear filters
          </Button>
        )}
      </Group>
    </search>
  );
}

interface ChoiceProps extends Omit<SelectProps, 'value' | 'onChange'> {
  /** '' for all. */
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ value, onChoose, ...select }: ChoiceProps) {
  return (
    <Select
      {...select}
      value={value === '' ? null : value}
      onChange={(chosen) => onChoose(chosen ?? '')}
      clearable
    />
  );
}

interface TypedProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TypedPerson({
  value,
  people,
  onChange,
}: TypedProps & { readonly people: readonly string[] }) {
  const [typed, type] = useTyped(value, onChange);
  return (
    <Autocomplete
      label="Person"
      placeholder="All people"
      data={[...people]}
      value={typed}
      onChange={type}
      clearable
      w={{ base: 'calc(50% - 5px)', xs: 150 }}
    />
  );
}

function TypedName({ value, onChange }: TypedProps) {
  const [typed, type] = useTyped(value, onChange);
  return (
    <TextInput
      label="Name"
      placeholder="Full id of an item…"
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      w={{ base: 'calc(50% - 5px)', xs: 175 }}
    />
  );
}

/** Only owners of the whole server may list users; other users type the name. */
function usePeople(): readonly string[] {
  const { data } = useQuery({
    queryKey: ['users'],
    enabled: useIsOwner(),
    queryFn: async () => (await request('GET /users', {})).users,
    staleTime: 60_000,
  });
  return [...(data ?? []).map(({ name }) => name), 'system'];
}

/** A deleted environment can still be filtered by. */
function withValue(values: readonly string[], value: string): string[] {
  return value === '' || values.includes(value) ? [...values] : [...values, value];
}

function actionsWith(value: string, isOwner: boolean) {
  const groups = actionGroupsOf(isOwner).map(({ group, items }) => ({ group, items: [...items] }));
  const isKnown =
    value === '' || groups.some(({ items }) => items.some((item) => item.value === value));
  return isKnown ? groups : [...groups, { group: 'Other', items: [{ value, label: value }] }];
}
