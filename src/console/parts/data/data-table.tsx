/** The table of every list: columns described once, sorting, rows that open, and more rows on request. */

import type { MantineBreakpoint, TableProps } from '@mantine/core';
import {
  ActionIcon,
  Box,
  Button,
  Center,
  Table,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { Fragment, memo, type ReactNode, useCallback, useMemo, useState } from 'react';
import { IconArrowDown, IconArrowUp, IconChevronRight } from '../../icons/icons.js';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  /** For a column of buttons, whose title only screen readers need. */
  readonly isTitleHidden?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Narrower screens do not show the column. */
  readonly visibleFrom?: MantineBreakpoint;
  /** The cell that names its row. */
  readonly isHeader?: boolean;
  readonly ta?: 'right';
  readonly w?: number | string;
  readonly maw?: number;
  /** What the column is sorted by; without it, the column is not sorted. */
  readonly sortBy?: (row: Row) => string | number;
}

export interface DataTableProps<Row> extends Omit<TableProps, 'data' | 'children'> {
  /** Keep it between renders: rows are drawn again only when it changes. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows that are drawn at first; the others follow on request. */
  readonly rowsAtOnce?: number;
  /** Older rows that the server has. */
  readonly older?: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  /** What a row shows when it is opened; keep it between renders. */
  readonly details?: Details<Row>;
  /** A heading above the rows that share it. */
  readonly sectionOf?: (row: Row) => string;
  readonly isNew?: (row: Row) => boolean;
}

export interface Details<Row> {
  /** Names the button: "Details of content.published". */
  readonly label: (row: Row) => string;
  readonly show: (row: Row) => ReactNode;
}

interface Sorting<Row> {
  readonly column: Column<Row>;
  readonly isDescending: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    columns,
    rows,
    keyOf,
    rowsAtOnce = 200,
    older,
    details,
    sectionOf,
    isNew,
    ...table
  } = props;
  const [sorting, setSorting] = useState<Sorting<Row> | null>(null);
  const [rowsMax, setRowsMax] = useState(rowsAtOnce);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => setOpen((keys) => toggled(keys, key)), []);
  const sorted = useMemo(() => sort(rows, sorting), [rows, sorting]);
  const sectionAt = (place: number): string | undefined => {
    const row = sorted[place];
    return row === undefined ? undefined : sectionOf?.(row);
  };
  const columnCount = columns.length + (details === undefined ? 0 : 1);
  return (
    <>
      <Table verticalSpacing="xs" {...table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Heading
                key={column.title}
                column={column}
                sorting={sorting?.column.title === column.title ? sorting : null}
                onSort={(isDescending) => setSorting({ column, isDescending })}
              />
            ))}
            {details !== undefined && (
              <Table.Th w={50}>
                <VisuallyHidden>Details</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.slice(0, rowsMax).map((row, place) => {
            const key = keyOf(row);
            const section = sectionAt(place);
            return (
              <Fragment key={key}>
                {section !== undefined && section !== sectionAt(place - 1) && (
                  <Table.Tr className={styles['section']}>
                    <Table.Th colSpan={columnCount} scope="colgroup" py={6}>
                      {section}
                    </Table.Th>
                  </Table.Tr>
                )}
                <DataRow
                  row={row}
                  rowKey={key}
                  columns={columns as readonly Column<unknown>[]}
                  details={details as Details<unknown> | undefined}
                  isOpen={open.has(key)}
                  isNew={isNew?.(row) === true}
                  onToggle={toggle}
                />
              </Fragment>
            );
          })}
        </Table.Tbody>
      </Table>
      {sorted.length > rowsMax ? (
        <More onMore={() => setRowsMax(rowsMax + rowsAtOnce * 5)}>
          Show more ({sorted.length - rowsMax} left)
        </More>
      ) : (
        older?.hasNextPage === true && (
          <More isLoading={older.isFetchingNextPage} onMore={() => void older.fetchNextPage()}>
            Show older
          </More>
        )
      )}
    </>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  /** Null: the table is not sorted by this column. */
  readonly sorting: Sorting<Row> | null;
  readonly onSort: (isDescending: boolean) => void;
}

function Heading<Row>({ column, sorting, onSort }: HeadingProps<Row>) {
  const { title, isTitleHidden, cell: _, isHeader: __, sortBy, ...look } = column;
  if (sortBy === undefined) {
    return (
      <Table.Th {...look}>
        {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
      </Table.Th>
    );
  }
  const order = sorting === null ? 'none' : sorting.isDescending ? 'descending' : 'ascending';
  const Arrow = order === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th {...look} aria-sort={order}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={() => onSort(order === 'ascending')}>
        {title}{' '}
        <Arrow size={14} aria-hidden className={styles['arrow']} data-shown={sorting !== null} />
      </UnstyledButton>
    </Table.Th>
  );
}

interface DataRowProps {
  readonly row: unknown;
  readonly rowKey: string;
  readonly columns: readonly Column<unknown>[];
  readonly details: Details<unknown> | undefined;
  readonly isOpen: boolean;
  readonly isNew: boolean;
  readonly onToggle: (key: string) => void;
}

const DataRow = memo(function DataRow(props: DataRowProps) {
  const { row, rowKey, columns, details, isOpen, isNew, onToggle } = props;
  const detailsId = `details-${rowKey}`;
  return (
    <>
      <Table.Tr className={styles['row']} data-open={isOpen} data-new={isNew}>
        {columns.map(({ title, cell, isHeader, visibleFrom, ta, maw }) => {
          const Cell = isHeader === true ? Table.Th : Table.Td;
          return (
            <Cell
              key={title}
              {...(isHeader === true && { scope: 'row' })}
              {...{ visibleFrom, ta, maw }}
            >
              {cell(row)}
            </Cell>
          );
        })}
        {details !== undefined && (
          <Table.Td ta="right">
            <ActionIcon
              variant="subtle"
              size="lg"
              color="gray"
              aria-label={details.label(row)}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              onClick={() => onToggle(rowKey)}
            >
              <IconChevronRight size={18} aria-hidden className={styles['chevron']} />
            </ActionIcon>
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && details !== undefined && (
        <Table.Tr className={styles['details']}>
          <Table.Td colSpan={columns.length + 1}>
            <Box id={detailsId} p="xs" w={0} miw="100%">
              {details.show(row)}
            </Box>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
});

interface MoreProps {
  readonly isLoading?: boolean;
  readonly onMore: () => void;
  readonly children: ReactNode;
}

function More({ isLoading = false, onMore, children }: MoreProps) {
  return (
    <Center py="sm">
      <Button variant="default" size="xs" loading={isLoading} onClick={onMore}>
        {children}
      </Button>
    </Center>
  );
}

function sort<Row>(rows: readonly Row[], sorting: Sorting<Row> | null): readonly Row[] {
  const sortBy = sorting?.column.sortBy;
  if (sortBy === undefined) return rows;
  const sign = sorting?.isDescending === true ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)];
    return sign * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
  });
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
