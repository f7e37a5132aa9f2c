/** The filters of the list: a search, tags, state and targeting. */
import { Button, Group, Kbd, MultiSelect, Select, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react';
import { IconSearch } from '../icons/icons.js';
import styles from './list-filters.module.css';
import {
  type ContentKind,
  type ContentState,
  hasFilters,
  type ListView,
  noFilters,
} from './list-view.js';

const stateChoices = [
  { value: 'live', label: 'Live' },
  { value: 'draft', label: 'With a newer draft' },
  { value: 'unpublished', label: 'Not published' },
];
const kindChoices = [
  { value: 'dynamic', label: 'With targeting' },
  { value: 'plain', label: 'Without targeting' },
];

export interface ListFiltersProps {
  readonly view: ListView;
  readonly tags: ReadonlyMap<string, number>;
  readonly onChange: (change: Partial<ListView>) => void;
  /** The arrow key moves from the search into the list. */
  readonly onDown: () => void;
  /** Enter in the search opens the first result. */
  readonly onEnter: () => void;
  /** How the list is arranged. */
  readonly children?: ReactNode;
}

export function ListFilters(props: ListFiltersProps) {
  const { view, tags, onChange, onDown, onEnter, children } = props;
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([
    [
      '/',
      () => {
        // A dialog keeps the focus.
        if (document.querySelector('[role="dialog"]') === null) search.current?.select();
      },
    ],
  ]);
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') onDown();
    else if (event.key === 'Enter') onEnter();
    else if (event.key === 'Escape' && view.query !== '') onChange({ query: '' });
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles['filters']}>
      <TextInput
        ref={search}
        className={styles['search']}
        type="search"
        aria-label="Search content"
        aria-keyshortcuts="/"
        placeholder="Search id, description, tag, hash or editor"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          view.query === '' ? (
            <Kbd size="xs" visibleFrom="sm">
              /
            </Kbd>
          ) : null
        }
        rightSectionPointerEvents="none"
        spellCheck={false}
        value={view.query}
        onChange={(event) => onChange({ query: event.currentTarget.value })}
        onKeyDown={press}
      />
      {!view.isDeleted && (
        <Choices
          tags={tags}
          chosenTags={view.tags}
          state={view.state}
          kind={view.kind}
          onChange={onChange}
        />
      )}
      {hasFilters(view) && (
        <Button variant="subtle" px="sm" onClick={() => onChange(noFilters)}>
          Clear filters
        </Button>
      )}
      {children}
    </search>
  );
}

interface ChoicesProps extends Pick<ListFiltersProps, 'tags' | 'onChange'> {
  readonly chosenTags: ListView['tags'];
  readonly state: ListView['state'];
  readonly kind: ListView['kind'];
}

/** Not rendered again while the user types in the search beside them. */
const Choices = memo(function Choices({ tags, chosenTags, state, kind, onChange }: ChoicesProps) {
  return (
    <>
      <MultiSelect
        className={styles['tags']}
        aria-label="Tags"
        placeholder={chosenTags.length === 0 ? 'Any tag' : ''}
        data={[...tags.keys()]}
        renderOption={({ option: { value } }) => (
          <Group justify="space-between" gap="xs" flex={1} wrap="nowrap">
            <span>{value}</span>
            <Text span size="xs" c="dimmed">
              {tags.get(value)}
            </Text>
          </Group>
        )}
        value={[...chosenTags]}
        onChange={(chosen) => onChange({ tags: chosen })}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage="No such tag"
        limit={100}
      />
      <Select
        className={styles['choice']}
        aria-label="State"
        placeholder="Any state"
        data={stateChoices}
        value={state}
        onChange={(chosen) => onChange({ state: chosen as ContentState | null })}
        clearable
      />
      <Select
        className={styles['choice']}
        aria-label="Targeting"
        placeholder="Any targeting"
        data={kindChoices}
        value={kind}
        onChange={(chosen) => onChange({ kind: chosen as ContentKind | null })}
        clearable
      />
    </>
  );
});
