/** A text as a table: one of its arrays of objects, a row for each, whose cells are edited in the text. */
import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, memo, useDeferredValue, useMemo, useState } from 'react';
import { TextIssue } from '../../../content/json/text-issue.js';
import { nodeOf, parseTextTree, pointerOf } from '../../../content/json/text-tree.js';
import {
  IconArrowDown,
  IconArrowUp,
  IconColumnInsertRight,
  IconCopy,
  IconRowInsertBottom,
  IconSearch,
  IconTable,
  IconTrash,
} from '../../icons/icons.js';
import type { EditedTextProps } from '../../parts/code/edited-text.js';
import { TextError } from '../../parts/code/text-error.js';
import { counted } from '../../parts/counted.js';
import { ActionMenu } from '../../parts/data/action-menu.js';
import { EmptyState } from '../../parts/empty-state.js';
import { notifyDone } from '../../parts/notify.js';
import { ToolButton } from '../../parts/tool-button.js';
import { blockEdits, cellsOfBlock } from './block.js';
import { NewColumn } from './new-column.js';
import styles from './table.module.css';
import {
  type CellEdit,
  type TableText,
  tableIn,
  withCells,
  withMovedRow,
  withNewRow,
  withoutRow,
  withRowTwice,
} from './table-edits.js';
import { TableGrid } from './table-grid.js';
import { columnsOf, findTables, isTable, type TableColumn } from './tables-of.js';
import { useCells } from './use-cells.js';
import { type RowView, viewRows } from './view-rows.js';

/** Without a pointer it shows the longest array. */
export type TableViewProps = EditedTextProps;

export function TableView(props: TableViewProps) {
  const { text, pointer, onGoTo } = props;
  const tree = useMemo(() => parseTextTree(text), [text]);
  // What can be chosen may follow a moment after an edit.
  const settled = useDeferredValue(tree);
  const tables = useMemo(
    () => (settled instanceof TextIssue ? [] : findTables(settled)),
    [settled],
  );
  if (tree instanceof TextIssue) {
    return <TextError icon={<IconTable size={26} />} issue={tree} onGoTo={onGoTo} />;
  }
  const chosen = pointer ?? tables[0]?.pointer ?? null;
  const array = chosen === null ? null : nodeOf(tree, chosen);
  if (chosen === null || array === null || !(isTable(array) || array.children.length === 0)) {
    return (
      <EmptyState
        icon={<IconTable size={26} />}
        title={chosen === null ? 'This text has no table' : `${chosen} is not a table`}
        action={
          tables[0] !== undefined && (
            <Button variant="default" onClick={() => props.onPointer(tables[0]?.pointer ?? '')}>
              Show {tables[0].pointer || 'the whole text'}
            </Button>
          )
        }
      >
        A table shows an array of objects, such as a list of offers: a row for each, a column for
        each member.
      </EmptyState>
    );
  }
  return <ArrayTable key={chosen} {...props} {...{ tree, array, tables, chosen }} />;
}

interface ArrayTableProps extends TableViewProps, TableText {
  readonly tables: readonly { readonly pointer: string; readonly rows: number }[];
  readonly chosen: string;
}

/** More would not be read side by side; the text has them all. */
const columnsMax = 40;
const everything: RowView = { filter: '', sort: null, isDescending: false };

