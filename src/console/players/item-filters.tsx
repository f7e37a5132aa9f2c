/** The filters above the content items: a part of the id, and which outcomes. */
import { Group, Select, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef } from 'react';
import type { PlayerItemPair } from '../../contract/players/pair-items.js';
import { IconSearch } from '../icons/icons.js';
import { useShortcuts } from '../palette/use-commands.js';
import { outcomeLabels } from './between.js';
import { type ItemFilter, isOf, type Shown, shownOf } from './item-filter.js';

export interface ItemFiltersProps {
  readonly rows: readonly PlayerItemPair[];
  readonly filter: ItemFilter;
  readonly onChange: (filter: ItemFilter) => void;
  readonly isCompared: boolean;
}

const labels: Readonly<Record<Shown, string>> = {
  different: 'different',
  same: 'the same',
  all: 'all',
  ...outcomeLabels,
};
const ofBoth: readonly Shown[] = ['different', 'same'];

export function ItemFilters({ rows, filter, onChange, isCompared }: ItemFiltersProps) {
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => search.current?.select()]]);
  useShortcuts([{ keys: ['/'], does: 'Search the content items' }]);
  const choices = (Object.keys(labels) as Shown[])
    .filter((shown) => isCompared || !ofBoth.includes(shown))
    .map((shown) => {
      const count = rows.filter((row) => isOf(row, shown)).length;
      return { value: shown, label: `${labels[shown]} (${count.toLocaleString('en')})` };
    });
  return (
    <Group component="search" gap="xs" wrap="wrap">
      <TextInput
        ref={search}
        type="search"
        flex="1 1 12rem"
        aria-label="Search content items"
        aria-keyshortcuts="/"
        placeholder="Search ids"
        leftSection={<IconSearch size={16} aria-hidden />}
        spellCheck={false}
        value={filter.query}
        onChange={(event) => onChange({ ...filter, query: event.currentTarget.value })}
      />
      <Select
        flex="0 1 13rem"
        aria-label="Show"
        data={choices}
        value={shownOf(filter, isCompared)}
        allowDeselect={false}
        onChange={(shown) => onChange({ ...filter, shown: (shown ?? 'all') as Shown })}
      />
    </Group>
  );
}
