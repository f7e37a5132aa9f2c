/** The search of the activity: words, and chips for a changed path and a value. */
import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { IconSearch, IconX } from '../icons/icons.js';
import { type ActivityFilter, readSearch } from './activity-filter.js';
import { useTyped } from './use-typed.js';

export interface ActivitySearchProps {
  readonly filter: ActivityFilter;
  readonly onChange: (change: Partial<ActivityFilter>) => void;
}

export function ActivitySearch({ filter, onChange }: ActivitySearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, type, typeNow] = useTyped(filter.words, (text) => {
    const { words, path, value } = readSearch(text);
    onChange({ words, ...(path === null ? {} : { path }), ...(value === null ? {} : { value }) });
  });
  // What is typed as a path or a value is one already.
  const text = readSearch(typed).words;
  const isPointer = text.startsWith('/');
  const lookFor = (change: Partial<ActivityFilter>): void => {
    typeNow('');
    onChange({ words: '', ...change });
    field.current?.focus();
  };
  useFocusOnSlash(field);
  return (
    <>
      <TextInput
        ref={field}
        label="Search"
        description="Words in notes, names of items and of people. Or path:price and value:4.99."
        placeholder="Who changed what, and why?"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        spellCheck={false}
        autoCapitalize="off"
        maxLength={512}
      />
      <Group gap="xs" mih={0}>
        {filter.path !== '' && (
          <Chip
            label={isBelow(filter.path) ? 'At or below' : 'Path contains'}
            text={filter.path}
            onRemove={() => lookFor({ path: '', words: filter.words })}
          />
        )}
        {filter.value !== '' && (
          <Chip
            label="Value"
            text={filter.value}
            onRemove={() => lookFor({ value: '', words: filter.words })}
          />
        )}
        {text !== '' && (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => lookFor({ path: text })}>
              {isPointer ? `Changed at or below ${text}` : `Changed path with “${text}”`}
            </Button>
            {!isPointer && (
              <Button variant="subtle" size="compact-sm" onClick={() => lookFor({ value: text })}>
                Changed value “{text}”
              </Button>
            )}
          </>
        )}
      </Group>
    </>
  );
}

function isBelow(path: string): boolean {
  return path.startsWith('/');
}

interface ChipProps {
  readonly label: string;
  readonly text: string;
  readonly onRemove: () => void;
}

function Chip({ label, text, onRemove }: ChipProps) {
  return (
    <Button
      variant="light"
      size="compact-sm"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`${label} ${text}: remove`}
      onClick={onRemove}
    >
      {label} <span className="mono">&nbsp;{text}</span>
    </Button>
  );
}

/** As in the other lists: "/" goes to the search, unless something is being typed. */
function useFocusOnSlash(field: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        event.target instanceof Element &&
        event.target.matches('input, textarea, [contenteditable="true"]')
      ) {
        return;
      }
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [field]);
}