function ArrayTable(props: ArrayTableProps) {
  const { text, readOnly, tree, array, tables, chosen, onPointer, onText } = props;
  const table = useMemo((): TableText => ({ tree, array }), [tree, array]);
  const [view, setView] = useState(everything);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [issue, setIssue] = useState<string | null>(null);
  const [order] = useState(() => new Map<string, number>());
  const found = useMemo(
    () => inOrder(withAdded(columnsOf(array), added), order),
    [array, added, order],
  );
  const columns = useMemo(() => found.slice(0, columnsMax), [found]);
  // An edit moves no row: they are sorted and filtered when the view changes, or rows come and go.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes with each edit.
  const rows = useMemo(() => viewRows(text, array, view), [array.children.length, view]);
  const cells = useCells(rows.length, columns.length);
  const row = rows[cells.active.row] ?? null;

  const change = (next: string): void => {
    setIssue(null);
    if (next !== text) onText(next);
  };
  const setCells = (source: string | null): void => {
    const { from, to } = cells.range;
    const places = source === null ? rows.slice(from.row, to.row + 1) : row === null ? [] : [row];
    const names =
      source === null
        ? columns.slice(from.column, to.column + 1)
        : columns.slice(cells.active.column, cells.active.column + 1);
    const edits: CellEdit[] = places.flatMap((place) =>
      names.map(({ name }) => ({ row: place, column: name, source })),
    );
    change(source === null ? withoutCells(table, chosen, edits) : withCells(table, chosen, edits));
  };
  const paste = (block: string): void => {
    const { from, to } = cells.range;
    const typed = cellsOfBlock(block);
    const isOne = typed.length === 1 && typed[0]?.length === 1;
    const [down, right] = [to.row - from.row + 1, to.column - from.column + 1];
    const filled = isOne
      ? Array.from({ length: down }, () => Array<string>(right).fill(typed[0]?.[0] ?? ''))
      : typed;
    const place = { rows: rows.slice(from.row), columns: columns.slice(from.column) };
    const pasted = blockEdits(text, array, filled, place);
    if (pasted.issue !== null) {
      setIssue(`Nothing was pasted. ${pasted.issue}`);
      return;
    }
    change(withCells(table, chosen, pasted.edits));
    const beyond = pasted.left === 0 ? '' : ` ${counted(pasted.left, 'cell')} did not fit.`;
    notifyDone(`Pasted into ${counted(pasted.edits.length, 'cell')}.${beyond}`);
  };
  const addRow = (): void => change(withNewRow(table, array.children.length, found));
  const acts = rowActs({ table, row, change });
  return (
    <Stack gap="xs" className={styles['view'] ?? ''}>
      <Group gap="xs" align="flex-end" justify="space-between">
        <Group gap="xs" align="flex-end">
          <TableSelect {...{ tables, chosen, onPointer }} />
          <TextInput
            size="xs"
            label="Filter rows"
            placeholder="part of a value"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={view.filter}
            onChange={(event) => setView({ ...view, filter: event.currentTarget.value })}
          />
          <Text size="xs" c="dimmed" role="status" className={styles['beside'] ?? ''}>
            {countsText(array.children.length, rows.length, found.length)}
          </Text>
        </Group>
        {!readOnly && (
          <Group gap="xs">
            <ToolButton icon={IconRowInsertBottom} onClick={addRow}>
              Add a row
            </ToolButton>
            <NewColumn
              icon={IconColumnInsertRight}
              taken={found.map(({ name }) => name)}
              onAdd={(name) => setAdded([...added, name])}
            />
            {row !== null && (
              <ActionMenu label={`Actions for row ${row + 1}`} groups={[{ actions: acts.menu }]} />
            )}
          </Group>
        )}
      </Group>
      {issue !== null && (
        <Text size="sm" c="red" role="alert">
          {issue}
        </Text>
      )}
      <TableGrid
        label={`Table of ${chosen || 'the text'}`}
        {...{ table, columns, rows, cells, view, readOnly }}
        onSort={(name) => setView(sortedBy(view, name))}
        onCells={setCells}
        onPaste={paste}
        onOpen={(place, column) => {
          const cell = array.children[place]?.children.findLast(({ name }) => name === column);
          if (cell !== undefined) onPointer(pointerOf(cell));
        }}
        onRowKey={(event) => rowKey(event, props, { row, cells, acts })}
      />
      <Text size="xs" c="dimmed">
        {readOnly
          ? 'Arrow keys move; Ctrl+C copies the selected cells.'
          : 'Enter edits a cell, Delete removes its member, Ctrl+C and Ctrl+V copy and paste cells, Alt+↑ and Alt+↓ move the row, and Ctrl+Z undoes. Sorting and filtering do not change the text.'}
      </Text>
    </Stack>
  );
}

function withAdded(columns: readonly TableColumn[], added: readonly string[]): TableColumn[] {
  const known = new Set(columns.map(({ name }) => name));
  const more = added.filter((name) => !known.has(name));
  return [...columns, ...more.map((name): TableColumn => ({ name, kind: 'string', count: 0 }))];
}

/** Columns stay where they were first seen, however rows move; new ones follow. */
function inOrder(columns: TableColumn[], order: Map<string, number>): TableColumn[] {
  const placeOf = ({ name }: TableColumn): number =>
    order.get(name) ?? order.set(name, order.size).size - 1;
  for (const column of columns) placeOf(column);
  return columns.sort((one, other) => placeOf(one) - placeOf(other));
}

