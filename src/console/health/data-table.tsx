/** A table that scrolls within its frame, by keyboard too. */
import { Badge, Paper, ScrollArea, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { State } from './node-state.js';

export interface Column {
  readonly name: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  readonly hint?: string;
}

export interface DataTableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** In pixels. Below this width, the table scrolls. */
  readonly widthMin: number;
  /** Long texts break into lines. */
  readonly wraps?: boolean;
  /** Its rows. */
  readonly children: ReactNode;
}

export function DataTable({ label, columns, widthMin, wraps, children }: DataTableProps) {
  return (
    <Paper withBorder>
      <ScrollArea
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `${label}, as a table` }}
      >
        <Table
          highlightOnHover
          tabularNums
          miw={widthMin}
          fz="sm"
          horizontalSpacing="xs"
          aria-label={label}
          {...(wraps !== true && { style: { whiteSpace: 'nowrap' } })}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, isNumber = false, hint }) => (
                <Table.Th key={name} title={hint} {...(isNumber && { ta: 'right' })}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </ScrollArea>
    </Paper>
  );
}

/** Cells of numbers, in the order of the columns. */
export function NumberCells({ values }: { readonly values: readonly string[] }) {
  return values.map((value, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column.
    <Table.Td key={at} ta="right">
      {value}
    </Table.Td>
  ));
}

const badgeStyles = {
  good: {
    variant: 'light',
    color: 'teal',
    // Mantine's darkest teal is a little too light on its own tint for text of this size.
    c: 'light-dark(color-mix(in srgb, var(--mantine-color-teal-9) 80%, black), var(--mantine-color-teal-2))',
  },
  plain: { variant: 'default' },
  bad: { variant: 'filled', color: 'red.9' },
} as const;

export function StateBadge({ label, tone }: State) {
  return (
    <Badge {...badgeStyles[tone]} miw="max-content">
      {label}
    </Badge>
  );
}
