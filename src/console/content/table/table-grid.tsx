/** The cells of a table as an ARIA grid that renders only the visible rows, with the keys of a spreadsheet. */
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { IconArrowDown, IconArrowUp } from '../../icons/icons.js';
import { blockText } from './block.js';
import type { Leave } from './cell-editor.js';
import { shownText } from './cell-text.js';
import styles from './table.module.css';
import type { TableText } from './table-edits.js';
import { TableRow } from './table-row.js';
import { cellOf, isTable, type TableColumn } from './tables-of.js';
import type { Cells } from './use-cells.js';
import type { RowView } from './view-rows.js';

export interface TableGridProps {
  readonly label: string;
  readonly table: TableText;
  readonly columns: readonly TableColumn[];
  /** Places in the array, in the order of the view. */
  readonly rows: readonly number[];
  readonly cells: Cells;
  readonly view: Pick<RowView, 'sort' | 'isDescending'>;
  readonly readOnly: boolean;
  readonly onSort: (column: string) => void;
  /** @param source null: the members go */
  readonly onCells: (source: string | null) => void;
  readonly onPaste: (block: string) => void;
  /** Opens an array of objects as a table of its own. */
  readonly onOpen: (row: number, column: string) => void;
  /** Keys of the rows: move, twice, remove. @returns whether it was one */
  readonly onRowKey: (event: KeyboardEvent) => boolean;
}

const rowHeight = 34;
const rowsBeyondSight = 10;
/** Widths in characters. */
const [narrowest, widest, charactersOfRow] = [7, 28, 60];

export function TableGrid(props: TableGridProps) {
  const { label, table, columns, rows, cells, readOnly } = props;
  const { active, range, editing } = cells;
  const frame = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: rowsBeyondSight,
    scrollPaddingStart: rowHeight,
    // The heads are above the rows, in the same frame.
    scrollMargin: rowHeight,
  });

  // The focus follows the active cell, also into rows that are rendered for it.
  useEffect(() => {
    if (!hasFocus.current || editing !== null) return;
    const place = `[data-row="${active.row}"] [data-column="${active.column}"]`;
    const cell = frame.current?.querySelector<HTMLElement>(place);
    if (cell === undefined || cell === null) virtual.scrollToIndex(active.row);
    else if (cell !== document.activeElement) {
      cell.focus({ preventScroll: true });
      cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  });

  const press = (event: KeyboardEvent): void => {
    if (editing !== null || event.target === frame.current || isControl(event.target)) return;
    if (cells.move(event) || props.onRowKey(event) || editByKey(event, props)) {
      event.preventDefault();
    }
  };
  const point = (event: MouseEvent): void => {
    const place = placeOf(event.target);
    if (place === null || isControl(event.target)) return;
    hasFocus.current = true;
    cells.goTo(place, event.shiftKey);
  };
  const copy = (event: ClipboardEvent): void => {
    if (editing !== null) return;
    event.clipboardData.setData('text/plain', selectedText(props));
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent): void => {
    if (editing !== null || readOnly) return;
    event.preventDefault();
    props.onPaste(event.clipboardData.getData('text/plain'));
  };
  // What the rows call stays the same function, so they need not render anew for it.
  const leave = useRef<(source: string | null, leave: Leave) => void>(undefined);
  useLayoutEffect(() => {
    leave.current = (source, to) => {
      hasFocus.current = true;
      if (source !== null) props.onCells(source);
      goOn(cells, to);
    };
  });
  const onTake = useCallback((source: string, to: Leave) => leave.current?.(source, to), []);
  const onLeave = useCallback((to: Leave) => leave.current?.(null, to), []);
  const tracks = useMemo(() => tracksOf(table, columns), [table, columns]);
  const style = { '--columns': tracks } as CSSProperties;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot have rows that are placed by hand.
    <div
      ref={frame}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-readonly={readOnly}
      className={styles['frame']}
      style={style}
      tabIndex={-1}
      onKeyDown={press}
      onMouseDown={point}
      onDoubleClick={(event) => {
        if (placeOf(event.target) !== null && !readOnly) openOrEdit(props);
      }}
      onCopy={copy}
      onPaste={paste}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={(event) => {
        hasFocus.current = event.currentTarget.contains(event.relatedTarget) || editing !== null;
      }}
    >
      <Heads {...props} />
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] ?? 0;
          const object = table.array.children[row];
          if (object === undefined) return null;
          const isActive = active.row === index;
          const isSelected = index >= range.from.row && index <= range.to.row;
          return (
            <TableRow
              key={index}
              {...{ object, columns, row, index, onTake, onLeave }}
              text={table.tree.text}
              top={start}
              active={isActive ? active.column : -1}
              selectedFrom={isSelected ? range.from.column : null}
              selectedTo={isSelected ? range.to.column : null}
              editing={isActive ? editing : null}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Keys that begin an edit of the active cell, or make it. @returns whether it was one */
function editByKey(event: KeyboardEvent, props: TableGridProps): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return false;
  if (key === 'Enter' || key === 'F2') {
    openOrEdit(props, key === 'F2');
    return true;
  }
  if (props.readOnly) return false;
  if (key === 'Delete' || key === 'Backspace') {
    props.onCells(null);
    return true;
  }
  const kind = activeNode(props)?.kind;
  if (key === ' ' && kind === 'boolean') {
    const isTrue = shownText(props.table.tree.text, activeNode(props) as never) === 'true';
    props.onCells(String(!isTrue));
    return true;
  }
  if (key.length !== 1 || kind === 'object' || kind === 'array') return false;
  props.cells.edit(key);
  return true;
}

