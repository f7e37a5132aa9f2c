/**
 * A table of thousands of rows that renders only the visible ones. The arrow keys move from row to row, and Enter follows
 * the link of a row. Where rows can be selected, the space bar selects one, and arrow keys or clicks with Shift a range.
 */
import { Table, UnstyledButton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../icons/icons.js';
import styles from './virtual-table.module.css';

export interface TableColumn<Row, Sort extends string> {
  readonly name: string;
  readonly label: string;
  /** Sets its width, and at which widths of the table it is shown. */
  readonly className?: string | undefined;
  readonly sort?: Sort;
  readonly isLabelHidden?: boolean;
  /** In place of the label. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
}

export interface TableHandle {
  /** Focuses the link (or the button) of a row, or of the last one. */
  focusRow(index: number): void;
}

export interface VirtualTableProps<Row, Sort extends string> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly TableColumn<Row, Sort>[];
  readonly sort: Sort;
  readonly isDescending: boolean;
  readonly onSort: (sort: Sort, isDescending: boolean) => void;
  readonly onOpen?: (row: Row) => void;
  /** Selects a row or leaves it out, or selects all rows up to it. */
  readonly onSelect?: (row: Row, how: 'toggle' | 'extend') => void;
  readonly handle?: Ref<TableHandle>;
}

const rowHeightGuess = 47;
const rowsBeyondSight = 12;
const rowsOfPage = 10;
const controls = 'a, button, input, [role="menuitem"]';

