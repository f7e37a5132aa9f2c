/** The command palette: finds what there is and does what the screen offers, from the keyboard. */
import { Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { IconSearch } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { pathOf } from '../parts/environments.js';
import { findOpeners, giveFocusBack } from '../parts/focus-return.js';
import { useGuard } from '../parts/guard.js';
import { useIsNarrow } from '../parts/use-is-narrow.js';
import { type Entry, keyOfEntry, type Target } from './entry.js';
import { OptionRow } from './option-row.js';
import styles from './palette.module.css';
import { type FoundEntry, PaletteIndex } from './palette-index.js';
import { type Entries, useEntries } from './use-entries.js';

/** More of them are no help: one more letter is. */
const shownMax = 50;
const rowsPerPage = 8;

export interface PaletteDialogProps {
  readonly env: string | null;
  readonly targets: readonly Target[];
  readonly onChoose: (entry: Entry) => void;
  readonly onClose: () => void;
}

export function PaletteDialog({ onClose, ...props }: PaletteDialogProps) {
  const [openers] = useState(findOpeners);
  const isNarrow = useIsNarrow();
  useEffect(() => () => giveFocusBack(openers), [openers]);
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isNarrow}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
      returnFocus={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Find or do">
        <Modal.Body p={0}>
          <Palette {...props} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Palette({ env, targets, onChoose, onClose }: PaletteDialogProps) {
  // Rendered before the palette itself is in the page.
  const [canAct] = useState(() => document.querySelectorAll('[role="dialog"]').length === 0);
  const entries = useEntries(env, targets, canAct);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const sections = useSections(entries, query, env);
  const options = sections.flatMap(({ found }) => found);
  const listId = useId();
  const { name } = useGuard(env ?? '');
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another option is active, or others are listed.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, sections]);
  const choose = (index: number): void => {
    const entry = options[index]?.entry;
    if (entry !== undefined && (entry.disabledReason ?? null) === null) onChoose(entry);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const move = moves[event.key];
    if (move !== undefined) setActive(move(active, options.length));
    else if (event.key === 'Enter') choose(active);
    else return;
    event.preventDefault();
  };
  const place = env === null ? '' : ` in ${name}`;
  return (
    <>
      <TextInput
        data-autofocus
        className={styles['input']}
        variant="unstyled"
        size="md"
        role="combobox"
        aria-label="Find or do"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={options.length === 0 ? undefined : `${listId}-${active}`}
        placeholder={`Find something${place}, or do it`}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={entries.isLoading ? <Loader size="xs" aria-hidden /> : undefined}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results" className={styles['list']}>
        {sections.map(({ label, found, first }) => (
          // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by a role, not by a fieldset.
          <div key={label} role="group" aria-label={label}>
            <div className={styles['label']} aria-hidden>
              {label}
            </div>
            {found.map(({ entry, ranges }, index) => (
              <OptionRow
                key={keyOfEntry(entry)}
                id={`${listId}-${first + index}`}
                {...{ entry, ranges }}
                isActive={first + index === active}
                onPoint={() => setActive(first + index)}
                onChoose={() => choose(first + index)}
              />
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <Text size="sm" c="dimmed" p="md">
          {entries.isLoading ? 'Loading…' : 'Nothing matches.'}
        </Text>
      )}
      {entries.error !== null && (
        <Text size="sm" p="md">
          What there is could not be loaded: {entries.error.message}
        </Text>
      )}
      <VisuallyHidden role="status">
        {query === '' ? '' : counted(options.length, 'result')}
      </VisuallyHidden>
      <button type="button" className={styles['close']} onClick={onClose}>
        Close
      </button>
    </>
  );
}

/** Which option is active after a key. */
const moves: Readonly<Record<string, (active: number, count: number) => number>> = {
  ArrowDown: (active, count) => (active + 1 >= count ? 0 : active + 1),
  ArrowUp: (active, count) => (active === 0 ? Math.max(0, count - 1) : active - 1),
  PageDown: (active, count) => Math.max(0, Math.min(count - 1, active + rowsPerPage)),
  PageUp: (active) => Math.max(0, active - rowsPerPage),
};

interface Section {
  readonly label: string;
  readonly found: readonly FoundEntry[];
  /** Place of its first option among all. */
  readonly first: number;
}

/** What is listed: of no query what was opened last and what can be done here. */
function useSections(entries: Entries, query: string, env: string | null): readonly Section[] {
  const { recent, commands, targets, all } = entries;
  const index = useMemo(() => new PaletteIndex(all), [all]);
  return useMemo(() => {
    const wanted = query.trim();
    if (wanted === '') {
      return sectionsOf([
        ['Opened last', plain(recent)],
        ['On this screen', plain(commands)],
        ['Go to', plain(targets)],
      ]);
    }
    return sectionsOf([
      ['Results', recentFirst(index.search(wanted, shownMax), recent)],
      ['In texts', env === null ? [] : plain([textSearch(env, wanted)])],
    ]);
  }, [index, query, env, recent, commands, targets]);
}

function sectionsOf(all: readonly (readonly [string, readonly FoundEntry[]])[]): Section[] {
  let first = 0;
  return all.flatMap(([label, found]) => {
    const section = { label, found, first };
    first += found.length;
    return found.length === 0 ? [] : [section];
  });
}

function plain(entries: readonly Entry[]): FoundEntry[] {
  return entries.map((entry) => ({ entry, ranges: [] }));
}

function recentFirst(found: readonly FoundEntry[], recent: readonly Entry[]): FoundEntry[] {
  const isRecent = ({ entry }: FoundEntry): boolean => recent.includes(entry);
  return [...found.filter(isRecent), ...found.filter((one) => !isRecent(one))];
}

function textSearch(env: string, query: string): Entry {
  const act = { path: pathOf.search(env, query) };
  const name = `Search texts for “${query}”`;
  return { kind: 'search', name, detail: '', words: '', act };
}