function openOrEdit(props: TableGridProps, asSource = false): void {
  const { cells, rows, columns, readOnly } = props;
  const node = activeNode(props);
  const [row, column] = [rows[cells.active.row], columns[cells.active.column]];
  if (!asSource && node !== null && isTable(node) && row !== undefined && column !== undefined) {
    props.onOpen(row, column.name);
  } else if (!readOnly) {
    cells.edit(null);
  }
}

function activeNode({ table, rows, columns, cells }: TableGridProps) {
  const row = table.array.children[rows[cells.active.row] ?? -1];
  const column = columns[cells.active.column];
  return row === undefined || column === undefined ? null : cellOf(row, column.name);
}

function selectedText({ table, rows, columns, cells }: TableGridProps): string {
  const { from, to } = cells.range;
  const { text } = table.tree;
  const block = rows.slice(from.row, to.row + 1).map((row) =>
    columns.slice(from.column, to.column + 1).map(({ name }) => {
      const object = table.array.children[row];
      const cell = object === undefined ? null : cellOf(object, name);
      if (cell === null) return '';
      const isContainer = cell.kind === 'object' || cell.kind === 'array';
      return isContainer ? text.slice(cell.start, cell.end) : shownText(text, cell);
    }),
  );
  return blockText(block);
}

function goOn(cells: Cells, leave: Leave): void {
  const { row, column } = cells.active;
  cells.leaveEditor();
  if (leave === 'down') cells.goTo({ row: row + 1, column });
  else if (leave === 'up') cells.goTo({ row: row - 1, column });
  else if (leave === 'right') cells.goTo({ row, column: column + 1 });
  else if (leave === 'left') cells.goTo({ row, column: column - 1 });
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, textarea, input') !== null;
}

function placeOf(target: EventTarget) {
  if (!(target instanceof Element)) return null;
  const cell = target.closest<HTMLElement>('[data-column]');
  const row = cell?.closest<HTMLElement>('[data-row]');
  if (cell === null || row === null || row === undefined) return null;
  return { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) };
}

/** A track for the numbers of the rows, and one as wide as what each column has in its first rows. */
function tracksOf({ tree, array }: TableText, columns: readonly TableColumn[]): string {
  const tracks = columns.map(({ name }) => {
    const lengths = array.children.slice(0, charactersOfRow).map((row) => {
      const cell = cellOf(row, name);
      return cell === null ? 0 : shownText(tree.text, cell).length;
    });
    const characters = Math.max(narrowest, name.length + 2, ...lengths);
    return `${Math.min(widest, characters) + 3}ch`;
  });
  return ['3.5rem', ...tracks].join(' ');
}

function Heads({ columns, view, onSort }: TableGridProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div role="row" aria-rowindex={1} className={styles['heads']} tabIndex={-1}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="columnheader" aria-colindex={1} className={styles['number']} tabIndex={-1}>
        <VisuallyHidden>Row</VisuallyHidden>
      </div>
      {columns.map(({ name }, at) => {
        const isSorted = view.sort === name;
        const order = view.isDescending ? 'descending' : 'ascending';
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          <div
            key={name}
            role="columnheader"
            aria-colindex={at + 2}
            aria-sort={isSorted ? order : 'none'}
            className={styles['head']}
            tabIndex={-1}
          >
            <UnstyledButton className={styles['sort'] ?? ''} onClick={() => onSort(name)}>
              <span className={styles['value']}>{name}</span>
              {isSorted && !view.isDescending && <IconArrowUp size={14} aria-hidden />}
              {isSorted && view.isDescending && <IconArrowDown size={14} aria-hidden />}
            </UnstyledButton>
          </div>
        );
      })}
    </div>
  );
}