function WindowedTable<Row, Sort extends string>(props: VirtualTableProps<Row, Sort>) {
  const { label, rows, keyOf, columns, onOpen, onSelect, handle } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [wanted, setWanted] = useState<number | null>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeightGuess,
    overscan: rowsBeyondSight,
    scrollMargin: top,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 24,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });

  // The part above the table may have grown: filters wrap, a message appears.
  useLayoutEffect(() => {
    const above = body.current?.getBoundingClientRect().top ?? 0;
    const next = Math.round(above + window.scrollY);
    if (next !== top) setTop(next);
  });

  const items = virtual.getVirtualItems();
  useEffect(() => {
    if (wanted === null) return;
    const row = body.current?.querySelector(`[data-row="${wanted}"]`);
    const link = row?.querySelector<HTMLElement>('a') ?? row?.querySelector('button');
    if (link === null || link === undefined) return;
    link.focus({ preventScroll: true });
    setWanted(null);
  });

  // The rows may change while one has the focus: the focus stays in the table, at the same place.
  const focused = useRef<number | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null;
      focused.current = body.current?.contains(row) ? Number(row?.dataset['row']) : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    const isLost = document.activeElement === document.body && focused.current !== null;
    if (isLost && rows.length > 0) setWanted(Math.min(focused.current ?? 0, rows.length - 1));
  }, [rows]);

  const focusRow = (index: number): void => {
    if (rows.length === 0) return;
    const row = Math.max(0, Math.min(rows.length - 1, index));
    virtual.scrollToIndex(row);
    setWanted(row);
  };
  useImperativeHandle(handle, () => ({ focusRow }));

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const index = Number(target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? Number.NaN);
    if (Number.isNaN(index)) return;
    // On a box or a button, the space bar means that.
    const isSelecting = event.key === ' ' && target instanceof HTMLAnchorElement;
    const step = isSelecting ? index : stepOf(event.key, index, rows.length);
    if (step === null) return;
    event.preventDefault();
    const row = rows[Math.max(0, Math.min(rows.length - 1, step))];
    if (isSelecting) {
      if (row !== undefined) onSelect?.(row, event.shiftKey ? 'extend' : 'toggle');
      return;
    }
    if (event.shiftKey && onSelect !== undefined) {
      const from = rows[index];
      if (from !== undefined) onSelect(from, 'extend');
      if (row !== undefined) onSelect(row, 'extend');
    }
    focusRow(step);
  };
  // Each row has a link, which Enter follows; the click on the rest of it is only a wider target.
  const open = (event: MouseEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    // Portals of a row's menu bubble through React as if they were in it.
    if (target.closest(controls) !== null || body.current?.contains(target) !== true) return;
    const index = Number(target.closest<HTMLElement>('[data-row]')?.dataset['row']);
    const row = rows[index];
    if (row === undefined) return;
    if (onSelect !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey)) {
      onSelect(row, event.shiftKey ? 'extend' : 'toggle');
      return;
    }
    if (window.getSelection()?.toString() === '') onOpen?.(row);
  };

  // Else the browser marks the text between two clicks.
  const keepUnmarked = (event: MouseEvent): void => {
    if (event.shiftKey && onSelect !== undefined) event.preventDefault();
  };

  const first = items[0];
  const last = items.at(-1);
  const above = first === undefined ? 0 : first.start - top;
  const below = last === undefined ? 0 : virtual.getTotalSize() - (last.end - top);
  return (
    <div className={styles['frame']}>
      <Table
        className={styles['table']}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        stickyHeader
        stickyHeaderOffset="var(--app-shell-header-height)"
      >
        <Heads {...props} />
        <Table.Tbody ref={body} onKeyDown={move} onClick={open} onMouseDown={keepUnmarked}>
          {above > 0 && <Spacer height={above} />}
          {items.map(({ index, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <MemoRow
                key={key}
                index={index}
                row={row}
                columns={columns as readonly TableColumn<unknown, string>[]}
                isOpenable={onOpen !== undefined}
                measure={virtual.measureElement}
              />
            );
          })}
          {below > 0 && <Spacer height={below} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Renders again only for other rows, columns or order. */
export const VirtualTable = memo(WindowedTable) as typeof WindowedTable;

function stepOf(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + rowsOfPage;
    case 'PageUp':
      return index - rowsOfPage;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

function Heads<Row, Sort extends string>(props: VirtualTableProps<Row, Sort>) {
  const { columns, sort, isDescending, onSort } = props;
  return (
    <Table.Thead>
      <Table.Tr aria-rowindex={1}>
        {columns.map((column) => {
          const isSorted = column.sort === sort;
          const order = isDescending ? 'descending' : 'ascending';
          return (
            <Table.Th
              key={column.name}
              className={column.className ?? ''}
              aria-sort={column.sort === undefined ? undefined : isSorted ? order : 'none'}
            >
              {column.sort === undefined ? (
                (column.head ?? (
                  <span className={column.isLabelHidden ? styles['unseen'] : ''}>
                    {column.label}
                  </span>
                ))
              ) : (
                <UnstyledButton
                  className={styles['sort']}
                  onClick={() => onSort(column.sort as Sort, isSorted && !isDescending)}
                >
                  {column.label}
                  <SortMark isSorted={isSorted} isDescending={isDescending} />
                </UnstyledButton>
              )}
            </Table.Th>
          );
        })}
      </Table.Tr>
    </Table.Thead>
  );
}

function SortMark({ isSorted, isDescending }: { isSorted: boolean; isDescending: boolean }) {
  if (!isSorted) return <IconArrowsSort size={14} className={styles['unsorted']} aria-hidden />;
  return isDescending ? (
    <IconArrowDown size={14} aria-hidden />
  ) : (
    <IconArrowUp size={14} aria-hidden />
  );
}

interface RowProps {
  readonly index: number;
  readonly row: unknown;
  readonly columns: readonly TableColumn<unknown, string>[];
  readonly isOpenable: boolean;
  readonly measure: (element: Element | null) => void;
}

/** Renders again only for another row or other columns: scrolling renders only new rows. */
const MemoRow = memo(function Row({ index, row, columns, isOpenable, measure }: RowProps) {
  return (
    <tr
      ref={measure}
      className={styles['row']}
      data-index={index}
      data-row={index}
      data-openable={isOpenable}
      aria-rowindex={index + 2}
    >
      {columns.map((column) => (
        <td key={column.name} className={column.className}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
});

/** Stands for the invisible rows. One cell: spanning columns that narrow screens hide would take space from the others. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
