/** The outline of a text: a tree of its values that renders only the visible ones, follows the cursor, and leads to a place. */
import { Text, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { TextTree } from '../../../content/json/text-tree.js';
import { IconSearch } from '../../icons/icons.js';
import styles from './outline.module.css';
import {
  foundRows,
  gistOf,
  nameOf,
  type OutlineRow,
  openRows,
  pathsAbove,
} from './outline-rows.js';

export interface OutlinePanelProps {
  readonly tree: TextTree | null;
  /** What is typed cannot be read; the tree is of the text before. */
  readonly isBroken: boolean;
  /** JSON Pointer of the value at the cursor. */
  readonly cursor: string | null;
  readonly onGo: (path: string) => void;
}

const rowHeight = 24;
const rowsBeyondSight = 10;
const rowsOfPage = 10;
const noneYet = 'The outline appears once the error is fixed.';
const noneOpen: ReadonlySet<string> = new Set();

export function OutlinePanel({ tree, isBroken, cursor, onGo }: OutlinePanelProps) {
  const [query, setQuery] = useState('');
  const words = useDeferredValue(query.trim().toLowerCase());
  const isEmpty = useMemo(() => tree === null || openRows(tree, noneOpen).length === 0, [tree]);
  return (
    <section className={styles['panel']} aria-label="Outline">
      <TextInput
        size="xs"
        aria-label="Filter the outline"
        placeholder="Filter by name or value"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        spellCheck={false}
        autoCapitalize="off"
      />
      <Text size="xs" c="dimmed" role="status">
        {isBroken && (isEmpty ? noneYet : 'The text has an error: this is the outline before it.')}
        {!isBroken && tree === null && 'The text has no outline yet.'}
      </Text>
      {tree !== null && <Tree tree={tree} words={words} cursor={cursor} onGo={onGo} />}
    </section>
  );
}

interface TreeProps extends Pick<OutlinePanelProps, 'cursor' | 'onGo'> {
  readonly tree: TextTree;
  readonly words: string;
}

function Tree({ tree, words, cursor, onGo }: TreeProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string | null>(null);
  const rows = useMemo(
    () => (words === '' ? openRows(tree, open) : foundRows(tree, words)),
    [tree, open, words],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: rowsBeyondSight,
    getScrollElement: () => scroller.current,
  });
  const at = rows.findIndex(({ path }) => path === active);

  // It follows the cursor: what is above opens, and the row comes into sight.
  useEffect(() => {
    if (cursor === null) return;
    setOpen((known) => withAll(known, pathsAbove(cursor)));
    setActive(cursor);
  }, [cursor]);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);

  const toggle = ({ path, isOpen }: OutlineRow): void =>
    setOpen((known) => (isOpen === true ? without(known, path) : withAll(known, [path])));
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const step = stepOf(event.key, at, rows);
    if (step !== null) setActive(rows[step]?.path ?? null);
    else if (row === undefined) return;
    else if (event.key === 'Enter' || event.key === ' ') onGo(row.path);
    else if (isFolding(event.key, row)) toggle(row);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      className={styles['tree']}
      role="tree"
      aria-label="Values of the text"
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (at < 0) setActive(rows[0]?.path ?? null);
      }}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and takes the keys.
            <div
              key={row.path}
              id={`${id}-${index}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.level}
              aria-selected={index === at}
              {...(row.isOpen === null ? {} : { 'aria-expanded': row.isOpen })}
              aria-setsize={row.node.parent?.children.length ?? 1}
              aria-posinset={row.node.index + 1}
              className={styles['row']}
              style={{ top: start, paddingInlineStart: `${(row.level - 1) * 12 + 4}px` }}
              onClick={() => {
                setActive(row.path);
                onGo(row.path);
              }}
            >
              <span
                className={styles['fold']}
                aria-hidden
                onClick={(event) => {
                  if (row.isOpen === null) return;
                  event.stopPropagation();
                  toggle(row);
                }}
              >
                {row.isOpen === null ? '' : row.isOpen ? '⌄' : '›'}
              </span>
              <span className={styles['name']}>{nameOf(row.node)}</span>
              <span className={styles['value']}>{gistOf(tree, row.node)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Where a key leads; null: it leads nowhere. */
function stepOf(key: string, at: number, rows: readonly OutlineRow[]): number | null {
  const last = rows.length - 1;
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, last);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'PageDown':
      return Math.min(at + rowsOfPage, last);
    case 'PageUp':
      return Math.max(at - rowsOfPage, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
      return row?.isOpen === true ? at + 1 : null;
    case 'ArrowLeft':
      return row === undefined || row.isOpen === true ? null : parentOf(rows, at);
    default:
      return null;
  }
}

function parentOf(rows: readonly OutlineRow[], at: number): number | null {
  const level = rows[at]?.level ?? 0;
  const above = rows.slice(0, at).findLastIndex((row) => row.level < level);
  return above < 0 ? null : above;
}

function isFolding(key: string, { isOpen }: OutlineRow): boolean {
  return (key === 'ArrowRight' && isOpen === false) || (key === 'ArrowLeft' && isOpen === true);
}

function withAll(known: ReadonlySet<string>, paths: readonly string[]): ReadonlySet<string> {
  return paths.every((path) => known.has(path)) ? known : new Set([...known, ...paths]);
}

function without(known: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const rest = new Set(known);
  rest.delete(path);
  return rest;
}