/** Members are removed one column after the other: two of one object would both take its comma. */
function withoutCells(table: TableText, pointer: string, edits: readonly CellEdit[]): string {
  let text = table.tree.text;
  for (const column of new Set(edits.map((edit) => edit.column))) {
    const now = tableIn(text, pointer);
    if (now === null) return text;
    text = withCells(
      now,
      pointer,
      edits.filter((edit) => edit.column === column),
    );
  }
  return text;
}

function countsText(all: number, shown: number, columns: number): string {
  const rows = shown === all ? counted(all, 'row') : `${shown} of ${counted(all, 'row')}`;
  const left = columns > columnsMax ? `, the first ${columnsMax} are shown` : '';
  return `${rows}, ${counted(columns, 'column')}${left}`;
}

/** Up, down, and as in the text. */
function sortedBy(view: RowView, column: string): RowView {
  if (view.sort !== column) return { ...view, sort: column, isDescending: false };
  return view.isDescending ? { ...view, sort: null } : { ...view, isDescending: true };
}

type TableSelectProps = Pick<ArrayTableProps, 'tables' | 'chosen' | 'onPointer'>;

/** There may be hundreds of tables: they are listed anew when they change, not with each key. */
const TableSelect = memo(function TableSelect({ tables, chosen, onPointer }: TableSelectProps) {
  const data = useMemo(() => {
    const isKnown = tables.some(({ pointer }) => pointer === chosen);
    const shown = isKnown ? tables : [{ pointer: chosen, rows: 0 }, ...tables];
    return shown.map(({ pointer, rows }) => ({
      value: `${pointer} `,
      label: `${pointer || 'the whole text'} (${counted(rows, 'row')})`,
    }));
  }, [tables, chosen]);
  const above = chosen.slice(0, chosen.lastIndexOf('/', chosen.lastIndexOf('/') - 1));
  const outer = tables.some(({ pointer }) => pointer === above) && chosen !== above ? above : null;
  return (
    <>
      <Select
        size="xs"
        label="Table"
        data={data}
        value={`${chosen} `}
        searchable={data.length > 8}
        limit={100}
        allowDeselect={false}
        w="20rem"
        maw="100%"
        onChange={(value) => {
          if (value !== null) onPointer(value.slice(0, -1));
        }}
      />
      {outer !== null && (
        <Anchor
          component="button"
          size="xs"
          className={styles['beside'] ?? ''}
          onClick={() => onPointer(outer)}
        >
          Back to {outer || 'the whole text'}
        </Anchor>
      )}
    </>
  );
});

interface RowActsOptions {
  readonly table: TableText;
  /** Its place in the array; null: there is no row. */
  readonly row: number | null;
  readonly change: (text: string) => void;
}

function rowActs({ table, row, change }: RowActsOptions) {
  const act = (edit: (table: TableText, row: number) => string) => (): void => {
    if (row !== null) change(edit(table, row));
  };
  const twice = act(withRowTwice);
  const remove = act(withoutRow);
  const up = act((now, at) => withMovedRow(now, at, at - 1));
  const down = act((now, at) => withMovedRow(now, at, at + 1));
  const menu = [
    { label: 'Duplicate', icon: IconCopy, onClick: twice },
    { label: 'Move up', icon: IconArrowUp, onClick: up },
    { label: 'Move down', icon: IconArrowDown, onClick: down },
    { label: 'Remove', icon: IconTrash, onClick: remove, color: 'red' },
  ];
  return { twice, remove, up, down, menu };
}

interface RowKeyOptions {
  readonly row: number | null;
  readonly cells: ReturnType<typeof useCells>;
  readonly acts: ReturnType<typeof rowActs>;
}

/** @returns whether the key was one of the rows, or of undo */
function rowKey(event: KeyboardEvent, props: TableViewProps, options: RowKeyOptions): boolean {
  const { cells, acts } = options;
  if (props.readOnly) return false;
  const { key, altKey, shiftKey } = event;
  const isMod = event.ctrlKey || event.metaKey;
  if (altKey && !isMod && (key === 'ArrowUp' || key === 'ArrowDown')) {
    const step = key === 'ArrowUp' ? -1 : 1;
    (step < 0 ? acts.up : acts.down)();
    cells.goTo({ row: cells.active.row + step, column: cells.active.column });
    return true;
  }
  if (!isMod || altKey) return false;
  if (key.toLowerCase() === 'z') return shiftKey ? props.onRedo() : props.onUndo();
  if (key.toLowerCase() === 'y') return props.onRedo();
  return false;
}
