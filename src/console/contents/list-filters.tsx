/** What narrows the list: a search, tags, state and kind. */
import { Button, Group, Kbd, MultiSelect, Select, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useRef } from 'react';
import styles from './list-filters.module.css';
import {
  type ContentKind,
  type ContentState,
  contentKinds,
  contentStates,
  hasFilters,
  type ListView,
} from './list-view.js';

const stateNames: Readonly<Record<ContentState, string>> = {
  live: 'Live',
  draft: 'With a draft on top',
  unpublished: 'Not published',
};
const kindNames: Readonly<Record<ContentKind, string>> = {
  dynamic: 'Dynamic',
  plain: 'Without a mapping',
};

const stateChoices = contentStates.map((state) => ({ value: state, label: stateNames[state] }));
const kindChoices = contentKinds.map((kind) => ({ value: kind, label: kindNames[kind] }));

export interface ListFiltersProps {
  readonly view: ListView;
  readonly tags: ReadonlyMap<string, number>;
  readonly onChange: (change: Partial<ListView>) => void;
  /** The arrow key that goes from the search into the list. */
  readonly onDown: () => void;
  /** Enter in the search opens what is found first. */
  readonly onEnter: () => void;
}

export function ListFilters({ view, tags, onChange, onDown, onEnter }: ListFiltersProps) {
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([
    [
      '/',
      () => {
        // A dialog keeps the focus to itself.
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
        aria-label="Search contents"
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
        <Button
          variant="subtle"
          px="sm"
          onClick={() => onChange({ query: '', tags: [], state: null, kind: null })}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface ChoicesProps extends Pick<ListFiltersProps, 'tags' | 'onChange'> {
  readonly chosenTags: ListView['tags'];
  readonly state: ListView['state'];
  readonly kind: ListView['kind'];
}

/** Not drawn anew while one types in the search beside them. */
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
        aria-label="Kind"
        placeholder="Dynamic or not"
        data={kindChoices}
        value={kind}
        onChange={(chosen) => onChange({ kind: chosen as ContentKind | null })}
        clearable
      />
    </>
  );
});
