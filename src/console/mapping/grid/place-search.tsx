/** Adds a place to the grid: searched by path or value, typed, or picked in the text. */
import { Autocomplete, Button, Group } from '@mantine/core';
import { type Ref, useMemo, useState } from 'react';
import type { PlainValue, Tokens } from '../../../content/derive/plain-value.js';
import { tokensOf } from '../../../content/json/pointer-text.js';
import { IconPointer, IconSearch } from '../../icons/icons.js';
import { allPlaces, findPlaces } from './grid-model.js';
import { placeOption } from './place-option.js';

export interface PlaceSearchProps {
  readonly base: PlainValue;
  readonly field: Ref<HTMLInputElement>;
  readonly onAdd: (tokens: Tokens) => void;
  readonly onPick: () => void;
}

const optionsMax = 40;

export function PlaceSearch({ base, field, onAdd, onPick }: PlaceSearchProps) {
  const [query, setQuery] = useState('');
  const places = useMemo(() => allPlaces(base), [base]);
  // Not deferred: Enter takes the first option of what is typed, however fast it follows.
  const found = useMemo(() => findPlaces(places, query, optionsMax), [places, query]);
  const words = new Map(found.map((place) => [place.pointer, place.words]));
  const typed = query.startsWith('/') ? tokensOf(query) : null;
  const isNew = typed !== null && !words.has(query);
  const add = (pointer: string): void => {
    const tokens = tokensOf(pointer);
    if (tokens === null) return;
    onAdd(tokens);
    setQuery('');
  };
  return (
    <Group gap="xs" align="flex-end" flex="1 1 420px">
      <Autocomplete
        ref={field}
        label="Add a place"
        placeholder="Search a path or a value"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={query}
        onChange={setQuery}
        onOptionSubmit={(pointer) => {
          add(pointer);
          // The field takes the option after this.
          queueMicrotask(() => setQuery(''));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isNew && !event.defaultPrevented) add(query);
        }}
        data={[...found.map(({ pointer }) => pointer), ...(isNew ? [query] : [])]}
        filter={({ options }) => options}
        selectFirstOptionOnChange
        renderOption={placeOption(words, 'not in the text yet')}
        comboboxProps={{ width: 'target' }}
        maxDropdownHeight={280}
        spellCheck={false}
        autoCapitalize="off"
        flex="1 1 260px"
        maw={520}
      />
      <Button
        variant="default"
        leftSection={<IconPointer size={16} aria-hidden />}
        onClick={onPick}
      >
        Pick in the text…
      </Button>
    </Group>
  );
}
